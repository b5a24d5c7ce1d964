// SPDX-License-Identifier: BSD-3-Clause
// The answer: one word, then as few sentences as tell it.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "page.h"

namespace barewire::report {
namespace {

/// Sizes that a sentence names one by one.
constexpr size_t kMostNamed = 4;

/// What happened to the frames of one size, over its directions and repeats.
struct Size {
    std::string name;
    uint64_t lost = 0;
    uint64_t of = 0;  // frames that could be lost
};

std::vector<Size> by_size(const Run& run) {
    std::vector<Size> sizes;
    for (const Json* trial : run.trials()) {
        const std::string name = size_name(*trial);
        auto at = std::find_if(sizes.begin(), sizes.end(),
                               [&](const Size& size) { return size.name == name; });
        if (at == sizes.end()) at = sizes.insert(sizes.end(), Size{name});
        const uint64_t lost = count_at(*trial, "lost").value_or(0);
        const auto offered = count_at(*trial, "offered");
        at->lost = add(at->lost, lost);
        at->of =
            add(at->of, offered ? *offered : add(lost, count_at(*trial, "received").value_or(0)));
    }
    return sizes;
}

std::string names(const std::vector<Size>& sizes) {
    if (sizes.size() > kMostNamed) {
        return fmt::format("{} sizes from {} to {}", sizes.size(), sizes.front().name,
                           sizes.back().name);
    }
    std::vector<std::string> list;
    list.reserve(sizes.size());
    for (const Size& size : sizes) list.push_back(size.name);
    return listed(list);
}

std::string bytes(const std::vector<Size>& sizes) {
    const std::string all = names(sizes);
    return all == "any" ? "any size" : all + " bytes";
}

/// Where all of the loss went, if it went one way; else that it is told further down.
std::string place_of_loss(const Run& run) {
    const auto& [sender, receiver] = run.port_owners();
    const std::array<std::pair<const char*, std::string>, 5> places = {{
        {"tx_port", fmt::format("by {} port, sending", sender)},
        {"path", run.medium() == "wire" ? "on the wire" : "in the path between the ports"},
        {"rx_damaged", fmt::format("by {} port, as bad frames", receiver)},
        {"rx_missed", fmt::format("by {} port: nobody fetched them in time", receiver)},
        {"rx_no_buffer", fmt::format("by {} port, for lack of buffers", receiver)},
    }};
    const std::string* place = nullptr;
    for (const auto& [key, words] : places) {
        for (const Json* trial : run.trials()) {
            if (count_at(part(*trial, "lost_by"), key).value_or(0) == 0) continue;
            if (place != nullptr && place != &words) return "";
            place = &words;
        }
    }
    return place == nullptr ? "" : fmt::format(", {}", *place);
}

std::string loss_sentences(const Run& run) {
    std::vector<Size> hurt;
    std::vector<Size> whole;
    for (Size& size : by_size(run)) (size.lost > 0 ? hurt : whole).push_back(std::move(size));
    std::sort(hurt.begin(), hurt.end(), [](const Size& a, const Size& b) {
        return static_cast<double>(a.lost) * static_cast<double>(b.of) >
               static_cast<double>(b.lost) * static_cast<double>(a.of);
    });
    std::string text;
    const size_t named = hurt.size() > kMostNamed ? 1 : hurt.size();
    for (size_t i = 0; i < named; ++i) {
        text += fmt::format("{}{}: {} lost", i > 0 ? "; " : "",
                            hurt[i].name == "any" ? "frames" : hurt[i].name + "-byte frames",
                            loss_share(hurt[i].lost, hurt[i].of));
    }
    if (named < hurt.size()) text += fmt::format(", and less at {} other sizes", hurt.size() - 1);
    text += place_of_loss(run) + ".";
    if (!whole.empty()) text += fmt::format(" {}: nothing lost.", names(whole));
    return text;
}

std::string damage(const Run& run) {
    std::vector<std::string> list;
    for (const char* key : {"duplicated", "reordered", "corrupted", "surplus"}) {
        const uint64_t total = run.total(key).value_or(0);
        if (total > 0) list.push_back(fmt::format("{} {}", grouped(total), key));
    }
    return listed(list);
}

/// The most frames and the most bits a second of any trial.
std::string best_rates(const Run& run) {
    const Json* fastest = nullptr;
    const Json* widest = nullptr;
    for (const Json* trial : run.trials()) {
        const auto fps = frames_rate(*trial);
        const auto l1 = l1_rate(*trial);
        if (fps && (fastest == nullptr || *fps > *frames_rate(*fastest))) fastest = trial;
        if (l1 && (widest == nullptr || *l1 > *l1_rate(*widest))) widest = trial;
    }
    if (fastest == nullptr || widest == nullptr) return "";
    std::string text = frame_rate(*frames_rate(*fastest));
    if (fastest != widest) text += " at " + run.name_of(*fastest);
    text += fmt::format(", {} on L1", bit_rate(*l1_rate(*widest)));
    if (run.trials().size() > 1) text += " at " + run.name_of(*widest);
    return text;
}

std::string rates_sentence(const Run& run) {
    const std::string best = best_rates(run);
    if (best.empty()) return "";
    return fmt::format(" {}{}.", run.trials().size() > 1 ? "Up to " : "", best);
}

std::string unsent_sentence(const Run& run) {
    const uint64_t unsent = run.total("unsent").value_or(0);
    const uint64_t intended = run.total("intended").value_or(0);
    if (unsent == 0 || intended == 0) return "";
    return fmt::format("{} of {} intended frames never left", grouped(unsent), grouped(intended));
}

/// What the figures say, whatever became of the run.
std::string facts(const Run& run) {
    if (run.trials().empty()) return "";
    if (word_at(run.json(), "command") == "reflect") {
        return fmt::format("{} messages sent back.", grouped(run.total("offered").value_or(0)));
    }
    if (run.total("lost").value_or(0) > 0) return loss_sentences(run);
    const std::string harm = damage(run);
    const std::string late = unsent_sentence(run);
    if (!run.receives()) {
        if (run.total("offered").value_or(0) == 0) return "nothing was sent.";
        if (!late.empty()) return late + "." + rates_sentence(run);
        return fmt::format("sent at {}.{}", bytes(by_size(run)), rates_sentence(run));
    }
    if (run.total("received").value_or(0) == 0) {
        const uint64_t foreign = run.total("foreign").value_or(0);
        if (foreign == 0) return "no frame was received.";
        return fmt::format("no probe frame was received, {} foreign ones.", grouped(foreign));
    }
    const bool known = run.total("lost").has_value();
    if (!harm.empty()) return fmt::format("{}{}.", known ? "nothing lost, but " : "", harm);
    if (!late.empty()) return fmt::format("nothing lost, but {}.", late);
    const std::string rates = rates_sentence(run);
    if (!known) return fmt::format("received at {}.{}", bytes(by_size(run)), rates);
    // A sink alone cannot know what followed the last frame that it saw.
    if (!run.sends()) return "nothing lost up to the last frame seen." + rates;
    return fmt::format("nothing lost at {}.{}", bytes(by_size(run)), rates);
}

std::string medium_words(const Run& run) {
    const std::string medium = run.medium();
    if (medium == "wire") return "embedded wire: memory of this process, no NIC involved";
    if (medium == "null") return "null port: frames are discarded in this process, no NIC involved";
    if (medium == "pcap") return "capture file: no NIC involved";
    if (medium == "af_packet") return "af_packet: through the kernel's driver, not its stack";
    if (medium == "af_xdp") return "af_xdp: through the kernel's driver, not its stack";
    if (medium == "memif") return "memif: memory shared by two processes, no NIC involved";
    if (medium == "tap") return "tap: into this host's kernel, no NIC involved";
    return "";
}

}  // namespace

std::string answer_word(const Run& run) {
    const std::string status = word_at(run.json(), "status");
    if (status == "failed") return "FAIL";
    if (status == "interrupted") return "PART";
    if (run.trials().empty()) return "NONE";
    if (run.total("lost").value_or(0) > 0) return "LOSS";
    if (run.receives() ? run.total("received").value_or(0) == 0
                       : run.total("offered").value_or(0) == 0) {
        return "NONE";
    }
    if (!damage(run).empty()) return "FLAW";
    return run.total("unsent").value_or(0) > 0 ? "SHORT" : "OK";
}

void put_answer(Page& page, const Run& run) {
    const std::string word = answer_word(run);
    std::vector<std::string> lines = words_at(run.json(), "errors");
    if (word == "PART") lines.emplace_back("interrupted: this is the result so far.");
    if (const std::string text = facts(run); !text.empty()) lines.push_back(text);
    if (lines.empty()) lines.emplace_back(word == "NONE" ? "no trial was run." : "the run failed.");
    if (const std::string medium = medium_words(run); !medium.empty()) {
        lines.insert(lines.begin(), medium);
    }
    for (size_t i = 0; i < lines.size(); ++i) page.section(i == 0 ? word : "", lines[i]);
    for (const std::string& warning : words_at(run.json(), "warnings")) {
        page.section("WARN", warning);
    }
}

}  // namespace barewire::report
