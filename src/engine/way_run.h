// SPDX-License-Identifier: BSD-3-Clause
// One way of a run: its workers, and what they need for a trial.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "barewire/engine/layout.h"
#include "barewire/nic/pool.h"
#include "barewire/nic/port.h"
#include "barewire/plan/flow_layout.h"
#include "barewire/plan/plan.h"
#include "barewire/plan/result.h"
#include "barewire/stats/ledger.h"
#include "barewire/stats/receiver.h"
#include "barewire/wire/frame_template.h"

#include "channel.h"
#include "team.h"
#include "worker.h"

namespace barewire::engine {

/// One trial as all its workers run it.
struct TrialSpec {
    uint32_t number = 0;  ///< 0: warm-up
    uint32_t frame_size = 64;
    uint32_t repeat = 1;
    Ns window_ns = 0;             ///< 0: count decides
    uint64_t count = 0;           ///< of each way; 0: no limit
    std::optional<double> fps{};  ///< of each way; empty: max
    Ns lead_ns = 1'000'000;       ///< from the meeting of the workers to the opening of the window
};

/// A port of this process, and the control thread's way to it if others are behind it.
struct PortEnd {
    nic::Port* port = nullptr;
    Channel* channel = nullptr;
};

class WayRun {
  public:
    /// What a way takes from the run: all outlive it.
    struct Setting {
        const plan::Plan& plan;
        const std::set<int>& crowded_cores;
        uint32_t run_id;
        const TscClock* clock;
    };
    /// An end is empty where this way does not send or receive here.
    WayRun(const Setting& setting, const Way& way, const PortEnd& tx, const PortEnd& rx);

    [[nodiscard]] const Way& way() const { return way_; }
    /// The workers, for a Team; each first calls `meet`.
    [[nodiscard]] std::vector<Team::Member> members(const std::function<void()>& meet);

    /// Buffers of DPDK that a trial at this frame size takes, in bytes.
    [[nodiscard]] static uint64_t pool_bytes(const Way& way, uint32_t frame_size);

    /// MAC and IP addresses in the frames of this way.
    [[nodiscard]] wire::ProbeAddresses addresses() const;

    /// Pools, frames and counters for `spec`. Control thread, workers at rest.
    void prepare(const TrialSpec& spec);
    /// Opens the send window at `start`. All workers have met and none has gone on.
    void arm(Ns start) noexcept;
    void stop() noexcept { control_.stop.store(true, std::memory_order_relaxed); }

    /// Senders of this way that this process has are done.
    [[nodiscard]] bool done_sending() const noexcept {
        return control_.sending.load(std::memory_order_acquire) == 0;
    }
    /// What they did. Once they are done.
    [[nodiscard]] stats::SentTotals sent() const;
    /// The senders of the far end are done, and did this; nothing is known of them when empty. The
    /// sinks then drain the way and stop.
    void far_sent(std::optional<stats::SentTotals> totals) noexcept;

    /// Sums of what the workers published last.
    struct Live {
        Ns time = 0;  ///< mean of the workers' times
        uint64_t frames = 0;
    };
    [[nodiscard]] std::optional<Live> sending() const;
    [[nodiscard]] std::optional<Live> receiving() const;

    /// Settles the ledger. Once a trial, after all workers are at rest.
    [[nodiscard]] plan::TrialResult result();
    /// What the last result() found that has no field in it.
    [[nodiscard]] const stats::LedgerNotes& notes() const { return notes_; }
    /// Buffers that did not come back, and frees the trial's pools.
    uint32_t release_pools();

  private:
    void add_generators(const Setting& setting);
    void add_sinks(const Setting& setting);
    void add_reflectors(const Setting& setting);
    void prepare_generator(uint32_t index);
    void add_workers(plan::TrialResult& result) const;
    void add_send_side(plan::TrialResult& result) const;
    void add_reflected(plan::TrialResult& result) const;

    const plan::Plan& plan_;
    const Way& way_;
    PortEnd tx_;
    PortEnd rx_;
    uint32_t run_id_;
    const TscClock* clock_;
    plan::FlowLayout flows_;
    TrialSpec spec_;
    stats::LedgerNotes notes_;
    WayControl control_;
    std::optional<stats::SentTotals> far_sent_;
    std::vector<std::unique_ptr<GenerateWorker>> generators_;
    std::vector<std::unique_ptr<SinkWorker>> sinks_;
    std::vector<std::unique_ptr<ReflectWorker>> reflectors_;
    std::vector<std::unique_ptr<stats::Receiver>> receivers_;
    // Of the current trial, one for each generator.
    std::vector<std::unique_ptr<nic::FramePool>> pools_;
    std::vector<std::unique_ptr<wire::FrameTemplate>> frames_;
    std::vector<std::vector<wire::FlowStamp>> stamps_;
};

}  // namespace barewire::engine
