// SPDX-License-Identifier: BSD-3-Clause
// What every test of a parser's refusals asks: the sentence names what was typed and a remedy.
#pragma once

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "barewire/base/text.h"

namespace barewire::plan {

/// A text that is refused, and what its sentence must say.
struct Refusal {
    std::string text;
    std::string remedy;
};

/// Exactly one sentence, which begins with the text and holds the remedy.
inline void expect_refusal(const Refusal& refusal, const std::vector<std::string>& problems) {
    SCOPED_TRACE(refusal.text);
    ASSERT_EQ(problems.size(), 1U) << testing::PrintToString(problems);
    EXPECT_THAT(problems[0], testing::StartsWith(printable(refusal.text) + ": "));
    EXPECT_THAT(problems[0], testing::HasSubstr(refusal.remedy));
}

}  // namespace barewire::plan
