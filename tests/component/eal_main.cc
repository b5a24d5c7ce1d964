// SPDX-License-Identifier: BSD-3-Clause
// Starts the EAL once for all tests of a program: no huge pages, no devices.
#include <gtest/gtest.h>

#include "barewire/nic/eal.h"

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    const barewire::nic::Eal eal({.memory_bytes = 256U << 20, .control_cores = {0}, .extra = ""});
    return RUN_ALL_TESTS();
}
