// SPDX-License-Identifier: BSD-3-Clause
// The verdict: what the workers' counts say, and commands that follow from what happened.
#include "barewire/plan/verdict.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace barewire::plan {
namespace {

/// A worker that moved frames in fewer turns than this waits for something else.
constexpr double kBusy = 0.95;
/// Shares of a generator's turns in which the port or the pool made it wait.
constexpr double kSeldom = 0.01;
constexpr double kOften = 0.1;

/// Counts of all workers of one role, over all trials.
struct Role {
    Count turns = 0, productive = 0, short_sends = 0, pool_empty = 0;

    [[nodiscard]] double busy() const {
        return turns == 0 ? 0 : static_cast<double>(productive) / static_cast<double>(turns);
    }
    [[nodiscard]] double waits() const {
        const double waited = static_cast<double>(short_sends) + static_cast<double>(pool_empty);
        return turns == 0 ? 0 : waited / static_cast<double>(turns);
    }
};

Role role_of(const RunResult& result, std::string_view name) {
    Role role;
    for (const TrialResult& trial : result.trials) {
        for (const WorkerResult& worker : trial.workers) {
            if (worker.role != name) continue;
            role.turns += worker.turns;
            role.productive += worker.productive_turns;
            role.short_sends += worker.short_sends;
            role.pool_empty += worker.pool_empty;
        }
    }
    return role;
}

Count total(const RunResult& result, MaybeCount TrialResult::*count) {
    Count sum = 0;
    for (const TrialResult& trial : result.trials) sum += (trial.*count).value_or(0);
    return sum;
}

bool paced(const RunResult& result) {
    return std::all_of(result.trials.begin(), result.trials.end(),
                       [](const TrialResult& trial) { return trial.target_fps.has_value(); });
}

/// Did every trial fill the speed that is enforced?
bool at_line_rate(const RunResult& result) {
    constexpr double kFull = 0.999;
    return std::all_of(result.trials.begin(), result.trials.end(), [](const TrialResult& trial) {
        return trial.line_rate_ratio.value_or(0) >= kFull;
    });
}

std::string limit_of(const RunResult& result, const Role& generate, const Role& sink) {
    if (result.trials.empty() || generate.turns == 0) return "unknown";
    if (paced(result)) return total(result, &TrialResult::unsent) == 0 ? "none" : "unknown";
    if (at_line_rate(result)) return "wire";
    // At the highest rate something always limits: what seldom had to wait. That a full wire means
    // a slow sink holds for the embedded one alone, which has no speed.
    if (generate.waits() <= kSeldom) return "generator-cpu";
    const bool embedded =
        std::all_of(result.trials.begin(), result.trials.end(),
                    [](const TrialResult& trial) { return trial.wire.has_value(); });
    const bool waits = generate.waits() >= kOften && sink.turns > 0 && sink.busy() >= kBusy;
    return embedded && waits ? "sink-cpu" : "unknown";
}

std::string percent(double share) {
    return fmt::format("{:.0f}%", std::min(share, 1.0) * 100);
}

/// Share of the workers' time that stalls took, over all trials.
double stalled_share(const RunResult& result) {
    double stalled = 0;
    double time = 0;
    for (const TrialResult& trial : result.trials) {
        stalled += static_cast<double>(trial.stalls.total_ns);
        time += trial.duration_s * 1e9 * static_cast<double>(trial.workers.size());
    }
    return time > 0 ? stalled / time : 0;
}

std::string workers_in_words(const Role& generate, const Role& sink) {
    std::string words;
    if (generate.turns > 0) {
        words = fmt::format("generator busy {}, had to wait {} of its turns",
                            percent(generate.busy()), percent(generate.waits()));
    }
    if (sink.turns > 0) {
        words += fmt::format("{}sink busy {}", words.empty() ? "" : "; ", percent(sink.busy()));
    }
    return words;
}

std::vector<std::string> evidence_of(const RunResult& result, const std::string& limit,
                                     const Role& generate, const Role& sink) {
    std::vector<std::string> evidence;
    if (limit == "generator-cpu") {
        evidence.emplace_back("the generator is the limit: the port seldom made it wait");
    } else if (limit == "sink-cpu") {
        evidence.emplace_back("the sink is the limit: always busy, and the generator had to wait");
    } else if (limit == "wire") {
        evidence.emplace_back("the wire is the limit: its speed was reached at every size");
    } else if (limit == "none") {
        evidence.emplace_back("no limit was met: all that the rate asked for was sent");
    }
    constexpr double kWorthSaying = 0.01;
    if (const double share = stalled_share(result); share >= kWorthSaying) {
        evidence.push_back(
            fmt::format("the machine took the cores away for {} of the time", percent(share)));
    }
    const std::string workers = workers_in_words(generate, sink);
    if (!workers.empty()) evidence.push_back(workers);
    return evidence;
}

/// As a shell takes it for one word.
std::string shell_word(const std::string& text) {
    constexpr std::string_view kSafe =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=.,:/%+@";
    if (!text.empty() && text.find_first_not_of(kSafe) == std::string::npos) return text;
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

/// The command with the ports and the wire of this run, where they are not the defaults.
std::string same_place(const RunResult& result) {
    std::string line = "barewire " + result.command;
    for (const auto& [name, value] : result.effective) {
        const bool place = name == "port" || name == "tx" || name == "rx" || name == "wire";
        if (name == "both-ways" && value == "true") line += " --both-ways";
        if (name == "far" && value != "none") {
            line += value == "link" ? " --far" : " --far " + shell_word(value);
        }
        const bool usual = value.empty() || (name == "tx" && value == "wire:a") ||
                           (name == "rx" && value == "wire:b");
        if (place && !usual) line += fmt::format(" --{} {}", name, shell_word(value));
    }
    return line;
}

/// A rate as --rate takes it, not above `fps`.
std::string rate_below(double fps) {
    if (fps >= 1e6) return fmt::format("{:g}Mpps", std::floor(fps / 1e4) / 100);
    if (fps >= 1e3) return fmt::format("{:g}kpps", std::floor(fps / 10) / 100);
    return fmt::format("{}pps", std::max(1.0, std::floor(fps)));
}

/// The trial that lost the largest share, or nothing.
const TrialResult* worst(const RunResult& result) {
    const TrialResult* worst = nullptr;
    double most = 0;
    for (const TrialResult& trial : result.trials) {
        if (!trial.lost || !trial.offered || *trial.offered == 0) continue;
        const double share = static_cast<double>(*trial.lost) / static_cast<double>(*trial.offered);
        if (share > most) {
            most = share;
            worst = &trial;
        }
    }
    return worst;
}

/// Did the embedded wire itself take frames out or damage them? Then a lower rate changes nothing.
bool wire_did_it(const RunResult& result) {
    return std::any_of(result.trials.begin(), result.trials.end(), [](const TrialResult& trial) {
        return trial.wire && trial.wire->entered != trial.wire->delivered;
    });
}

void next_after_loss(const RunResult& result, std::vector<std::string>& next) {
    const TrialResult* trial = worst(result);
    if (trial == nullptr || wire_did_it(result)) return;
    const std::string line = fmt::format("{} --size {}", same_place(result), trial->frame_size);
    constexpr double kLower = 0.9;
    if (trial->rx.fps && std::isfinite(*trial->rx.fps) && *trial->rx.fps > 0) {
        next.push_back(fmt::format("{} --rate {}  # a tenth slower: still lost?", line,
                                   rate_below(*trial->rx.fps * kLower)));
    }
}

void next_after_unsent(const RunResult& result, std::vector<std::string>& next) {
    for (const TrialResult& trial : result.trials) {
        if (trial.unsent.value_or(0) == 0 || !trial.complete) continue;
        if (!trial.target_fps || !std::isfinite(*trial.target_fps)) continue;
        next.push_back(fmt::format(
            "{} --size {} --rate {} --late catch-up=100ms"
            "  # ride out longer stalls",
            same_place(result), trial.frame_size, rate_below(*trial.target_fps * (1 + 1e-9))));
        return;
    }
}

void next_after_corruption(const RunResult& result, std::vector<std::string>& next) {
    const bool unchecked =
        std::all_of(result.trials.begin(), result.trials.end(),
                    [](const TrialResult& trial) { return trial.payload_check == "none"; });
    if (unchecked && total(result, &TrialResult::corrupted) > 0) {
        next.push_back(same_place(result) + " --payload-check  # are contents damaged too?");
    }
}

/// After a run with nothing to look into: what else can be found out here.
void next_after_success(const RunResult& result, std::vector<std::string>& next) {
    if (result.command != "stress" || total(result, &TrialResult::lost) > 0) return;
    const TrialResult& first = result.trials.front();
    if (!first.target_fps && first.offered && first.duration_s > 0) {
        // 10GbE's rate of 64-byte frames where that is within reach, else half of what was.
        constexpr double kTenGigabit = 14.88e6;
        const double reached = static_cast<double>(*first.offered) / first.duration_s;
        const bool within = first.frame_size == 64 && reached > kTenGigabit;
        next.push_back(fmt::format("{} --size {} --rate {}  # latency without a queue",
                                   same_place(result), first.frame_size,
                                   rate_below(within ? kTenGigabit : reached / 2)));
    }
    if (first.wire && first.wire->entered == first.wire->delivered) {
        next.push_back("barewire stress --wire loss=1e-3,duplicate=1e-4  # a bad wire, found out");
    }
}

}  // namespace

VerdictResult judge_run(const RunResult& result) {
    const Role generate = role_of(result, "generate");
    const Role sink = role_of(result, "sink");
    VerdictResult verdict;
    verdict.limit = limit_of(result, generate, sink);
    verdict.evidence = evidence_of(result, verdict.limit, generate, sink);
    if (result.trials.empty() || result.status == Status::interrupted) return verdict;
    next_after_loss(result, verdict.next);
    next_after_unsent(result, verdict.next);
    next_after_corruption(result, verdict.next);
    if (verdict.next.empty() && result.status == Status::ok) {
        next_after_success(result, verdict.next);
    }
    return verdict;
}

}  // namespace barewire::plan
