// SPDX-License-Identifier: BSD-3-Clause
// The program: the command line with DPDK's engine behind it.
#include <exception>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "barewire/engine/run.h"
#include "barewire/machine/facts.h"
#include "barewire/machine/interfaces.h"

#include "job.h"

int main(int argc, char** argv) {
    using namespace barewire;
    try {
        const cli::Host host = {
            .run = engine::run,
            .machine = {.cores_allowed = machine::allowed_cores(),
                        .memory_available = machine::memory_available(),
                        .network = network_of(interfaces_of(machine::read_network()))}};
        return cli::run_program(std::vector<std::string>(argv, argv + argc), host);
    } catch (const std::exception& error) {
        fmt::print(stderr, "barewire: {}\n", error.what());
        return cli::kFailed;
    }
}
