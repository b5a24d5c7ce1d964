// SPDX-License-Identifier: BSD-3-Clause
// The way of every command, and the few words that are no command.
#include "job.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <new>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "barewire/base/error.h"
#include "barewire/machine/saved_runs.h"
#include "barewire/plan/expect.h"
#include "barewire/plan/guard.h"
#include "barewire/plan/verdict.h"

#include "command.h"
#include "finish.h"
#include "help.h"
#include "judge.h"
#include "progress.h"
#include "signals.h"
#include "terminal.h"
#include "words.h"

namespace barewire::cli {
namespace {

using Args = std::vector<std::string>;
using Problems = std::vector<std::string>;

/// A text that was asked for. A closed pipe is its reader's choice, not a failure.
int show(const std::string& text, const Host& host) {
    std::fwrite(text.data(), 1, text.size(), host.out);
    std::fflush(host.out);
    return kDone;
}

/// RFC 3339, local time with its offset.
std::string now_in_words() {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    localtime_r(&now, &local);
    const long minutes = local.tm_gmtoff / 60;
    return fmt::format("{:%Y-%m-%dT%H:%M:%S}{}{:02}:{:02}", local, minutes < 0 ? '-' : '+',
                       std::abs(minutes) / 60, std::abs(minutes) % 60);
}

/// One command, from its arguments to its exit status.
class Job {
  public:
    Job(const CommandInfo& command, const Args& args, const Host& host)
        : command_(command),
          args_(args),
          host_(host),
          started_(now_in_words()),
          request_(parse_request(command.name, command.bit, {args.begin() + 2, args.end()},
                                 read_config_file)) {}

    int go();

  private:
    [[nodiscard]] plan::RunResult result_of(plan::Status status, Problems errors = {}) const;
    void describe(plan::RunResult& result) const;
    int refuse(Problems problems) const;
    int answer() const;
    plan::RunResult run() const;

