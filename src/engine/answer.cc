// SPDX-License-Identifier: BSD-3-Clause
// Waits for orders, serves trials, tells what was counted.
#include "answer.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "barewire/base/error.h"
#include "barewire/base/text.h"
#include "barewire/host/responder.h"
#include "barewire/machine/facts.h"
#include "barewire/machine/saved_runs.h"
#include "barewire/report/json.h"

#include "order.h"
#include "rig.h"
#include "stage.h"
#include "talk.h"

namespace barewire::engine {
namespace {

/// The control thread's pace: while workers run (a wake takes some 40 us from one of them where
/// each core has one), and while it alone waits for a hello.
constexpr Ns kWakeNs = 10'000'000;
constexpr auto kIdleNap = std::chrono::microseconds(500);
/// A sender that says nothing and sends nothing for so long is gone. Twice what the near end
/// grants, so that the near end is the first to know.
constexpr Ns kGoneNs = 2 * kSilenceNs;
/// Trials that an endless far end keeps for its own result.
constexpr size_t kMostTrialsKept = 1000;

/// A trial that was ordered, and by whom.
struct Job {
    control::Order order;
    wire::MacAddress from{};
    uint32_t session = 0;
};

class Answerer {
  public:
    Answerer(const plan::Plan& plan, const RunOptions& options)
        : plan_(plan),
          options_(options),
          rig_(plan_, options),
          end_(rig_.ports().end_of(&*plan_.rx)),
          talk_(*end_.channel, rig_.clock(), own_session()),
          responder_({.mac = end_.port->mac(), .ip = plan.own_ip, .udp_echo = true}) {
        result_.command = plan.command;
        result_.warnings = rig_.layout().warnings;
        result_.run_id = machine::new_run_id();
        result_.environment = rig_.environment();
        result_.environment.version = options.version;
        began_ns_ = rig_.clock().now();
        reply_.resize(largest_frame());
    }

    plan::RunResult go() {
        note(fmt::format("{} {} ready on {}, frames of up to {} bytes", plan_.command,
                         mac_text(end_.port->mac()), plan_.rx->text, largest_frame()));
        teach_now();
        try {
            while (!over()) {
                plan_.command == "far" ? wait_for_order() : listen();
                if (job_) serve(*std::exchange(job_, std::nullopt));
            }
        } catch (const DeviceError& error) {
            result_.status = plan::Status::failed;
            result_.errors.emplace_back(error.what());
        }
        linger();
        if (stopped() && result_.status == plan::Status::ok) {
            result_.status = plan::Status::interrupted;
        }
        return std::move(result_);
    }

  private:
    static uint32_t own_session() {
        return static_cast<uint32_t>(std::stoul(machine::new_run_id(), nullptr, 16));
    }
    [[nodiscard]] uint32_t largest_frame() const {
        return std::min(end_.port->facts().max_frame, Ports::largest_frame(plan_, *plan_.rx));
    }
    [[nodiscard]] bool answers_hosts() const { return plan_.command != "sink"; }
    [[nodiscard]] bool stopped() const {
        return options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed);
    }
    [[nodiscard]] bool over() const {
        const bool time_up =
            plan_.duration_ns != 0 && rig_.clock().now() - began_ns_ >= plan_.duration_ns;
        const bool enough = plan_.count != 0 && before_ + seen_ >= plan_.count;
        return stopped() || time_up || enough || served_run_;
    }
    void note(const std::string& words) const {
        if (options_.on_note) options_.on_note(words);
    }
    void teach_now() {
        taught_ns_ = rig_.clock().now();
        teach(*end_.channel);
    }

    // --- what comes ----------------------------------------------------------------------------

    /// Takes in messages, answers other hosts, teaches the switch. True if anything came.
    bool turn() {
        const bool any = talk_.poll([this](std::span<const uint8_t> frame) {
            if (!answers_hosts() || frame.size() > reply_.size()) return;
            const size_t length = responder_.answer(frame, reply_);
            if (length != 0) end_.channel->send({reply_.data(), length});
        });
        while (auto heard = talk_.next()) take(std::move(*heard));
        if (rig_.clock().now() - taught_ns_ >= kTeachEveryNs) teach_now();
        return any;
    }

    void take(Heard heard) {
        if (std::holds_alternative<control::Hello>(heard.content)) {
            talk_.tell(heard.from, here());
            return;
        }
        if (serving_ && heard.from == serving_->from && heard.session == serving_->session) {
            heard_ns_ = rig_.clock().now();
        }
        if (auto* order = std::get_if<control::Order>(&heard.content)) {
            take_order({.order = std::move(*order), .from = heard.from, .session = heard.session});
        } else if (auto* end = std::get_if<control::End>(&heard.content)) {
            if (serving_ && end->run == serving_->order.run &&
                end->trial == serving_->order.trial &&
                end->offered.size() == serving_->order.to_far_streams) {
                end_of_trial_ = std::move(*end);
            }
        } else if (const auto* bye = std::get_if<control::Bye>(&heard.content)) {
            if (run_ == bye->run) end_run();
        }
    }

