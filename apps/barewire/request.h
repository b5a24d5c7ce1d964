// SPDX-License-Identifier: BSD-3-Clause
// From argv and a configuration file to one value for each option, with every mistake in words.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "options.h"

namespace barewire::cli {

/// A configuration file may not be larger.
inline constexpr size_t kMaxConfigBytes = 65536;

/// Returns the file's text, or sets `why` ("no such file") and returns nothing.
using ConfigReader =
    std::function<std::optional<std::string>(const std::string& path, std::string& why)>;

/// Reads a real file of at most kMaxConfigBytes.
std::optional<std::string> read_config_file(const std::string& path, std::string& why);

struct Setting {
    enum class Source : uint8_t { fallback, config, command_line };
    std::string value;  ///< a flag's is "true" or "false"
    Source source = Source::fallback;
};

/// Command line over configuration over defaults. Values are text: judged by the command.
class Request {
  public:
    /// `bits`: the command whose options these are (CommandBit).
    explicit Request(unsigned bits);

    /// The command that these options are of.
    [[nodiscard]] unsigned bits() const { return bits_; }
    /// Value of an option of this command.
    [[nodiscard]] const std::string& value(std::string_view name) const;
    [[nodiscard]] bool has(std::string_view name) const;
    [[nodiscard]] bool flag(std::string_view name) const { return value(name) == "true"; }
    /// On the command line or in the configuration, not a default.
    [[nodiscard]] bool given(std::string_view name) const;
    void set(std::string_view name, Setting setting);
    /// Every option of the command after defaults, in the order of the help.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> effective() const;

    bool help = false;  ///< --help or -h was there
    std::vector<std::string> problems;

  private:
    unsigned bits_;
    std::map<std::string, Setting, std::less<>> settings_;
};

/// `args`: what follows the command's name. Never throws for bad input: all mistakes stand in
/// `problems`, and everything that could be understood is set.
Request parse_request(std::string_view command, unsigned bits, const std::vector<std::string>& args,
                      const ConfigReader& read_config);

}  // namespace barewire::cli
