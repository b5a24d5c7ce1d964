// SPDX-License-Identifier: BSD-3-Clause
// The CSV, read back by a reader of its own.
#include "barewire/report/csv.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "random_result.h"
#include "samples.h"

namespace barewire::report {
namespace {

using Row = std::vector<std::string>;

/// RFC 4180 section 2.
std::vector<Row> parse(const std::string& text) {
    std::vector<Row> rows(1, Row(1));
    bool quoted = false;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
            rows.back().back() += '"';
            ++i;
        } else if (c == '"') {
            quoted = !quoted;
        } else if (!quoted && c == ',') {
            rows.back().emplace_back();
        } else if (!quoted && c == '\n') {
            rows.emplace_back(1);
        } else {
            rows.back().back() += c;
        }
    }
    rows.pop_back();
    return rows;
}

std::string cell(const std::vector<Row>& rows, size_t row, const std::string& name) {
    const auto at = std::find(rows[0].begin(), rows[0].end(), name);
    return at == rows[0].end() ? "no such column"
                               : rows[row][static_cast<size_t>(at - rows[0].begin())];
}

TEST(Csv, HasOneLineForEachTrial) {
    const auto rows = parse(to_csv(to_json(samples::nic_loss())));
    ASSERT_EQ(rows.size(), 4U);
    EXPECT_EQ(cell(rows, 1, "frame_size"), "64");
    EXPECT_EQ(cell(rows, 1, "offered"), "148809520");
    EXPECT_EQ(cell(rows, 1, "lost"), "1204331");
    EXPECT_EQ(cell(rows, 1, "lost_by_path"), "1204331");
    EXPECT_EQ(cell(rows, 1, "lost_by_rx_no_buffer"), "");
    EXPECT_EQ(cell(rows, 1, "ledger_adds_up"), "true");
    EXPECT_EQ(cell(rows, 3, "latency_p99_ns"), "7200");
    EXPECT_EQ(cell(rows, 3, "run_id"), "7f3a91c2");
}

TEST(Csv, OfARefusedRunIsTheHeader) {
    EXPECT_EQ(parse(to_csv(to_json(samples::refused()))).size(), 1U);
}

TEST(Csv, QuotesLabels) {
    plan::RunResult run = samples::lossless();
    run.label = "a, \"b\"\nc";
    const auto rows = parse(to_csv(to_json(run)));
    ASSERT_EQ(rows.size(), 4U);
    EXPECT_EQ(cell(rows, 2, "label"), run.label);
}

TEST(Csv, EveryRowIsAsLongAsTheHeader) {
    samples::RandomResult random(3);
    for (int i = 0; i < 100; ++i) {
        const plan::RunResult run = random.next();
        const auto rows = parse(to_csv(to_json(run)));
        ASSERT_EQ(rows.size(), run.trials.size() + 1);
        for (const Row& row : rows) ASSERT_EQ(row.size(), rows[0].size());
    }
}

}  // namespace
}  // namespace barewire::report
