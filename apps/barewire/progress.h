// SPDX-License-Identifier: BSD-3-Clause
// What is seen while a run goes on, by --interval and --progress.
#pragma once

#include <optional>

#include "barewire/plan/plan.h"
#include "barewire/report/live.h"

#include "host.h"
#include "request.h"

namespace barewire::cli {

/// Lines of --interval go where the page goes (standard output, or standard error where a report
/// has that); the line that redraws itself always to standard error.
class ProgressView {
  public:
    ProgressView(const Request& request, const plan::Plan& plan, const Host& host);

    /// How often the engine is to call show(); 0: never.
    [[nodiscard]] Ns every_ns() const { return every_ns_; }
    void show(const engine::Progress& progress);
    /// Clears the line that redraws itself.
    void finish() {
        if (line_) line_->finish();
    }

  private:
    Ns every_ns_ = 0;
    std::optional<double> duration_s_;
    std::optional<report::LiveLine> line_;
};

}  // namespace barewire::cli
