// SPDX-License-Identifier: BSD-3-Clause
// Any command line and any configuration file: parsed, judged and validated, or refused in words.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "barewire/base/check.h"
#include "barewire/plan/validate.h"

#include "command.h"
#include "judge.h"
#include "request.h"

namespace {

using namespace barewire;

/// Input: arguments ended by a NUL each; what follows two NULs is the configuration file.
struct Input {
    std::vector<std::string> args;
    std::string config;
};

Input split(const uint8_t* data, size_t size) {
    Input input;
    std::string rest(data, data + size);
    const size_t end = rest.find(std::string(2, '\0'));
    if (end != std::string::npos) {
        input.config = rest.substr(end + 2);
        rest.resize(end);
    }
    for (size_t at = 0; at < rest.size();) {
        const size_t stop = std::min(rest.find('\0', at), rest.size());
        input.args.push_back(rest.substr(at, stop - at));
        at = stop + 1;
    }
    return input;
}

void expect_sentences(const std::vector<std::string>& problems) {
    for (const std::string& problem : problems) {
        BW_CHECK(!problem.empty() && problem.size() < 2000);
        for (const char c : problem) BW_CHECK(static_cast<unsigned char>(c) >= 0x20);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const Input input = split(data, size);
    for (const cli::CommandInfo* command : cli::commands()) {
        if (command->judge == nullptr) continue;
        cli::Request request = cli::parse_request(
            command->name, command->bit, input.args,
            [&](const std::string&, std::string&) { return std::optional(input.config); });
        std::vector<std::string> problems = request.problems;
        std::vector<std::string> notes;
        const plan::Plan plan = cli::judge(*command, request, problems, notes);
        expect_sentences(problems);
        expect_sentences(plan::validate(plan, {.cores_allowed = {0, 1}, .memory_available = 0}));
        expect_sentences(plan::cautions(plan));
        expect_sentences(notes);
        BW_CHECK(request.effective().size() == cli::options_of(command->bit).size());
    }
    return 0;
}
