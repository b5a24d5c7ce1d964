// SPDX-License-Identifier: BSD-3-Clause
// Chooses stream and pace of the live line.
#include "progress.h"

#include "terminal.h"

namespace barewire::cli {
namespace {

/// Of the line that redraws itself: fast enough to look alive, slow enough to read.
constexpr Ns kRedrawNs = 250'000'000;

bool redraws(const std::string& mode, FILE* err) {
    return mode == "always" || (mode == "auto" && is_terminal(err));
}

}  // namespace

ProgressView::ProgressView(const Request& request, const plan::Plan& plan, const Host& host) {
    if (plan.duration_ns > 0) duration_s_ = static_cast<double>(plan.duration_ns) / 1e9;
    const bool report_on_out = request.value("json") == "-" || request.value("csv") == "-";
    if (plan.interval_ns > 0) {
        FILE* stream = report_on_out ? host.err : host.out;
        every_ns_ = plan.interval_ns;
        line_.emplace(stream, report::LiveOptions{.redraw = false, .width = columns_of(stream)});
    } else if (redraws(request.value("progress"), host.err)) {
        every_ns_ = kRedrawNs;
        line_.emplace(host.err, report::LiveOptions{.redraw = true, .width = columns_of(host.err)});
    }
}

void ProgressView::show(const engine::Progress& progress) {
    if (!line_) return;
    line_->show(*progress.interval, {.trial = progress.trial,
                                     .trials = progress.trials,
                                     .elapsed_s = progress.elapsed_s,
                                     .duration_s = duration_s_});
}

}  // namespace barewire::cli
