// SPDX-License-Identifier: BSD-3-Clause
// The workers of a run on their ports, made ready for one trial after the other.
#pragma once

#include <atomic>
#include <barrier>
#include <memory>
#include <optional>
#include <vector>

#include "ports.h"
#include "progress.h"
#include "team.h"
#include "way_run.h"

namespace barewire::engine {

class Stage {
  public:
    /// All outlive the stage.
    struct Setting {
        const plan::Plan& plan;
        const Layout& layout;
        uint32_t run_id;
        const TscClock* clock;
        Ports& ports;
    };
    /// Starts a thread a worker. Throws DeviceError.
    explicit Stage(const Setting& setting);
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;
    ~Stage() = default;

    [[nodiscard]] const std::vector<std::unique_ptr<WayRun>>& ways() const { return ways_; }

    /// All workers begin on `spec`. From here until rest() their ports are theirs.
    void begin(const TrialSpec& spec);
    /// Sleeps until all workers are at rest (true) or for `timeout` (false).
    bool rest(Ns timeout);
    /// When the send window opened or will open; 0 before the workers have met.
    [[nodiscard]] Ns started_ns() const { return started_ns_; }
    void stop() noexcept {
        for (const auto& way : ways_) way->stop();
    }

  private:
    /// What the last worker at the barrier does before all go on.
    struct Opening {
        Stage* stage;
        void operator()() noexcept;
    };

    Ports& ports_;
    const TscClock* clock_;
    Ns lead_ns_ = 0;
    std::atomic<Ns> started_ns_{0};  // last worker at the barrier: wo; control: ro
    std::vector<std::unique_ptr<WayRun>> ways_;
    std::optional<std::barrier<Opening>> barrier_;
    std::unique_ptr<Team> team_;  // last: its threads end before what they use
};

}  // namespace barewire::engine
