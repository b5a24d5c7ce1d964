// SPDX-License-Identifier: BSD-3-Clause
// A run from plan to result: the control thread's whole life.
#include "barewire/engine/run.h"

#include <algorithm>
#include <barrier>
#include <charconv>
#include <cmath>
#include <ctime>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "barewire/base/error.h"
#include "barewire/engine/layout.h"
#include "barewire/machine/facts.h"
#include "barewire/machine/saved_runs.h"
#include "barewire/nic/eal.h"

#include "ports.h"
#include "progress.h"
#include "team.h"
#include "way_run.h"

namespace barewire::engine {
namespace {

/// Untimed, before the first trial: pages touched, caches filled, clocks up.
constexpr Ns kWarmUpNs = 20'000'000;
/// From the meeting of the workers to the opening of the window.
constexpr Ns kLeadNs = 1'000'000;
/// How often the control thread wakes to look for an interrupt.
constexpr Ns kWakeNs = 100'000'000;

uint64_t memory_needed(const plan::Plan& plan, const Layout& layout) {
    const std::vector<uint32_t> sizes =
        plan.sizes.empty() ? std::vector{kMinFrameSize} : plan.sizes;
    uint64_t pools = 0;
    for (const uint32_t size : sizes) {
        uint64_t of_trial = 0;
        for (const Way& way : layout.ways) of_trial += WayRun::pool_bytes(way, size);
        pools = std::max(pools, of_trial);
    }
    // The heap is cut in pieces by pools of other sizes before: half as much again.
    return pools + pools / 2 + Ports::bytes_needed(plan, layout);
}

/// Cores that this process may use, one of each physical core before any sibling.
std::vector<int> preferred_cores() {
    const std::vector<int> allowed = machine::allowed_cores();
    return machine::choose_cores(machine::read_topology(allowed), allowed.size());
}

/// Throws ConfigError where more workers would share a port than it has queues for.
Layout within_queue_limits(Layout layout) {
    std::vector<std::string> problems;
    const auto check = [&problems](const plan::PortSpec* port, size_t workers, const char* what,
                                   uint32_t nic::QueueLimit::*most) {
        if (port == nullptr) return;
        const nic::QueueLimit limit = nic::queue_limit(port->kind);
        if (workers <= limit.*most) return;
        problems.push_back(
            fmt::format("--cores: {} workers {} {}, which serves at most {} ({}): "
                        "name fewer cores",
                        workers, what, port->text, limit.*most, limit.set_by));
    };
    for (const Way& way : layout.ways) {
        check(way.tx, way.generator_cores.size(), "send into", &nic::QueueLimit::tx);
        check(way.rx, way.sink_cores.size(), "receive from", &nic::QueueLimit::rx);
    }
    if (!problems.empty()) throw ConfigError(problems);
    return layout;
}

class Run {
  public:
    Run(const plan::Plan& plan, const RunOptions& options)
        : plan_(plan),
          options_(options),
          layout_(within_queue_limits(lay_out(plan, preferred_cores()))),
          eal_({.memory_bytes = memory_needed(plan, layout_),
                .control_cores = layout_.control_cores,
                .extra = plan.eal}),
          clock_(TscClock::calibrate()),
          ports_(plan, layout_) {
        result_.command = plan.command;
        result_.warnings = layout_.warnings;
        result_.run_id = machine::new_run_id();
        std::from_chars(result_.run_id.data(), result_.run_id.data() + result_.run_id.size(),
                        run_id_, 16);
        describe_environment();
        start_workers();
    }

    plan::RunResult go() {
        const std::vector<TrialSpec> trials = trials_of_plan();
        trials_ = static_cast<uint32_t>(trials.size());
        if (warms_up()) run_trial(warm_up(trials.front()));
        for (const TrialSpec& trial : trials) {
            if (stopped() || result_.status == plan::Status::failed) break;
            try {
                run_trial(trial);
            } catch (const DeviceError& error) {
                fail(error.what());  // the trials so far are kept
            }
        }
        if (stopped() && result_.status == plan::Status::ok) {
            result_.status = plan::Status::interrupted;
        }
        return std::move(result_);
    }

  private:
    [[nodiscard]] bool stopped() const {
        return options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed);
    }
    /// Not into or out of a file: it holds what was asked for, nothing else.
    [[nodiscard]] bool warms_up() const {
        const auto is_file = [](const std::optional<plan::PortSpec>& port) {
            return port && port->kind == plan::PortKind::pcap;
        };
        return plan_.tx && !is_file(plan_.tx) && !is_file(plan_.rx) && !stopped();
    }
    static TrialSpec warm_up(TrialSpec spec) {
        spec.number = 0;
        spec.window_ns = spec.window_ns == 0 ? kWarmUpNs : std::min(spec.window_ns, kWarmUpNs);
        return spec;
    }

    [[nodiscard]] std::vector<TrialSpec> trials_of_plan() const {
        std::vector<TrialSpec> trials;
        // A sink alone takes what comes: its trial has no size of its own.
        const std::vector<uint32_t> sizes = plan_.tx ? plan_.sizes : std::vector<uint32_t>{0};
        for (const uint32_t size : sizes) {
            for (uint32_t repeat = 1; repeat <= plan_.repeat; ++repeat) {
                trials.push_back({.number = static_cast<uint32_t>(trials.size()) + 1,
                                  .frame_size = size,
                                  .repeat = repeat,
                                  .window_ns = plan_.duration_ns,
                                  .count = plan_.count,
                                  .fps = plan_.rate.frames_per_second(size, plan_.line_bps)});
            }
        }
        return trials;
    }

