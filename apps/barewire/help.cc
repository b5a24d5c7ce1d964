// SPDX-License-Identifier: BSD-3-Clause
// Help texts, made from the tables of commands and options.
#include "help.h"

#include <algorithm>
#include <iterator>
#include <sstream>

#include <fmt/format.h>

#include "words.h"

namespace barewire::cli {
namespace {

struct Planned {
    std::string_view group;
    std::string_view names;
};

/// Names that are settled but not built yet: a user who has read of them learns that here.
constexpr Planned kLater[] = {
    {"measure a path", "mtu ping rfc2544"},
    {"find who is slow", "nfs tcp udp isolate matrix"},
    {"captures", "replay trace"},
    {"results", "compare"},
    {"this machine", "doctor bind unbind calibrate link"},
};

constexpr Example kFirstSteps[] = {
    {"stress", "64, 1518 and 9018 bytes over a wire in memory: no NIC, no root"},
    {"stress --size 64 --rate 14.88Mpps --interval 1s", "10GbE's line rate, figures every second"},
    {"stress --wire loss=1e-3,reorder=1e-4 --count 1000000", "a bad wire, and who found out"},
    {"generate --port null --size 64", "how many frames a second one core can make"},
    {"generate --port pcap:,out.pcap --count 100", "frames into a capture, for tshark"},
};

constexpr size_t kIndent = 22;

std::string indented(std::string_view text, size_t indent) {
    std::string out;
    for (const std::string& line : wrap(text, kColumns - indent)) {
        out += std::string(indent, ' ') + line + "\n";
    }
    return out;
}

std::string examples(std::span<const Example> list) {
    std::string out;
    for (const Example& example : list) {
        const auto lines = wrap(example.command_line, kColumns - 13);
        for (size_t i = 0; i < lines.size(); ++i) {
            out += i == 0 ? "  barewire " : "      ";
            out += lines[i] + (i + 1 < lines.size() ? " \\\n" : "\n");
        }
        out += indented(example.meaning, 6);
    }
    return out;
}

/// "  --size SIZES        frame sizes ... [64,1518,9018]"
std::string option_entry(const OptionInfo& option) {
    std::string left = fmt::format("  --{}", option.name);
    if (!option.flag()) left += fmt::format(" {}", option.argument);
    std::string text(option.help);
    if (!option.fallback.empty()) text += fmt::format(" [{}]", option.fallback);
    const std::string right = indented(text, kIndent);
    if (left.size() + 1 >= kIndent) return left + "\n" + right;
    return left + right.substr(left.size());
}

std::string bullet(std::string_view name, std::string_view text) {
    return fmt::format("  {:<18}{}\n", name, text);
}

}  // namespace

std::string first_steps() {
    return "barewire, a packet engine in user space. Five commands to try:\n\n" +
           examples(kFirstSteps) +
           "\nbarewire --help lists the commands, barewire stress --help all that one can do.\n";
}

std::string overview() {
    std::string out = "usage: barewire COMMAND [options]\n";
    for (const std::string_view group : command_groups()) {
        std::string entries;
        for (const CommandInfo* command : commands()) {
            if (command->group == group) entries += bullet(command->name, command->summary);
        }
        if (!entries.empty()) out += fmt::format("\n{}\n{}", group, entries);
    }
    out += "\nNot in this version yet\n";
    for (const Planned& later : kLater) out += bullet(later.group, later.names);
    out += "\nMore\n";
    out += bullet("help COMMAND", "options and examples, as COMMAND --help");
    out += bullet("--version", "the program's version");
    out += bullet("--print-defaults", "every option and its default, as Markdown");
    out += "\n" + indented(
                      "Exit status: 0 done, 1 the run failed or an expectation does not hold, 2 "
                      "the request was wrong, 130 interrupted (the result so far is written).",
                      0);
    return out;
}

std::string command_help(const CommandInfo& command) {
    std::string out = fmt::format("usage: barewire {} [options]\n\n", command.name);
    out += indented(command.about, 0);
    for (const OptionGroup group :
         {OptionGroup::ports, OptionGroup::frames, OptionGroup::run, OptionGroup::report}) {
        std::string entries;
        for (const OptionInfo& option : options_of(command.bit)) {
            if (option.group == group) entries += option_entry(option);
        }
        if (!entries.empty()) out += fmt::format("\n{}\n{}", group_title(group), entries);
    }
    return out + "\nExamples\n" + examples(command.examples);
}

std::string defaults_page() {
    std::string out =
        "# Defaults\n\n"
        "Every option, its default as one would type it, and the commands that take it. This page\n"
        "is the output of `barewire --print-defaults`; a test compares the two.\n\n"
        "| option | default | commands |\n|---|---|---|\n";
    for (const OptionInfo& option : options_of(~0U)) {
        std::string takers;
        for (const auto& [bit, name] : kCommandNames) {
            if (find_option(option.name, bit) == nullptr) continue;
            takers += (takers.empty() ? "" : ", ") + std::string(name);
        }
        const std::string fallback = option.flag() ? "off"
                                     : option.fallback.empty()
                                         ? "none"
                                         : fmt::format("`{}`", option.fallback);
        out += fmt::format("| `--{}` | {} | {} |\n", option.name, fallback, takers);
    }
    return out;
}

std::string unknown_command(std::string_view typed) {
    std::vector<std::string_view> names;
    std::string here;
    for (const CommandInfo* command : commands()) {
        names.push_back(command->name);
        here += (here.empty() ? "" : ", ") + std::string(command->name);
    }
    for (const Planned& later : kLater) {
        std::istringstream words{std::string(later.names)};
        if (std::find(std::istream_iterator<std::string>(words), {}, typed) !=
            std::istream_iterator<std::string>()) {
            return fmt::format("{} is not in this version yet: it has {}", typed, here);
        }
    }
    const auto close = nearest(typed, names);
    if (close.empty()) return fmt::format("unknown command {}: there are {}", quote(typed), here);
    return fmt::format("unknown command {}: did you mean {}?", quote(typed), close.front());
}

}  // namespace barewire::cli