    void take_order(Job job) {
        const bool known = serving_ && job.order.run == serving_->order.run &&
                           job.order.trial == serving_->order.trial;
        if (known) return;  // another copy
        if (const std::string why = why_not(job); !why.empty()) {
            talk_.tell(job.from, control::Refused{why});
        } else {
            job_ = std::move(job);
        }
    }

    [[nodiscard]] std::string why_not(const Job& job) const {
        if (plan_.command == "reflect") return "it reflects, and counts nothing";
        const bool of_others =
            job_ || (serving_ && (serving_->from != job.from || serving_->session != job.session));
        if (of_others) {
            return fmt::format("it is at work for {}",
                               mac_text(job_ ? job_->from : serving_->from));
        }
        if (job.order.frame_size > largest_frame()) {
            return fmt::format("frames of {} bytes, it takes at most {}", job.order.frame_size,
                               largest_frame());
        }
        if (job.order.from_far_streams > generators()) {
            return fmt::format("{} senders are asked of it, it has {}", job.order.from_far_streams,
                               generators());
        }
        return {};
    }

    [[nodiscard]] uint32_t generators() const {
        return static_cast<uint32_t>(rig_.layout().ways.back().generator_cores.size());
    }

    [[nodiscard]] control::Here here() const {
        return {.version = options_.version,
                .role = plan_.command,
                .max_frame = largest_frame(),
                .generators = generators(),
                .sinks = static_cast<uint32_t>(rig_.layout().ways.front().sink_cores.size()),
                .machine = machine::boot_id(),
                .environment = report::to_json(result_.environment)};
    }

    // --- between runs --------------------------------------------------------------------------

    /// The control thread alone is awake: a far end may wait for days.
    void wait_for_order() {
        while (!over() && !job_) {
            if (!turn()) std::this_thread::sleep_for(kIdleNap);
        }
    }

    /// Workers take what comes of anybody: a sink counts it, a reflector sends it back.
    void listen() {
        Stage stage({plan_, rig_.layout(), own_session(), &rig_.clock(), rig_.ports()});
        const TrialSpec spec{.number = 1, .frame_size = 0, .window_ns = time_left()};
        meter_.reset();
        stage.begin(spec);
        while (!stage.rest(kWakeNs)) {
            turn();
            progress(stage, spec);
            if (over() || job_) stage.stop();
        }
        plan::TrialResult trial = settle(stage).front();
        const bool anything = trial.foreign.value_or(0) != 0 || plan_.command == "reflect";
        if (anything || (!job_ && result_.trials.empty())) keep(std::move(trial));
    }

    [[nodiscard]] Ns time_left() const {
        if (plan_.duration_ns == 0) return 0;
        return std::max<Ns>(1, plan_.duration_ns - (rig_.clock().now() - began_ns_));
    }

    // --- a trial -------------------------------------------------------------------------------

    void serve(const Job& job) {
        serving_ = &job;
        run_ = job.order.run;
        end_of_trial_.reset();
        meter_.reset();
        told_ready_ = told_end_ = lost_ = false;
        heard_ns_ = rig_.clock().now();
        const plan::Plan plan = plan_for(job.order, plan_);
        const Layout layout = layout_for(job.order, job.from, rig_.layout(), plan);
        const TrialSpec spec = spec_for(job.order);
        {
            Stage stage({plan, layout, job.order.run, &rig_.clock(), rig_.ports()});
            teach_now();
            stage.begin(spec);
            while (!stage.rest(kWakeNs)) attend(job, stage, spec);
            std::vector<plan::TrialResult> trials = settle(stage);
            report_to(job, trials);
        }
        serving_ = nullptr;
        before_ += std::exchange(seen_, 0);
        if (!lost_) return;
        note(fmt::format("run {:08x}: {} is gone", job.order.run, mac_text(job.from)));
        end_run();
    }

    /// One wake of the control thread during a trial.
    void attend(const Job& job, Stage& stage, const TrialSpec& spec) {
        const Ns now = rig_.clock().now();
        turn();
        if (stage.started_ns() == 0) return;
        if (!told_ready_) {  // the workers poll now
            told_ready_ = true;
            talk_.tell(job.from, control::Ready{job.order.run, job.order.trial});
        }
        if (now - alive_ns_ >= kAliveEveryNs) {
            alive_ns_ = now;
            talk_.announce(job.from, control::Alive{job.order.run});
        }
        progress(stage, spec);
        WayRun& to_far = *stage.ways().front();
        if (to_far.way().rx != nullptr && !to_far.done_sending()) {
            const auto live = to_far.receiving();
            if (live && live->frames != seen_) {
                seen_ = live->frames;
                heard_ns_ = now;
            }
            if (end_of_trial_) {
                to_far.far_sent(stats::SentTotals{end_of_trial_->intended, end_of_trial_->unsent,
                                                  end_of_trial_->offered});
            } else if (over()) {
                talk_.tell(job.from, control::Refused{"it was stopped"});
                to_far.far_sent(std::nullopt);
            } else if (now - heard_ns_ > kGoneNs) {
                lost_ = true;
                to_far.far_sent(std::nullopt);
            }
        }
        WayRun& back = *stage.ways().back();
        if (back.way().tx != nullptr && back.done_sending() && !told_end_) {
            told_end_ = true;
            const stats::SentTotals sent = back.sent();
            talk_.tell(job.from, control::End{.run = job.order.run,
                                              .trial = job.order.trial,
                                              .intended = sent.intended,
                                              .unsent = sent.unsent,
                                              .offered = sent.offered});
        }
        if (over() || lost_) stage.stop();
    }