    void start_workers() {
        const WayRun::Setting setting{plan_, layout_, run_id_, &clock_};
        std::vector<Team::Member> members;
        for (const Way& way : layout_.ways) {
            ways_.push_back(
                std::make_unique<WayRun>(setting, way, ports_.find(way.tx), ports_.find(way.rx)));
            for (auto& member : ways_.back()->members([this] { barrier_->arrive_and_wait(); })) {
                members.push_back(std::move(member));
            }
        }
        barrier_.emplace(static_cast<std::ptrdiff_t>(members.size()), Opening{this});
        team_ = std::make_unique<Team>(std::move(members));
    }

    void run_trial(const TrialSpec& spec) {
        ports_.begin_trial(spec.number);
        for (const auto& way : ways_) way->prepare(spec);
        team_->begin();
        watch(spec);
        for (const auto& way : ways_) {
            if (spec.number != 0) keep(*way);
            if (const uint32_t missing = way->release_pools(); missing != 0) {
                fail(fmt::format("{} buffers of trial {} did not come back", missing, spec.number));
            }
        }
        if (const std::string words = ports_.failure(); !words.empty()) fail(words);
    }

    void keep(WayRun& way) {
        plan::TrialResult trial = way.result();
        trial.seed = plan_.seed;
        trial.complete = !stopped() && ports_.failure().empty();
        trial.wire = ports_.wire_counts(way.way());
        for (const plan::PortSpec* spec : {way.way().tx, way.way().rx}) {
            if (nic::Port* port = ports_.find(spec))
                trial.port_counters.push_back(port->counters());
        }
        for (const std::string& problem : way.notes().problems) {
            fail(fmt::format("the ledger of trial {} does not add up: {}", trial.trial, problem));
        }
        if (const auto early = way.notes().negative_latencies; early != 0) {
            result_.warnings.push_back(fmt::format(
                "{} frames of trial {} arrived before their intended departure (counted as 0 ns): "
                "the cores' clocks differ",
                early, trial.trial));
        }
        result_.trials.push_back(std::move(trial));
    }

    void fail(const std::string& words) {
        result_.status = plan::Status::failed;
        if (std::find(result_.errors.begin(), result_.errors.end(), words) ==
            result_.errors.end()) {
            result_.errors.push_back(words);
        }
    }

    /// Sleeps while the workers work; wakes for progress and interrupts.
    void watch(const TrialSpec& spec) {
        const Ns every = plan_.interval_ns != 0 ? plan_.interval_ns : options_.progress_every_ns;
        ProgressClock progress(clock_.now(), every);
        std::vector<IntervalMeter> meters;
        for (const auto& way : ways_) meters.emplace_back(*way, spec);
        while (!team_->wait_for(progress.sleep(clock_.now(), kWakeNs))) {
            if (stopped() || !ports_.failure().empty()) {
                for (const auto& way : ways_) way->stop();
            }
            if (spec.number != 0 && progress.due(clock_.now())) {
                for (IntervalMeter& meter : meters) tell(meter, spec);
            }
        }
    }

    void tell(IntervalMeter& meter, const TrialSpec& spec) {
        const std::optional<plan::Interval> interval = meter.next(started_ns_);
        if (!interval) return;
        if (plan_.interval_ns != 0) result_.intervals.push_back(*interval);
        if (options_.on_progress) {
            options_.on_progress({&*interval, spec.number, trials_, interval->end_s});
        }
    }

    void describe_environment() {
        const std::vector<int> allowed = machine::allowed_cores();
        result_.environment.cpu = machine::cpu_model().value_or("unknown");
        result_.environment.kernel = machine::kernel_release();
        result_.environment.cores_allowed = static_cast<uint32_t>(allowed.size());
        result_.environment.dpdk = nic::dpdk_version();
        result_.environment.huge_pages = eal_.huge_pages();
        result_.environment.tsc_hz = clock_.hz();
        result_.environment.tsc_error_ppm = clock_.error_ppm();
        for (const Way& way : layout_.ways) {
            auto& used = result_.environment.cores;
            used.insert(used.end(), way.generator_cores.begin(), way.generator_cores.end());
            used.insert(used.end(), way.sink_cores.begin(), way.sink_cores.end());
        }
        const auto& cores = result_.environment.cores;
        result_.environment.governor = machine::governor(cores);
        result_.environment.siblings =
            machine::share_physical_core(machine::read_topology(allowed), cores);
        for (const auto& port : ports_.all()) {
            result_.environment.ports.push_back(port->facts());
        }
    }

    /// What the last worker at the barrier does before all go on.
    struct Opening {
        Run* run;
        void operator()() noexcept {
            run->started_ns_ = run->clock_.now() + kLeadNs;
            for (const auto& way : run->ways_) way->arm(run->started_ns_);
        }
    };

    const plan::Plan& plan_;
    const RunOptions& options_;
    Layout layout_;
    nic::Eal eal_;
    TscClock clock_;
    Ports ports_;
    uint32_t run_id_ = 0;
    uint32_t trials_ = 0;
    std::atomic<Ns> started_ns_{0};  // last worker at the barrier: wo; control: ro
    std::vector<std::unique_ptr<WayRun>> ways_;
    std::optional<std::barrier<Opening>> barrier_;
    plan::RunResult result_;
    std::unique_ptr<Team> team_;  // last: its threads end before what they use
};

}  // namespace

plan::RunResult run(const plan::Plan& plan, const RunOptions& options) {
    return Run(plan, options).go();
}

}  // namespace barewire::engine
