// SPDX-License-Identifier: BSD-3-Clause
// What another host says: a message, and the parts of a result in it. What reads is written and
// read again to the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "barewire/control/messages.h"
#include "barewire/report/read_json.h"

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

void read_result(const barewire::report::Json& json) {
    using namespace barewire::report;
    const Json trial = to_json(read_trial(json));
    require(trial == to_json(read_trial(trial)));
    const Json environment = to_json(read_environment(json));
    require(environment == to_json(read_environment(environment)));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace barewire;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto content = control::read(text);
    if (!content) return 0;
    const std::string written = control::write(*content);
    const auto again = control::read(written);
    require(again && control::write(*again) == written);
    if (const auto* here = std::get_if<control::Here>(&*content)) read_result(here->environment);
    if (const auto* outcomes = std::get_if<control::Outcomes>(&*content)) {
        if (!outcomes->trials.is_array()) return 0;
        for (const auto& trial : outcomes->trials) read_result(trial);
    }
    return 0;
}
