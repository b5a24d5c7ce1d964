// SPDX-License-Identifier: BSD-3-Clause
// Orders to the far end, and waiting for it without end being possible.
#include "far_end.h"

#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "barewire/base/error.h"
#include "barewire/report/read_json.h"

namespace barewire::engine {
namespace {

constexpr wire::MacAddress kBroadcast{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
constexpr Ns kHelloEveryNs = 100'000'000;
/// After the first answer, for a second one.
constexpr Ns kSecondAnswerNs = 30'000'000;
/// Where nobody answers, the far end gets this long between order and first frame.
constexpr Ns kAnnounceLeadNs = 50'000'000;
constexpr auto kNap = std::chrono::microseconds(50);

}  // namespace

FarEnd::FarEnd(Channel& channel, const TscClock& clock, uint32_t run, const RunOptions& options)
    : talk_(channel, clock, run), clock_(clock), run_(run), options_(options) {}

std::string FarEnd::name() const {
    return fmt::format("the far end {}", mac_text(mac_));
}

/// Takes in messages until `done` or for `patience`; false: not done.
template <class Done>
bool FarEnd::wait(Ns patience, Done done) {
    const Ns until = clock_.now() + patience;
    while (!done()) {
        const bool stopped = options_.stop != nullptr && options_.stop->load();
        if (stopped || clock_.now() >= until) return false;
        turn();
        std::this_thread::sleep_for(kNap);
    }
    return true;
}

bool FarEnd::find(const std::optional<wire::MacAddress>& mac, Ns patience) {
    const wire::MacAddress to = mac.value_or(kBroadcast);
    const Ns until = clock_.now() + patience;
    do {
        talk_.announce(to, control::Hello{.version = options_.version, .run = run_});
    } while (!wait(kHelloEveryNs, [this] { return here_.has_value(); }) && clock_.now() < until &&
             !(options_.stop != nullptr && options_.stop->load()));
    if (!here_) return false;
    wait(kSecondAnswerNs, [this] { return second_.has_value(); });
    if (second_) {
        throw DeviceError(
            fmt::format("two far ends answer on this link, {} and {}: name one, as --far {}",
                        mac_text(mac_), mac_text(second_->from), mac_text(mac_)));
    }
    if (here_->protocol != control::kProtocol) {
        throw DeviceError(fmt::format(
            "{} is barewire {} and speaks protocol {}, this is {} with {}: use one version", name(),
            here_->version, here_->protocol, options_.version, control::kProtocol));
    }
    return true;
}

void FarEnd::take(const Heard& heard) {
    if (const auto* here = std::get_if<control::Here>(&heard.content)) {
        if (!here_) {
            mac_ = heard.from;
            here_ = *here;
        } else if (heard.from != mac_) {
            second_ = heard;
        }
    }
    if (!here_ || heard.from != mac_) return;
    heard_ns_ = clock_.now();
    const auto of_trial = [this](const auto& m) {
        return m.run == run_ && m.trial == order_.trial;
    };
    if (const auto* ready = std::get_if<control::Ready>(&heard.content)) {
        ready_ = ready_ || of_trial(*ready);
    } else if (const auto* refused = std::get_if<control::Refused>(&heard.content)) {
        refused_ = refused->why;
    } else if (const auto* end = std::get_if<control::End>(&heard.content)) {
        if (of_trial(*end) && end->offered.size() == order_.from_far_streams) {
            sent_ = stats::SentTotals{end->intended, end->unsent, end->offered};
        }
    } else if (const auto* outcomes = std::get_if<control::Outcomes>(&heard.content)) {
        if (of_trial(*outcomes)) outcomes_ = *outcomes;
    }
}

void FarEnd::turn() {
    talk_.poll();
    while (const auto heard = talk_.next()) take(*heard);
    if (telling_ && talk_.failed(*telling_)) {
        undelivered_ = true;
        telling_.reset();
    }
    const Ns now = clock_.now();
    if (here_ && now - alive_ns_ >= kAliveEveryNs) {
        alive_ns_ = now;
        talk_.announce(mac_, control::Alive{run_});
    }
}

bool FarEnd::lost() const {
    return here_ && (undelivered_ || refused_ || clock_.now() - heard_ns_ > kSilenceNs);
}

void FarEnd::tell(const control::Content& content) {
    if (answers()) {
        telling_ = talk_.tell(mac_, content);
    } else {
        talk_.announce(mac_, content);
    }
}

void FarEnd::order(const control::Order& order) {
    order_ = order;
    ready_ = undelivered_ = false;
    refused_.reset();
    sent_.reset();
    outcomes_.reset();
    heard_ns_ = clock_.now();
    tell(order);
    if (!answers()) {
        wait(kAnnounceLeadNs, [] { return false; });
        return;
    }
    wait(kSilenceNs, [this] { return ready_ || refused_ || undelivered_; });
    if (refused_) throw DeviceError(fmt::format("{} refuses: {}", name(), *refused_));
    const bool stopped = options_.stop != nullptr && options_.stop->load();
    if (!ready_ && !stopped) {
        throw DeviceError(fmt::format("{} did not make ready for trial {} within {} s", name(),
                                      order.trial, kSilenceNs / 1'000'000'000));
    }
}

void FarEnd::end(const stats::SentTotals& totals) {
    tell(control::End{.run = run_,
                      .trial = order_.trial,
                      .intended = totals.intended,
                      .unsent = totals.unsent,
                      .offered = totals.offered});
}

std::string FarEnd::loss() const {
    if (refused_) return fmt::format("{} is lost: {}", name(), *refused_);
    return fmt::format("{} is lost: silent for {:.1f} s in the middle of a trial", name(),
                       static_cast<double>(clock_.now() - heard_ns_) / 1e9);
}

std::vector<plan::TrialResult> FarEnd::outcomes() {
    if (!answers()) return {};
    const Ns until = clock_.now() + 2 * kSilenceNs;
    while (!outcomes_ && !lost() && clock_.now() < until) {
        turn();
        std::this_thread::sleep_for(kNap);
    }
    if (!outcomes_) {
        throw DeviceError(
            fmt::format("{}; what it received of trial {} is not known", loss(), order_.trial));
    }
    std::vector<plan::TrialResult> trials;
    if (!outcomes_->trials.is_array()) return trials;
    for (const auto& trial : outcomes_->trials) trials.push_back(report::read_trial(trial));
    return trials;
}

void FarEnd::bye() {
    tell(control::Bye{run_});
    // Also the copies of what nobody confirms, the end of the last trial among it; after Ctrl-C
    // too.
    const Ns until = clock_.now() + kAliveEveryNs;
    while (talk_.busy() && clock_.now() < until) {
        turn();
        std::this_thread::sleep_for(kNap);
    }
}

}  // namespace barewire::engine
