// SPDX-License-Identifier: BSD-3-Clause
// The end page, put together.
#include "barewire/report/text.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include <unistd.h>

#include "page.h"
#include "page_ports.h"

namespace barewire::report {
namespace {

/// SGR sequences (ECMA-48 8.3.117).
constexpr std::string_view kRed = "\x1b[1;31m";
constexpr std::string_view kGreen = "\x1b[1;32m";
constexpr std::string_view kYellow = "\x1b[1;33m";
constexpr std::string_view kPlain = "\x1b[0m";

std::string coloured(std::string text, const std::string& word) {
    const bool bad = word == "LOSS" || word == "FAIL";
    const std::string_view colour = bad ? kRed : word == "OK" ? kGreen : kYellow;
    text.insert(word.size(), kPlain);
    text.insert(0, colour);
    return text;
}

}  // namespace

std::string render_text(const Json& result, const TextOptions& options) {
    Page page(std::clamp(options.width, kFewestColumns, kMostColumns));
    if (const Json& ports = part(result, "ports"); ports.is_object()) {
        put_ports_page(page, ports);
        return options.colour ? coloured(page.text(), ports_word(ports)) : page.text();
    }
    const Run run(result);
    put_answer(page, run);
    page.gap();
    put_trials(page, run);
    put_counts(page, run);
    page.gap();
    put_where(page, run);
    put_wire(page, run);
    put_verdict(page, run);
    page.gap();
    put_foot(page, run, options.saved);
    return options.colour ? coloured(page.text(), answer_word(run)) : page.text();
}

bool wants_colour(int fd) {
    const char* no_colour = std::getenv("NO_COLOR");
    const char* terminal = std::getenv("TERM");
    const bool dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
    const bool refused = no_colour != nullptr && *no_colour != '\0';
    return !refused && !dumb && ::isatty(fd) == 1;
}

}  // namespace barewire::report
