// SPDX-License-Identifier: BSD-3-Clause
// What a receiver must count, written down a second time in sets and maps: it is told which bit
// was flipped, computes no checksum, and keeps every sequence for ever.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "barewire/stats/receiver.h"

#include "frames.h"

namespace barewire::stats {

/// A frame as it leaves the path.
struct Delivery {
    Frame frame;
    std::optional<size_t> flipped;  ///< bit
    bool cut = false;
    [[nodiscard]] bool damaged() const { return flipped || cut; }
    [[nodiscard]] bool flipped_in(size_t begin, size_t end) const {
        return flipped && *flipped / 8 >= begin && *flipped / 8 < end;
    }
    /// Source and destination address are in the UDP checksum's pseudo header.
    [[nodiscard]] bool udp_broken() const { return cut || flipped_in(26, frame.size()); }
    [[nodiscard]] bool length_wrong() const {
        return cut || flipped_in(16, 18) || flipped_in(38, 40);
    }
};

inline void account(Receiver& receiver, const Frame& frame, Ns now) {
    const auto* data = frame.data();
    const auto length = static_cast<uint32_t>(frame.size());
    const bool flows = receiver.config().count_flows;
    if (receiver.config().payload_check) {
        flows ? receiver.account<true, true>(data, length, now)
              : receiver.account<true, false>(data, length, now);
    } else {
        flows ? receiver.account<false, true>(data, length, now)
              : receiver.account<false, false>(data, length, now);
    }
}

class SinkModel {
  public:
    struct Flow {
        uint64_t received = 0, duplicated = 0, surplus = 0, reordered = 0, corrupted = 0;
    };
    struct Stream {
        std::set<int64_t> seen;  // relative to the stream's first
        int64_t next = 0;
        std::optional<int64_t> claim;
    };

    SinkModel(const ReceiverConfig& config, uint8_t trial, uint64_t start)
        : config_(config), trial_(trial), start_(start) {}

    void feed(const Delivery& delivery, Ns now) {
        const Frame& frame = delivery.frame;
        if (frame.size() < 60 || word(frame, 42) != 0xBA4E317E || word(frame, 46) != config_.run) {
            ++sum.foreign;
            return;
        }
        const bool other_trial = frame[58] != trial_;
        if (other_trial && !delivery.udp_broken() && !delivery.length_wrong()) {
            ++sum.stale;
            return;
        }
        ++sum.received;
        const bool known = frame[59] < config_.layout.streams();
        const int64_t claim = known ? extend(streams[frame[59]].next, word(frame, 50)) : 0;
        const bool expected = known && !other_trial && claim == streams[frame[59]].next;
        const bool damaged =
            other_trial || delivery.length_wrong() ||
            (config_.payload_check ? delivery.damaged() : !expected && delivery.udp_broken());
        if (damaged) {
            ++sum.corrupted;
        } else {
            transits.push_back(nearest(0, static_cast<uint32_t>(now) - word(frame, 54)));
        }
        if (other_trial || !known) {
            ++sum.surplus;
        } else {
            damaged ? file_damaged(frame[59], claim) : file(frame[59], claim);
        }
    }

    void finish(const std::vector<SinkModel>& all) {
        std::map<uint8_t, std::multiset<int64_t>> claims;
        for (const auto& [stream, claim] : pending_) claims[stream].insert(claim);
        for (auto& [stream, sorted] : claims) {
            for (const int64_t claim : sorted) {
                bool taken = claim < 0 || claim - streams[stream].next > window();
                for (const SinkModel& sink : all) {
                    const auto found = sink.streams.find(stream);
                    taken |= found != sink.streams.end() && found->second.seen.count(claim) > 0;
                }
                taken |= !taken && !see(stream, claim);
                sum.surplus += taken ? 1 : 0;
                flow_of(stream, claim).surplus += taken ? 1 : 0;
            }
        }
    }

    struct Sum : Flow {
        uint64_t stale = 0, foreign = 0;
    };
    Sum sum;
    std::map<uint8_t, Stream> streams;
    std::map<uint32_t, Flow> flows;
    std::vector<int64_t> transits;  // now minus departure, of each undamaged frame in turn

    [[nodiscard]] uint32_t flow_number(uint8_t stream, int64_t sequence) const {
        std::vector<uint32_t> mine;  // flows that the stream cycles through
        for (uint32_t flow = 0; flow < config_.layout.flows(); ++flow) {
            if (flow % config_.layout.streams() == stream) mine.push_back(flow);
        }
        if (mine.empty()) return stream % config_.layout.flows();
        return mine[(start_ + static_cast<uint64_t>(sequence)) % mine.size()];
    }

  private:
    static uint32_t word(const Frame& frame, size_t at) {
        return uint32_t{frame[at]} << 24 | uint32_t{frame[at + 1]} << 16 |
               uint32_t{frame[at + 2]} << 8 | frame[at + 3];
    }
    [[nodiscard]] int64_t window() const { return config_.sequence_window; }
    /// The number from 2^28 below to nearly 2^32 above `origin` whose low 32 bits lie `ahead` of
    /// it.
    static int64_t nearest(int64_t origin, uint32_t ahead) {
        constexpr int64_t kWrap = int64_t{1} << 32;
        return origin + (ahead >= kWrap - kWrap / 16 ? ahead - kWrap : int64_t{ahead});
    }
    [[nodiscard]] int64_t extend(int64_t next, uint32_t low) const {
        return nearest(next, low - static_cast<uint32_t>(start_ + static_cast<uint64_t>(next)));
    }
    Flow& flow_of(uint8_t stream, int64_t sequence) { return flows[flow_number(stream, sequence)]; }

    /// False: a copy was seen.
    bool see(uint8_t stream, int64_t sequence) {
        Stream& state = streams[stream];
        state.next = std::max(state.next, sequence + 1);
        return state.seen.insert(sequence).second;
    }
    void file(uint8_t stream, int64_t sequence) {
        Flow& flow = flow_of(stream, sequence);
        ++flow.received;
        const bool late = sequence < streams[stream].next;
        const bool too_late = sequence < 0 || streams[stream].next - sequence > window();
        const bool copy = !too_late && !see(stream, sequence);
        for (Flow* counts : {&flow, static_cast<Flow*>(&sum)}) {
            counts->surplus += too_late ? 1 : 0;
            counts->duplicated += copy ? 1 : 0;
            counts->reordered += late && !too_late && !copy ? 1 : 0;
        }
    }
    void file_damaged(uint8_t stream, int64_t claim) {
        ++flow_of(stream, claim).received;
        ++flow_of(stream, claim).corrupted;
        Stream& state = streams[stream];
        const bool follows = state.claim && claim == *state.claim + 1 && claim > state.next &&
                             claim - state.next <= window();
        state.claim = claim;
        if (claim == state.next || follows) {
            see(stream, claim);
        } else {
            pending_.emplace_back(stream, claim);
        }
    }

    ReceiverConfig config_;
    uint8_t trial_;
    uint64_t start_;
    std::deque<std::pair<uint8_t, int64_t>> pending_;
};

}  // namespace barewire::stats
