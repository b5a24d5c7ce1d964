// SPDX-License-Identifier: BSD-3-Clause
// Writing results.
#include "finish.h"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "barewire/machine/saved_runs.h"
#include "barewire/report/csv.h"
#include "barewire/report/file.h"
#include "barewire/report/json.h"
#include "barewire/report/text.h"

#include "files.h"
#include "terminal.h"

namespace barewire::cli {
namespace {

constexpr std::string_view kStandardOutput = "-";
constexpr std::string_view kReports[] = {"json", "csv", "record"};

/// Why `text` could not be written to `stream`. A pipe whose reader went away is no failure: the
/// reader has what it wanted.
std::optional<std::string> put(std::string_view text, FILE* stream) {
    errno = 0;
    const bool written =
        std::fwrite(text.data(), 1, text.size(), stream) == text.size() && std::fflush(stream) == 0;
    const int code = errno;
    if (written || code == EPIPE) return std::nullopt;
    return "standard output: " + std::generic_category().message(code);
}

bool takes_standard_output(const Request& request) {
    return std::any_of(std::begin(kReports), std::end(kReports), [&](std::string_view option) {
        return request.has(option) && request.value(option) == kStandardOutput;
    });
}

/// The page goes to standard output, unless a report has that: then to the terminal, if any.
FILE* page_stream(const Request& request, const Host& host) {
    if (!takes_standard_output(request)) return host.out;
    return is_terminal(host.err) ? host.err : nullptr;
}

bool show_page(const report::Json& json, bool saved, FILE* stream, const Host& host) {
    const report::TextOptions options{.colour = report::wants_colour(fileno(stream)),
                                      .width = columns_of(stream),
                                      .saved = saved};
    const auto problem = put(report::render_text(json, options), stream);
    if (problem) fmt::print(host.err, "barewire: {}\n", *problem);
    return !problem;
}

int exit_status(plan::Status status) {
    switch (status) {
        case plan::Status::ok:
            return kDone;
        case plan::Status::interrupted:
            return kInterrupted;
        case plan::Status::failed:
            break;
    }
    return kFailed;
}

}  // namespace

bool deliver(std::string_view option, const std::string& text, const Request& request,
             const Host& host) {
    const std::string& path = request.value(option);
    if (path.empty()) return true;
    const auto problem =
        path == kStandardOutput ? put(text, host.out) : report::write_report(path, text);
    if (problem) fmt::print(host.err, "barewire: --{}: {}\n", option, *problem);
    return !problem;
}

int finish_refused(const plan::RunResult& result, const Request& request, const Host& host) {
    for (const std::string& problem : result.errors) {
        fmt::print(host.err, "barewire: {}\n", problem);
    }
    const std::string& path = request.value("json");
    // Named among the problems already where it is one of them.
    const bool writable = path == kStandardOutput || (!path.empty() && !why_unwritable(path));
    if (writable) {
        deliver("json", report::serialize(report::to_json(result)), request, host);
    }
    return kBadRequest;
}

int finish_answer(const report::Json& json, const Request& request, const Host& host) {
    bool delivered = deliver("json", report::serialize(json), request, host);
    FILE* page = page_stream(request, host);
    if (page != nullptr) delivered = show_page(json, false, page, host) && delivered;
    return delivered ? kDone : kFailed;
}

int finish_run(const plan::RunResult& result, const Request& request, const Host& host) {
    const report::Json json = report::to_json(result);
    const std::string text = report::serialize(json);
    const auto unsaved = machine::SavedRuns().save(result.run_id, text);
    if (unsaved) fmt::print(host.err, "barewire: not saved: {}\n", *unsaved);

    bool delivered = deliver("json", text, request, host);
    delivered = deliver("csv", report::to_csv(json), request, host) && delivered;
    FILE* page = page_stream(request, host);
    if (page != nullptr) delivered = show_page(json, !unsaved, page, host) && delivered;
    if (page == nullptr || !is_terminal(page)) {  // else they were just read on the page
        for (const std::string& error : result.errors) {
            fmt::print(host.err, "barewire: {}\n", error);
        }
    }
    return delivered ? exit_status(result.status)
                     : std::max<int>(kFailed, exit_status(result.status));
}

}  // namespace barewire::cli
