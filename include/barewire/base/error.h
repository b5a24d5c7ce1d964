// SPDX-License-Identifier: BSD-3-Clause
// The two ways in which set-up fails. Loops never throw.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace barewire {

/// The request is wrong: one sentence per problem, all of them at once. Exit status 2.
class ConfigError : public std::runtime_error {
  public:
    explicit ConfigError(std::string problem)
        : ConfigError(std::vector<std::string>{std::move(problem)}) {}
    explicit ConfigError(std::vector<std::string> problems)
        : std::runtime_error(problems.empty() ? "bad request" : problems.front()),
          problems_(std::move(problems)) {}
    [[nodiscard]] const std::vector<std::string>& problems() const { return problems_; }

  private:
    std::vector<std::string> problems_;
};

/// The machine or a port refused or failed: names the call, the thing and the remedy. Exit
/// status 1.
class DeviceError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

}  // namespace barewire
