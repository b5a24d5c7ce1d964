// SPDX-License-Identifier: BSD-3-Clause
// A run that this process leads, from plan to result: the control thread's whole life.
#include "barewire/engine/run.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "barewire/base/error.h"
#include "barewire/machine/facts.h"
#include "barewire/machine/saved_runs.h"
#include "barewire/report/read_json.h"
#include "barewire/stats/ledger.h"

#include "answer.h"
#include "far_end.h"
#include "lost_by.h"
#include "order.h"
#include "rig.h"
#include "stage.h"

namespace barewire::engine {
namespace {

/// Untimed, before the first trial: pages touched, caches filled, clocks up.
constexpr Ns kWarmUpNs = 20'000'000;
/// How often the control thread wakes to look for an interrupt; with a far end, for its messages:
/// not more often, because a wake takes some 40 us from a worker where each core has one.
constexpr Ns kWakeNs = 100'000'000;
constexpr Ns kFarWakeNs = 10'000'000;
/// How long a far end that was asked for may take to answer, and one that may be there.
constexpr Ns kFindFarNs = 3'000'000'000;
constexpr Ns kFindSinkNs = 500'000'000;

class Run {
  public:
    Run(const plan::Plan& plan, const RunOptions& options)
        : plan_(plan), options_(options), rig_(plan_, options), layout_(rig_.layout()) {
        result_.command = plan.command;
        result_.warnings = layout_.warnings;
        result_.run_id = machine::new_run_id();
        std::from_chars(result_.run_id.data(), result_.run_id.data() + result_.run_id.size(),
                        run_id_, 16);
        result_.environment = rig_.environment();
        result_.environment.version = options.version;
        take_line_rate();
        find_far_end();
        stage_ = std::make_unique<Stage>(
            Stage::Setting{plan_, layout_, run_id_, &rig_.clock(), rig_.ports()});
    }

    plan::RunResult go() {
        const std::vector<TrialSpec> trials = trials_of_plan();
        trials_ = static_cast<uint32_t>(trials.size());
        if (warms_up()) attempt(warm_up(trials.front()));
        for (const TrialSpec& trial : trials) {
            if (stopped() || result_.status == plan::Status::failed) break;
            attempt(trial);
        }
        if (far_ && !far_lost_) far_->bye();
        if (stopped() && result_.status == plan::Status::ok) {
            result_.status = plan::Status::interrupted;
        }
        return std::move(result_);
    }

