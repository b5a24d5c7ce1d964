// SPDX-License-Identifier: BSD-3-Clause
// A link on a clock of its own that loses, repeats, holds back and damages frames, and the two ends
// on it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "barewire/control/exchange.h"

namespace barewire::control {

using Bytes = std::vector<uint8_t>;

inline constexpr std::array<MacAddress, 2> kMacs{MacAddress{2, 0, 0, 0, 0, 1},
                                                 MacAddress{2, 0, 0, 0, 0, 2}};

/// Shares, 0 to 1, and the longest time that a frame travels.
struct Character {
    double loss = 0, duplicate = 0, damage = 0;
    Ns longest = 0;
};

class Channel {
  public:
    explicit Channel(uint32_t seed, const Character& character = {})
        : random_(seed), character_(character) {
        for (uint32_t end = 0; end < 2; ++end) start(end, 100 + end);
    }

    /// A process begins at this end; what the one before knew is gone.
    void start(size_t end, uint32_t session) {
        ends_[end] = std::make_unique<Exchange>(
            Exchange::Config{.mac = kMacs[end], .session = session},
            [this, end](std::span<const uint8_t> frame) { carry(1 - end, frame); });
    }
    /// Nobody is there any more.
    void stop(size_t end) { ends_[end].reset(); }
    [[nodiscard]] Exchange& end(size_t which) { return *ends_[which]; }
    [[nodiscard]] Ns now() const { return now_; }
    [[nodiscard]] uint64_t carried() const { return carried_; }

    uint32_t send(size_t from, const std::string& text, Delivery how = Delivery::confirmed) {
        return end(from).send(kMacs[1 - from], text, how, now_);
    }
    /// What `drops` says true of is lost, beside the channel's character.
    void drop_if(std::function<bool(size_t to, std::span<const uint8_t>)> drops) {
        drops_ = std::move(drops);
    }
    void heal() { character_ = {.longest = character_.longest}; }

    /// One ms: what has arrived is received, what is due is sent again.
    void turn() {
        now_ += 1'000'000;
        while (!under_way_.empty() && under_way_.begin()->first <= now_) {
            const auto [to, frame] = under_way_.begin()->second;
            under_way_.erase(under_way_.begin());
            if (ends_[to]) ends_[to]->receive(frame, now_);
        }
        for (const auto& one : ends_) {
            if (one) one->advance(now_);
        }
    }
    /// Until `done`, for ten minutes of its clock at most. Whether it was.
    bool run(const std::function<bool()>& done) {
        for (int turns = 0; turns < 600'000; ++turns) {
            if (done()) return true;
            turn();
        }
        return false;
    }
    bool run_until_settled(size_t end, uint32_t number) {
        return run([&] { return ends_[end]->outcome(number) != Outcome::sending; });
    }
    /// Until no frame travels and nothing is to be sent.
    bool run_until_quiet() {
        return run([&] {
            bool quiet = under_way_.empty();
            for (const auto& one : ends_) quiet = quiet && !(one && one->next_deadline());
            return quiet;
        });
    }
    /// All messages that wait at `end`.
    std::vector<std::string> texts(size_t end) {
        std::vector<std::string> all;
        while (auto message = ends_[end]->next_message()) all.push_back(message->text);
        return all;
    }

  private:
    bool happens(double share) { return std::uniform_real_distribution<>()(random_) < share; }

    void carry(size_t to, std::span<const uint8_t> frame) {
        ++carried_;
        if (drops_ && drops_(to, frame)) return;
        if (happens(character_.loss)) return;
        for (int copies = happens(character_.duplicate) ? 3 : 1; copies > 0; --copies) {
            Bytes bytes(frame.begin(), frame.end());
            if (happens(character_.damage)) {
                const auto bit = random_() % (bytes.size() * 8);
                bytes[bit / 8] ^= static_cast<uint8_t>(1U << bit % 8);
            }
            const Ns travel = static_cast<Ns>(random_()) % (character_.longest + 1);
            under_way_.emplace(now_ + travel, std::pair(to, bytes));
        }
    }

    std::mt19937 random_;
    Character character_;
    Ns now_ = 0;
    uint64_t carried_ = 0;
    std::function<bool(size_t, std::span<const uint8_t>)> drops_;
    std::multimap<Ns, std::pair<size_t, Bytes>> under_way_;
    std::array<std::unique_ptr<Exchange>, 2> ends_;
};

/// No two segments of it are alike.
inline std::string text_of(size_t size, uint32_t seed = 1) {
    std::mt19937 random(seed);
    std::string text(size, ' ');
    for (char& c : text) c = static_cast<char>('a' + random() % 26);
    return text;
}

}  // namespace barewire::control
