// SPDX-License-Identifier: BSD-3-Clause
// Reads argv and a configuration file by Boost.Program_options, without its guessing.
#include "request.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <boost/program_options.hpp>
#include <fmt/format.h>

#include "barewire/base/check.h"

#include "words.h"

namespace barewire::cli {
namespace {

namespace po = boost::program_options;
using Source = Setting::Source;
using Args = std::vector<std::string>;

/// Everything but allow_guessing: a shortened option would change its meaning with the next
/// version.
constexpr int kStyle =
    po::command_line_style::allow_long | po::command_line_style::long_allow_adjacent |
    po::command_line_style::long_allow_next | po::command_line_style::allow_short |
    po::command_line_style::allow_dash_for_short | po::command_line_style::short_allow_next;

/// One parse: the command's options, and where mistakes go.
class Parser {
  public:
    Parser(std::string_view command, unsigned bits, Request& request);
    void command_line(Args args);
    void config(const std::string& path, const ConfigReader& read);

  private:
    void fill_in(Args& args) const;
    po::parsed_options run(Args& args);
    bool drop_culprit(Args& args, const po::invalid_syntax& error);
    bool drop_option_without_value(Args& args, const po::parsed_options& parsed);
    void take(const po::parsed_options& parsed, Source source, const std::string& where);
    void take_known(const po::option& option, Source source, const std::string& where);
    void unknown(std::string_view token, const std::string& where);
    void problem(std::string text);

