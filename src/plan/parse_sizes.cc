// SPDX-License-Identifier: BSD-3-Clause
// The grammar of --size.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "barewire/base/knobs.h"
#include "barewire/base/text.h"
#include "barewire/base/units.h"
#include "barewire/plan/parse.h"

#include "sentences.h"

namespace barewire::plan {
namespace {

constexpr std::string_view kGrammar =
    "a size is written as in 1518, 64-1518+64, mtu:9000 or rfc2544";

/// A frame size, or the limit that the number breaks and what sets it.
Parsed<uint32_t> parse_size(std::string_view text) {
    const auto any = parse_integer(text, 0, ~0ULL);
    if (!any) return Parsed<uint32_t>::bad(fmt::format("{}: {}", printable(text), kGrammar));
    if (*any < kMinFrameSize) {
        return Parsed<uint32_t>::bad(fmt::format(
            "{}: Ethernet's smallest frame is {} bytes, FCS included (IEEE 802.3); use {} or more",
            printable(text), kMinFrameSize, kMinFrameSize));
    }
    if (*any > kMaxFrameSize) {
        return Parsed<uint32_t>::bad(
            fmt::format("{}: the largest frame is {} bytes, set by the 16-bit lengths of IPv4 and "
                        "of a DPDK buffer; use {} or less",
                        printable(text), grouped(kMaxFrameSize), kMaxFrameSize));
    }
    return Parsed<uint32_t>::good(static_cast<uint32_t>(*any));
}

class SizeList {
  public:
    SizeList(Sentences& problems, Sentences& notes) : problems_(problems), notes_(notes) {}

    void add(std::string_view part) {
        if (part == "rfc2544") {
            sizes_.insert(sizes_.end(), kRfc2544Sizes.begin(), kRfc2544Sizes.end());
        } else if (part.starts_with("mtu:")) {
            add_mtu(part, part.substr(4));
        } else if (part == "imix" || part.starts_with("random:")) {
            refuse(part, "mixes of sizes are not in this version; name single sizes", problems_);
        } else if (part.find('-') != part.npos) {
            add_range(part);
        } else {
            add_single(part);
        }
    }
    [[nodiscard]] bool full() const { return sizes_.size() > kMaxSizes; }
    [[nodiscard]] std::vector<uint32_t> take(std::string_view text) {
        if (full()) {
            refuse(text,
                   fmt::format("more than the {} sizes that one run may have; name fewer or "
                               "take larger steps",
                               grouped(kMaxSizes)),
                   problems_);
        }
        return std::move(sizes_);
    }

  private:
    /// Once each, however often it was typed.
    void note(std::string sentence) {
        if (std::find(notes_.begin(), notes_.end(), sentence) == notes_.end()) {
            notes_.push_back(std::move(sentence));
        }
    }

    void add_single(std::string_view part) {
        const auto size = parse_size(part);
        if (!size) {
            problems_.push_back(size.problem);
            return;
        }
        sizes_.push_back(*size);
        if (*size == 1500 || *size == 9000) {
            note(fmt::format(
                "{0}: frames of {0} bytes with FCS, as asked; the full frame of MTU {0} is {1} "
                "(mtu:{0})",
                *size, *size + kMtuToFrame));
        }
    }

    void add_mtu(std::string_view part, std::string_view number) {
        const auto mtu =
            parse_integer(number, kMinFrameSize - kMtuToFrame, kMaxFrameSize - kMtuToFrame);
        if (mtu) {
            sizes_.push_back(static_cast<uint32_t>(*mtu) + kMtuToFrame);
        } else {
            refuse(part,
                   fmt::format("an MTU is {} to {}, for frames of {} to {} bytes",
                               kMinFrameSize - kMtuToFrame, grouped(kMaxFrameSize - kMtuToFrame),
                               kMinFrameSize, grouped(kMaxFrameSize)),
                   problems_);
        }
    }

    void add_range(std::string_view part) {
        const size_t dash = part.find('-');
        const size_t plus = part.find('+', dash);
        if (plus == part.npos) {
            refuse(part, "a range needs its step, as in 64-1518+64", problems_);
            return;
        }
        const auto first = parse_size(part.substr(0, dash));
        const auto last = parse_size(part.substr(dash + 1, plus - dash - 1));
        const auto step = parse_integer(part.substr(plus + 1), 1, kMaxFrameSize);
        if (!first) problems_.push_back(first.problem);
        if (!last) problems_.push_back(last.problem);
        if (!step) refuse(part, "its step is 1 or more, as in 64-1518+64", problems_);
        if (!first || !last || !step) return;
        if (*first > *last) {
            refuse(part, fmt::format("it counts downwards; use {}-{}+{}", *last, *first, *step),
                   problems_);
            return;
        }
        count_out(part, *first, *last, static_cast<uint32_t>(*step));
    }

    /// Stops one beyond the limit, which take() then reports.
    void count_out(std::string_view part, uint32_t first, uint32_t last, uint32_t step) {
        for (uint32_t size = first; size <= last && !full(); size += step) {
            sizes_.push_back(size);
        }
        const uint32_t missed = (last - first) % step;
        if (missed != 0) {
            note(fmt::format("{}: the steps end at {}; add ,{} to measure {} too", printable(part),
                             last - missed, last, last));
        }
    }

    std::vector<uint32_t> sizes_;
    Sentences& problems_;
    Sentences& notes_;
};

}  // namespace

std::vector<uint32_t> parse_sizes(std::string_view text, Sentences& problems, Sentences& notes) {
    SizeList list(problems, notes);
    const size_t before = problems.size();
    for (const std::string_view part : split(text, ',')) {
        list.add(part);
        if (list.full() || problems.size() >= before + kMaxListed) break;
    }
    return list.take(text);
}

}  // namespace barewire::plan
