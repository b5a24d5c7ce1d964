// SPDX-License-Identifier: BSD-3-Clause
// --wire: any text is parsed or refused in printable lines; what is parsed survives the round trip.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "barewire/base/check.h"
#include "barewire/link/wire_spec.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    std::vector<std::string> problems;
    const auto spec = barewire::link::parse_wire(text, problems);
    for (const std::string& problem : problems) {
        BW_CHECK(!problem.empty());
        BW_CHECK(std::all_of(problem.begin(), problem.end(),
                             [](char c) { return c >= ' ' && c <= '~'; }));
    }
    if (!problems.empty()) return 0;
    const std::string canonical = barewire::link::to_string(spec);
    const auto again = barewire::link::parse_wire(canonical, problems);
    BW_CHECK(problems.empty());
    BW_CHECK(again == spec);
    BW_CHECK(barewire::link::to_string(again) == canonical);
    return 0;
}
