// SPDX-License-Identifier: BSD-3-Clause
// Integers in network byte order, with explicit conversion only: the compiler finds a forgotten
// swap. Alignment 1, so that a header may be laid over any bytes.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace barewire::wire {

inline constexpr uint16_t byte_swap(uint16_t value) noexcept {
    return __builtin_bswap16(value);
}
inline constexpr uint32_t byte_swap(uint32_t value) noexcept {
    return __builtin_bswap32(value);
}
inline constexpr uint64_t byte_swap(uint64_t value) noexcept {
    return __builtin_bswap64(value);
}

/// Do not add implicit conversions: they are what this type exists to prevent.
template <class T>
class BigEndian {
  public:
    BigEndian() = default;
    explicit constexpr BigEndian(T value) noexcept
        : bytes_(std::bit_cast<Bytes>(to_network(value))) {}
    /// Of bytes as they stand in memory, such as a checksum summed there.
    [[nodiscard]] static constexpr BigEndian from_raw(T raw) noexcept {
        return BigEndian(to_network(raw));
    }
    /// In host order.
    [[nodiscard]] constexpr T value() const noexcept {
        return to_network(std::bit_cast<T>(bytes_));
    }
    /// As the bytes stand in memory, for checksums and comparisons.
    [[nodiscard]] constexpr T raw() const noexcept { return std::bit_cast<T>(bytes_); }
    friend constexpr bool operator==(const BigEndian&, const BigEndian&) = default;

  private:
    using Bytes = std::array<uint8_t, sizeof(T)>;
    static constexpr T to_network(T value) noexcept {
        return std::endian::native == std::endian::little ? byte_swap(value) : value;
    }
    Bytes bytes_;
};

using be16_t = BigEndian<uint16_t>;
using be32_t = BigEndian<uint32_t>;
using be64_t = BigEndian<uint64_t>;
static_assert(sizeof(be32_t) == 4 && alignof(be32_t) == 1);

}  // namespace barewire::wire