    std::string_view command_;
    unsigned bits_;
    Request& request_;
    po::options_description known_;
    std::set<std::string, std::less<>> seen_;  // in the source being read
};

Parser::Parser(std::string_view command, unsigned bits, Request& request)
    : command_(command), bits_(bits), request_(request) {
    auto add = known_.add_options();
    for (const OptionInfo& option : options_of(bits)) {
        const std::string name(option.name);
        if (option.flag()) {
            add(name.c_str(), "");
        } else {
            add(name.c_str(), po::value<std::string>(), "");
        }
    }
    add("help,h", "");
}

void Parser::problem(std::string text) {
    auto& all = request_.problems;
    if (std::find(all.begin(), all.end(), text) == all.end()) all.push_back(std::move(text));
}

/// "--far" alone becomes "--far=link": Boost has no option whose next word is a value or not.
void Parser::fill_in(Args& args) const {
    for (size_t i = 0; i < args.size(); ++i) {
        if (!args[i].starts_with("--")) continue;
        const OptionInfo* option = find_option(std::string_view(args[i]).substr(2), bits_);
        if (option == nullptr || option->alone.empty()) continue;
        const bool last = i + 1 == args.size();
        if (last || args[i + 1].starts_with("-")) args[i] += fmt::format("={}", option->alone);
    }
}

void Parser::command_line(Args args) {
    fill_in(args);
    take(run(args), Source::command_line, "");
}

/// Boost stops at the first mistake of some kinds: note it, take it out, go on.
po::parsed_options Parser::run(Args& args) {
    while (true) {
        try {
            po::parsed_options parsed = po::command_line_parser(args)
                                            .options(known_)
                                            .style(kStyle)
                                            .allow_unregistered()
                                            .run();
            if (!drop_option_without_value(args, parsed)) return parsed;
        } catch (const po::invalid_syntax& error) {
            if (!drop_culprit(args, error)) return po::parsed_options(&known_);
        }
    }
}

/// "an option of stress and generate"
std::string takers(const OptionInfo& option) {
    std::string commands;
    for (const auto& [bit, name] : kCommandNames) {
        if (find_option(option.name, bit) == nullptr) continue;
        commands += (commands.empty() ? "" : " and ") + std::string(name);
    }
    return "it belongs to " + commands;
}

/// How to write it: with its default where that is a value, not a word like "none".
std::string example_of(const OptionInfo& option) {
    const bool value = option.fallback.find_first_of("0123456789:") != std::string_view::npos;
    return fmt::format("--{} {}", option.name, value ? option.fallback : option.argument);
}

bool Parser::drop_culprit(Args& args, const po::invalid_syntax& error) {
    std::string name = error.get_option_name();
    if (name.size() < 3) name = "--";  // "--=", an option without a name
    const OptionInfo* option = name.size() > 2 ? find_option(name.substr(2), bits_) : nullptr;
    if (option != nullptr && !option->flag()) {
        problem(fmt::format("{} has no value: write {}", name, example_of(*option)));
    } else if (error.kind() == po::invalid_syntax::extra_parameter) {
        problem(fmt::format("{} takes no value: write {} alone", name, name));
    } else {
        unknown(name, "");
    }
    const auto culprit = std::find_if(args.begin(), args.end(), [&](const std::string& arg) {
        return arg.starts_with(name + "=") || (name == "--help" && arg.starts_with("-h")) ||
               (arg == name && &arg == &args.back());
    });
    if (culprit == args.end()) return false;
    args.erase(culprit);
    return true;
}

/// `--size --rate max`: Boost takes the second option for the first one's value.
bool Parser::drop_option_without_value(Args& args, const po::parsed_options& parsed) {
    for (const po::option& option : parsed.options) {
        if (option.unregistered || option.original_tokens.size() != 2) continue;
        const std::string& value = option.original_tokens[1];
        if (!value.starts_with("--")) continue;
        const std::string name = value.substr(2, value.find('=') - 2);
        if (name != "help" && find_option(name, bits_) == nullptr) continue;
        problem(fmt::format("{} has no value: write {}", option.original_tokens[0],
                            example_of(*find_option(option.string_key, bits_))));
        for (size_t i = 0; i + 1 < args.size(); ++i) {
            if (args[i] == option.original_tokens[0] && args[i + 1] == value) {
                args.erase(args.begin() + static_cast<std::ptrdiff_t>(i));
                return true;
            }
        }
    }
    return false;
}

void Parser::take(const po::parsed_options& parsed, Source source, const std::string& where) {
    bool after_unknown = false;
    for (const po::option& option : parsed.options) {
        const std::string token =
            option.original_tokens.empty() ? option.string_key : option.original_tokens.front();
        if (option.position_key >= 0) {
            // What follows an unknown option is most likely its value: one mistake, one line.
            if (!after_unknown) {
                problem(
                    fmt::format("{} stands alone: every value follows an option, as in "
                                "--label TEXT",
                                quote(token)));
            }
            after_unknown = false;
        } else if (option.unregistered) {
            unknown(token, where);
            after_unknown = token.find('=') == std::string::npos;
        } else {
            take_known(option, source, where);
            after_unknown = false;
        }
    }
}

void Parser::take_known(const po::option& option, Source source, const std::string& where) {
    if (option.string_key == "help") {
        request_.help = true;
        return;
    }
    const OptionInfo& info = *find_option(option.string_key, bits_);
    std::string value = option.value.empty() ? "true" : option.value.front();
    if (source == Source::config && info.name == "config") {
        problem(fmt::format("{}config: a configuration file names no further one", where));
        return;
    }
    if (info.flag() && value != "true" && value != "false") {
        problem(fmt::format("{}{} = {}: true or false", where, info.name, quote(value)));
        return;
    }
    const std::string_view dashes = source == Source::config ? "" : "--";
    if (!seen_.insert(option.string_key).second) {
        problem(fmt::format("{}{}{} is given twice: once is enough", where, dashes, info.name));
        return;
    }
    request_.set(info.name, {std::move(value), source});
}

void Parser::unknown(std::string_view token, const std::string& where) {
    const std::string_view typed = token.substr(0, token.find('='));
    const size_t dashes = std::min(typed.find_first_not_of('-'), typed.size());
    const std::string_view name = typed.substr(dashes);
    if (const OptionInfo* option = find_option(name, ~0U); option != nullptr) {
        if (find_option(name, bits_) != nullptr) {  // -size
            problem(fmt::format("{}unknown option {}: write --{}", where, quote(typed), name));
        } else {
            problem(fmt::format("{}{}{} is no option of {}: {}", where, where.empty() ? "--" : "",
                                name, command_, takers(*option)));
        }
        return;
    }
    std::vector<std::string_view> names;
    for (const OptionInfo& option : options_of(bits_)) names.push_back(option.name);
    std::vector<std::string> close;
    for (const std::string_view found : nearest(name, names)) {
        close.push_back(fmt::format("{}{}", where.empty() ? "--" : "", found));
    }
    const std::string remedy =
        close.empty() ? fmt::format("barewire {} --help lists all", command_)
        : close.front().substr(where.empty() ? 2 : 0).starts_with(name)
            ? fmt::format("options are not shortened, write {}", either(close))
            : fmt::format("did you mean {}?", either(close));
    problem(fmt::format("{}unknown option {}: {}", where, quote(typed), remedy));
}

void Parser::config(const std::string& path, const ConfigReader& read) {
    std::string why;
    const std::optional<std::string> text = read(path, why);
    if (!text) {
        problem(fmt::format("--config {}: {}", quote(path), why));
        return;
    }
    seen_.clear();
    const std::string where = fmt::format("config {}: ", quote(path));
    std::istringstream lines(*text);
    try {
        take(po::parse_config_file(lines, known_, true), Source::config, where);
    } catch (const po::invalid_syntax& error) {
        problem(fmt::format("{}{} is no line 'name = value'", where, quote(error.tokens())));
    } catch (const po::error& error) {
        problem(where + error.what());
    }
}

}  // namespace

Request::Request(unsigned bits) : bits_(bits) {
    for (const OptionInfo& option : options_of(bits)) {
        settings_[std::string(option.name)].value = option.flag() ? "false" : option.fallback;
    }
}

bool Request::has(std::string_view name) const {
    return settings_.contains(name);
}

const std::string& Request::value(std::string_view name) const {
    const auto found = settings_.find(name);
    BW_CHECK(found != settings_.end());
    return found->second.value;
}

bool Request::given(std::string_view name) const {
    const auto found = settings_.find(name);
    return found != settings_.end() && found->second.source != Source::fallback;
}

void Request::set(std::string_view name, Setting setting) {
    const auto found = settings_.find(name);
    BW_CHECK(found != settings_.end());
    if (setting.source >= found->second.source) found->second = std::move(setting);
}

std::vector<std::pair<std::string, std::string>> Request::effective() const {
    std::vector<std::pair<std::string, std::string>> all;
    for (const OptionInfo& option : options_of(bits_)) {
        all.emplace_back(option.name, value(option.name));
    }
    return all;
}

std::optional<std::string> read_config_file(const std::string& path, std::string& why) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) {
        why = std::filesystem::exists(path, error) ? "not a regular file" : "no such file";
        return std::nullopt;
    }
    std::ifstream file(path, std::ios::binary);
    std::string text(kMaxConfigBytes + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<size_t>(std::max<std::streamsize>(file.gcount(), 0)));
    if (!file.is_open() || file.bad()) {
        why = "cannot be read: check its permissions";
    } else if (text.size() > kMaxConfigBytes) {
        why = fmt::format("larger than {} bytes", kMaxConfigBytes);
    } else {
        return text;
    }
    return std::nullopt;
}

Request parse_request(std::string_view command, unsigned bits, const std::vector<std::string>& args,
                      const ConfigReader& read_config) {
    Request request(bits);
    Parser parser(command, bits, request);
    parser.command_line(args);
    if (request.given("config")) parser.config(request.value("config"), read_config);
    return request;
}

}  // namespace barewire::cli
