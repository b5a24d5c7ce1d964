// SPDX-License-Identifier: BSD-3-Clause
// Words, numbers and lines for people: ASCII, wrapped, never wider than asked for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace barewire::report {

/// Columns of the word that opens a section ("WHERE  "): what follows is indented by as much.
inline constexpr size_t kIndent = 7;

/// Every character that is not printable ASCII becomes one '?', so that nothing from outside (a
/// label, a file's name) can move the cursor or break the columns.
std::string ascii(std::string_view text);

/// "1,204,331".
std::string grouped(uint64_t value);

/// Share of frames lost, "0.809%". Only no loss is "0" and only all is "100%": a share that would
/// round to one of them is "<0.001%" or ">99.999%".
std::string loss_share(uint64_t lost, uint64_t of);

/// "0 ns" to "12.3 s", three figures or so.
std::string short_time(double ns);

/// A value with `decimals` and thousands separators: "12,345.6". Exponent from 1e15 up.
std::string fixed(double value, int decimals);

/// "14.881 Mpps", "250.0 kpps".
std::string frame_rate(double frames_per_second);

/// "9.919 Gb/s", "105.7 Gb/s".
std::string bit_rate(double bits_per_second);

/// "64", "64 and 1518", "64, 1518 and 9018".
std::string listed(const std::vector<std::string>& items);

/// Breaks `text` at spaces into lines of at most `width` (over 0); a longer word is cut.
std::vector<std::string> wrapped(std::string_view text, size_t width);

/// `text` filled up with spaces to `width` on the left or right; longer text is left as it is.
std::string padded_left(std::string_view text, size_t width);
std::string padded_right(std::string_view text, size_t width);

/// Collects lines; none is ever longer than the width, whatever is put in.
class Page {
  public:
    explicit Page(size_t width) : width_(width) {}

    [[nodiscard]] size_t width() const { return width_; }
    /// One line; wrapped if it is too long, what follows indented by `indent`.
    void line(std::string_view text, size_t indent = kIndent);
    /// `head` (may be empty) in the first kIndent columns, `text` beside it.
    void section(std::string_view head, std::string_view text);
    /// An empty line, unless the last is one or there is none yet.
    void gap();
    /// Takes the last line back.
    std::string pop();
    [[nodiscard]] bool empty() const { return lines_.empty(); }
    /// All lines, each with its end, less empty ones at the end.
    [[nodiscard]] std::string text() const;

  private:
    size_t width_;
    std::vector<std::string> lines_;
};

}  // namespace barewire::report