  private:
    [[nodiscard]] bool stopped() const {
        return options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed);
    }
    void note(const std::string& words) const {
        if (options_.on_note) options_.on_note(words);
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
                TrialSpec spec{.number = static_cast<uint32_t>(trials.size()) + 1,
                               .frame_size = size,
                               .repeat = repeat,
                               .window_ns = plan_.duration_ns,
                               .count = plan_.count,
                               .fps = plan_.rate.frames_per_second(size, plan_.line_bps)};
                if (plan_.far && plan_.both_ways) spec.lead_ns = kBothSendLeadNs;
                trials.push_back(spec);
            }
        }
        return trials;
    }

    /// A NIC's speed is the line that shares refer to, and no rate may be above it.
    void take_line_rate() {
        const nic::Port* tx = rig_.ports().find(plan_.tx ? &*plan_.tx : nullptr);
        if (tx == nullptr) return;
        const std::optional<double> speed = tx->facts().speed_bps;
        if (!plan_.line_bps) plan_.line_bps = speed;
        std::vector<std::string> problems;
        if (!plan_.line_bps && plan_.tx->kind == plan::PortKind::pci) {
            problems.push_back(
                fmt::format("{}: its driver does not tell its speed, so no rate can "
                            "be held against it: name it, --line 10Gbps",
                            plan_.tx->text));
        }
        for (const uint32_t size : plan_.sizes) {
            const auto fps = plan_.rate.frames_per_second(size, plan_.line_bps);
            if (!fps || !speed || *stats::rates_of(*fps, size).l1_bps <= *speed * 1.000001)
                continue;
            problems.push_back(fmt::format(
                "--rate: {:.6g} frames/s of {} bytes are {:.6g} Gb/s on L1, {} has {:.6g}: at "
                "most --rate 100%",
                *fps, size, *stats::rates_of(*fps, size).l1_bps / 1e9, plan_.tx->text,
                *speed / 1e9));
            break;
        }
        if (!problems.empty()) throw ConfigError(problems);
    }

    // --- the far end -------------------------------------------------------------------------

    /// Looks for the far end where one is asked for, or where a sender's port has others behind it
    /// and so perhaps a sink.
    void find_far_end() {
        const PortEnd near = rig_.ports().end_of(plan_.tx ? &*plan_.tx : nullptr);
        const bool wanted = plan_.far.has_value();
        if (near.channel == nullptr || plan_.rx) return;
        far_ = std::make_unique<FarEnd>(*near.channel, rig_.clock(), run_id_, options_);
        if (wanted) note("looking for the far end");
        const auto& asked = wanted ? plan_.far->mac : plan_.addressing.dst_mac;
        if (far_->find(asked, wanted ? kFindFarNs : kFindSinkNs)) {
            meet_far_end();
        } else if (stopped()) {
            return;
        } else if (wanted) {
            throw DeviceError(fmt::format(
                "no far end answers behind {}: start barewire far there, look at the link and the "
                "cable between them, or give its address, --far MAC",
                plan_.tx->text));
        } else if (plan_.addressing.dst_mac) {
            far_->announce_to(*plan_.addressing.dst_mac);
        } else {
            throw ConfigError(fmt::format(
                "nobody answers behind {}, so nobody is there to send to: start barewire sink or "
                "barewire far at the other end, or name the address, --dst-mac MAC",
                plan_.tx->text));
        }
        for (Way& way : layout_.ways) way.far_mac = far_->mac();
    }

    void meet_far_end() {
        const control::Here& here = far_->here();
        note(fmt::format("{} {} answers, barewire {}", here.role, mac_text(far_->mac()),
                         here.version));
        const uint32_t largest = *std::max_element(plan_.sizes.begin(), plan_.sizes.end());
        std::vector<std::string> problems;
        if (largest > here.max_frame) {
            problems.push_back(fmt::format(
                "--size {}: the far end {} takes frames of at most {} bytes: a larger MTU there, "
                "or barewire {} --max-frame {}",
                largest, mac_text(far_->mac()), here.max_frame, here.role, largest));
        }
        if (plan_.both_ways && here.generators == 0) {
            problems.push_back(
                fmt::format("--both-ways: {} is a {}, which sends nothing: start "
                            "barewire far there",
                            mac_text(far_->mac()), here.role));
        }
        if (here.role == "reflect" && plan_.far) {
            problems.push_back(
                fmt::format("{} reflects and counts nothing: start barewire far "
                            "there",
                            mac_text(far_->mac())));
        }
        if (!problems.empty()) throw ConfigError(problems);
        result_.far_environment = report::read_environment(here.environment);
        result_.far_environment->version = here.version;
        for (Way& way : layout_.ways) {
            if (way.tx == nullptr) way.far_streams = here.generators;
        }
        warn_of_shared_cores();
    }

    /// Two ends on one machine know nothing of each other's cores.
    void warn_of_shared_cores() {
        if (far_->here().machine != machine::boot_id()) return;
        const std::vector<int>& theirs = result_.far_environment->cores;
        for (const int core : result_.environment.cores) {
            if (std::find(theirs.begin(), theirs.end(), core) == theirs.end()) continue;
            result_.warnings.push_back(fmt::format(
                "the far end is a process of this machine and has a worker on core {} too: they "
                "wait for each other; give the ends different --cores",
                core));
            return;
        }
    }

    void order(const TrialSpec& spec) {
        const Way* back = layout_.ways.size() > 1 ? &layout_.ways.back() : nullptr;
        far_->order(order_of(plan_, run_id_, spec, *stage_->ways().front(), back));
    }

    /// During a trial: passes on who is done sending. False once the far end is lost.
    bool turn_far_end(bool& told_end) {
        far_->turn();
        WayRun& to_far = *stage_->ways().front();
        if (!told_end && to_far.done_sending()) {
            far_->end(to_far.sent());
            told_end = true;
        }
        WayRun& back = *stage_->ways().back();
        if (back.way().tx == nullptr && !back.done_sending() && far_->sent()) {
            back.far_sent(far_->sent());
        }
        return !far_->lost();
    }

    /// Ends the trial where the far end is gone: nothing more is known of it.
    void give_up_far_end() {
        far_lost_ = true;
        lost_words_ = far_->loss();
        stage_->stop();
        for (const auto& way : stage_->ways()) {
            if (way->way().tx == nullptr) way->far_sent(std::nullopt);
        }
    }

    // --- a trial -----------------------------------------------------------------------------

    void attempt(const TrialSpec& spec) {
        try {
            run_trial(spec);
        } catch (const DeviceError& error) {
            fail(error.what());  // the trials so far are kept
        }
    }

    void run_trial(const TrialSpec& spec) {
        teach_all();
        if (far_) order(spec);
        if (stopped()) return;
        stage_->begin(spec);
        watch(spec);
        std::vector<plan::TrialResult> counted;
        if (far_ && far_lost_) {
            fail(lost_words_);
        } else if (far_) {
            try {
                counted = far_->outcomes();
            } catch (const DeviceError& error) {
                far_lost_ = true;
                fail(error.what());
            }
        }
        for (const auto& way : stage_->ways()) {
            if (spec.number != 0) keep(*way, counted);
            if (const uint32_t missing = way->release_pools(); missing != 0) {
                fail(fmt::format("{} buffers of trial {} did not come back", missing, spec.number));
            }
        }
        if (const std::string words = rig_.ports().failure(); !words.empty()) fail(words);
    }

    /// Every receiving port, so that a switch sends to it alone.
    void teach_all() {
        taught_ns_ = rig_.clock().now();
        for (const Way& way : layout_.ways) {
            for (const plan::PortSpec* spec : {way.tx, way.rx}) {
                if (Channel* channel = rig_.ports().end_of(spec).channel) teach(*channel);
            }
        }
    }

    void keep(WayRun& way, const std::vector<plan::TrialResult>& counted) {
        plan::TrialResult trial = way.result();
        trial.seed = plan_.seed;
        trial.complete = !stopped() && !far_lost_ && rig_.ports().failure().empty();
        trial.wire = rig_.ports().wire_counts(way.way());
        LostBetween between;
        if (nic::Port* tx = rig_.ports().find(way.way().tx)) {
            between.tx = trial.port_counters.emplace_back(tx->counters());
        }
        if (nic::Port* rx = rig_.ports().find(way.way().rx)) {
            between.rx = trial.port_counters.emplace_back(rx->counters());
        }
        for (const plan::TrialResult& far : counted) {
            if (far.direction == trial.direction) merge_far(far, trial, between);
        }
        set_lost_by(between, trial);
        const auto& l1 = trial.rx.l1_bps ? trial.rx.l1_bps : trial.tx.l1_bps;
        if (plan_.line_bps && l1) trial.line_rate_ratio = *l1 / *plan_.line_bps;
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

    /// Sleeps while the workers work; wakes for progress, interrupts and the far end.
    void watch(const TrialSpec& spec) {
        const TscClock& clock = rig_.clock();
        const Ns every = plan_.interval_ns != 0 ? plan_.interval_ns : options_.progress_every_ns;
        ProgressClock progress(clock.now(), every);
        std::vector<IntervalMeter> meters;
        for (const auto& way : stage_->ways()) meters.emplace_back(*way, spec);
        bool told_end = false;
        while (!stage_->rest(progress.sleep(clock.now(), far_ ? kFarWakeNs : kWakeNs))) {
            if (stopped() || sunk_enough() || !rig_.ports().failure().empty()) stage_->stop();
            if (far_ && !far_lost_ && !turn_far_end(told_end)) give_up_far_end();
            if (clock.now() - taught_ns_ >= kTeachEveryNs) teach_all();
            if (spec.number != 0 && progress.due(clock.now())) {
                for (IntervalMeter& meter : meters) tell(meter, spec);
            }
        }
        if (far_ && !far_lost_) turn_far_end(told_end);
    }

    /// A sink alone ends with --count; frames of its last bursts come on top.
    [[nodiscard]] bool sunk_enough() const {
        const auto live = stage_->ways().front()->receiving();
        return !plan_.tx && plan_.count != 0 && live && live->frames >= plan_.count;
    }

    void tell(IntervalMeter& meter, const TrialSpec& spec) {
        const std::optional<plan::Interval> interval = meter.next(stage_->started_ns());
        if (!interval) return;
        if (plan_.interval_ns != 0) result_.intervals.push_back(*interval);
        if (options_.on_progress) {
            options_.on_progress({&*interval, spec.number, trials_, interval->end_s});
        }
    }

    plan::Plan plan_;
    const RunOptions& options_;
    Rig rig_;
    Layout layout_;
    uint32_t run_id_ = 0;
    uint32_t trials_ = 0;
    Ns taught_ns_ = 0;
    bool far_lost_ = false;
    std::string lost_words_;
    std::unique_ptr<FarEnd> far_;
    plan::RunResult result_;
    std::unique_ptr<Stage> stage_;  // last: its threads end before what they use
};

/// Whether other hosts may be behind the port that a receiving command names.
bool answers(const plan::Plan& plan) {
    return plan.command == "far" || plan.command == "reflect" ||
           (plan.command == "sink" && plan.rx && plan.rx->kind != plan::PortKind::pcap);
}

}  // namespace

plan::RunResult run(const plan::Plan& plan, const RunOptions& options) {
    return answers(plan) ? answer(plan, options) : Run(plan, options).go();
}

}  // namespace barewire::engine