    const CommandInfo& command_;
    const Args& args_;
    const Host& host_;
    std::string started_;
    Request request_;
    plan::Plan plan_;
};

plan::RunResult Job::result_of(plan::Status status, Problems errors) const {
    plan::RunResult result;
    result.status = status;
    result.errors = std::move(errors);
    return result;
}

/// What only the command line knows.
void Job::describe(plan::RunResult& result) const {
    result.command = command_.name;
    result.command_line = args_;
    result.effective = request_.effective();
    if (request_.has("label")) result.label = request_.value("label");
    result.lifted = plan::guard(plan_, host_.machine.network).lifted;
    result.version = BAREWIRE_VERSION;
    if (result.started.empty()) result.started = started_;
    if (result.run_id.empty()) result.run_id = machine::new_run_id();
}

int Job::refuse(Problems problems) const {
    plan::RunResult result = result_of(plan::Status::failed, std::move(problems));
    describe(result);
    return finish_refused(result, request_, host_);
}

/// Runs the plan. Throws ConfigError; every other failure is in the result.
plan::RunResult Job::run() const {
    if (SignalGuard::stop()) return result_of(plan::Status::interrupted);
    ProgressView view(request_, plan_, host_);
    engine::RunOptions options;
    options.stop = &SignalGuard::stop();
    options.progress_every_ns = view.every_ns();
    options.on_progress = [&view](const engine::Progress& progress) { view.show(progress); };
    options.version = BAREWIRE_VERSION;
    // For an end that waits for others, a script waits for these lines; else they are for people.
    if (command_.bit == kFar || command_.bit == kSink || command_.bit == kReflect ||
        is_terminal(host_.err)) {
        options.on_note = [&](const std::string& words) {
            view.finish();
            fmt::print(host_.err, "barewire: {}\n", words);
            std::fflush(host_.err);
        };
    }
    try {
        return host_.run(plan_, options);
    } catch (const ConfigError&) {
        throw;
    } catch (const std::bad_alloc&) {
        // Workers' tables are made before the first frame: more was asked for than there is.
        throw ConfigError("not enough memory: fewer --flows, a smaller --size or fewer --cores");
    } catch (const std::exception& error) {
        return result_of(plan::Status::failed, {error.what()});
    }
}

/// Expectations, and the ledger: what turns a finished run into a failed one.
void pass_judgement(const plan::Plan& plan, plan::RunResult& result) {
    const size_t before = result.errors.size();
    for (const plan::TrialResult& trial : result.trials) {
        for (const plan::Expectation& expectation : plan.expect) {
            if (!trial.complete) continue;
            const auto broken = plan::evaluate_expectation(expectation, trial);
            if (broken) result.errors.push_back(*broken);
        }
    }
    const bool settled = std::all_of(result.trials.begin(), result.trials.end(),
                                     [](const auto& trial) { return trial.ledger_adds_up; });
    if (!settled && before == 0) {
        result.errors.emplace_back("the ledger of a trial does not add up");
    }
    if (result.errors.size() > before) result.status = plan::Status::failed;
}

/// A command that runs no plan.
int Job::answer() const {
    Problems problems = request_.problems;
    for (std::string& more : judge_reports(request_)) problems.push_back(std::move(more));
    if (!problems.empty()) return refuse(std::move(problems));
    plan::RunResult result = result_of(plan::Status::ok);
    describe(result);
    return command_.answer(request_, result, host_);
}

int Job::go() {
    if (request_.help) return show(command_help(command_), host_);
    if (command_.answer != nullptr) return answer();
    Problems problems = request_.problems;
    Problems notes;
    plan_ = judge(command_, request_, problems, notes);
    for (const Problems& more :
         {plan::validate(plan_, host_.machine), judge_files(request_, plan_)}) {
        problems.insert(problems.end(), more.begin(), more.end());
    }
    if (!problems.empty()) return refuse(std::move(problems));

    plan::RunResult result;
    try {
        result = run();
    } catch (const ConfigError& error) {
        return refuse(error.problems());
    }
    for (const Problems& more : {plan::cautions(plan_), notes}) {
        result.warnings.insert(result.warnings.end(), more.begin(), more.end());
    }
    describe(result);
    pass_judgement(plan_, result);
    result.verdict = plan::judge_run(result);
    return finish_run(result, request_, host_);
}

/// Not a command: said on standard error, and as a result if a place for it was named.
int no_command(const Args& args, const Host& host) {
    Request request = parse_request(args[1], ~0U, {args.begin() + 2, args.end()}, read_config_file);
    plan::RunResult result;
    result.command = args[1];
    result.command_line = args;
    result.version = BAREWIRE_VERSION;
    result.started = now_in_words();
    result.run_id = machine::new_run_id();
    result.status = plan::Status::failed;
    const bool option = args[1].starts_with("-");
    result.errors = {option ? fmt::format("{} stands before a command: write barewire stress {} "
                                          "or barewire --help",
                                          quote(args[1]), args[1])
                            : unknown_command(args[1])};
    return finish_refused(result, request, host);
}

}  // namespace

int run_program(const std::vector<std::string>& args, const Host& host) {
    const SignalGuard guard;
    if (args.size() < 2) return show(first_steps(), host);
    const std::string& word = args[1];
    if (word == "--version") return show(fmt::format("barewire {}\n", BAREWIRE_VERSION), host);
    if (word == "--print-defaults") return show(defaults_page(), host);
    const bool help = word == "help" || word == "--help" || word == "-h";
    if (help && args.size() == 2) return show(overview(), host);
    const CommandInfo* command = find_command(help ? args[2] : word);
    if (command == nullptr && help) return no_command({args.begin() + 1, args.end()}, host);
    if (command == nullptr) return no_command(args, host);
    if (help) return show(command_help(*command), host);
    return Job(*command, args, host).go();
}

}  // namespace barewire::cli