    std::vector<plan::TrialResult> settle(Stage& stage) {
        std::vector<plan::TrialResult> trials;
        for (const auto& way : stage.ways()) {
            plan::TrialResult trial = way->result();
            trial.complete = !lost_ && !stopped();
            trial.port_counters.push_back(end_.port->counters());
            for (const std::string& problem : way->notes().problems) {
                result_.errors.push_back(fmt::format("the ledger of trial {} does not add up: {}",
                                                     trial.trial, problem));
                result_.status = plan::Status::failed;
            }
            if (way->release_pools() != 0) throw DeviceError("buffers did not come back");
            trials.push_back(std::move(trial));
        }
        return trials;
    }

    void report_to(const Job& job, std::vector<plan::TrialResult>& trials) {
        control::Outcomes outcomes{.run = job.order.run, .trial = job.order.trial, .trials = {}};
        outcomes.trials = control::Json::array();
        for (const plan::TrialResult& trial : trials) {
            outcomes.trials.push_back(report::to_json(trial));
        }
        if (!lost_) talk_.tell(job.from, outcomes);
        if (job.order.trial == 0) return;
        for (plan::TrialResult& trial : trials) {
            if (trial.received) {
                note(fmt::format("run {:08x} trial {}: {} bytes, received {}, lost {}",
                                 job.order.run, trial.trial, trial.frame_size,
                                 grouped(*trial.received),
                                 trial.lost ? grouped(*trial.lost) : "unknown"));
            }
            keep(std::move(trial));
        }
    }

    void keep(plan::TrialResult trial) {
        if (result_.trials.size() == kMostTrialsKept) {
            result_.trials.erase(result_.trials.begin());
            if (dropped_++ == 0) {
                result_.warnings.push_back(
                    fmt::format("only the last {} trials are kept", kMostTrialsKept));
            }
        }
        result_.trials.push_back(std::move(trial));
    }

    /// A sink ends with the run that it served; a far end waits for the next one.
    void end_run() {
        if (plan_.command == "sink") served_run_ = true;
        if (run_ && plan_.command == "far") note(fmt::format("run {:08x} is over", *run_));
        run_.reset();
    }

    /// The last messages may have to be sent again before the port closes.
    void linger() {
        const Ns until = rig_.clock().now() + kAliveEveryNs;
        while (rig_.clock().now() < until && talk_.busy()) {
            turn();
            std::this_thread::sleep_for(kIdleNap);
        }
    }

    void progress(Stage& stage, const TrialSpec& spec) {
        const Ns every = plan_.interval_ns != 0 ? plan_.interval_ns : options_.progress_every_ns;
        const Ns now = rig_.clock().now();
        if (every == 0 || stage.started_ns() == 0) return;
        if (!meter_) {
            meter_.emplace(*stage.ways().front(), spec);
            next_interval_ns_ = stage.started_ns() + every;
        }
        if (now < next_interval_ns_) return;
        while (next_interval_ns_ <= now) next_interval_ns_ += every;
        const auto interval = meter_->next(stage.started_ns());
        if (!interval) return;
        if (plan_.interval_ns != 0) result_.intervals.push_back(*interval);
        if (options_.on_progress) {
            options_.on_progress({&*interval, spec.number, 0, interval->end_s});
        }
    }

    const plan::Plan plan_;
    const RunOptions& options_;
    Rig rig_;
    PortEnd end_;
    Talk talk_;
    host::Responder responder_;
    std::vector<uint8_t> reply_;
    plan::RunResult result_;
    Ns began_ns_ = 0;
    Ns taught_ns_ = 0;

    std::optional<Job> job_;       // to be served next
    std::optional<uint32_t> run_;  // whose trials are served
    bool served_run_ = false;      // a sink's run is over
    uint64_t dropped_ = 0;

    // Of the trial being served.
    const Job* serving_ = nullptr;
    std::optional<control::End> end_of_trial_;
    bool told_ready_ = false;
    bool told_end_ = false;
    bool lost_ = false;
    uint64_t seen_ = 0;    // frames received, when the near end was last heard of by them
    uint64_t before_ = 0;  // frames received in trials before
    Ns heard_ns_ = 0;
    Ns alive_ns_ = 0;
    std::optional<IntervalMeter> meter_;
    Ns next_interval_ns_ = 0;
};

}  // namespace

plan::RunResult answer(const plan::Plan& plan, const RunOptions& options) {
    // A memif is ready once its other side is there, a NIC once its link is.
    if (options.on_note) options.on_note("opening " + plan.rx->text);
    return Answerer(plan, options).go();
}

}  // namespace barewire::engine
