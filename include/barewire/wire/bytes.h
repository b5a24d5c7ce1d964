// SPDX-License-Identifier: BSD-3-Clause
// Header structs copied out of and into bytes: no aliasing, and a compiler makes plain loads of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>

namespace barewire::wire {

/// The T that stands at `offset`; the caller knows that it lies within `bytes`.
template <class T>
[[nodiscard]] inline T load(const uint8_t* bytes, size_t offset = 0) noexcept {
    static_assert(std::is_trivially_copyable_v<T>);
    T value;
    std::memcpy(&value, bytes + offset, sizeof(T));
    return value;
}

/// Empty where `bytes` ends before the T does.
template <class T>
[[nodiscard]] inline std::optional<T> read_at(std::span<const uint8_t> bytes,
                                              size_t offset) noexcept {
    if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
    return load<T>(bytes.data(), offset);
}

/// Writes `value` at `offset`; the caller knows that there is room.
template <class T>
inline void store(uint8_t* bytes, size_t offset, const T& value) noexcept {
    static_assert(std::is_trivially_copyable_v<T>);
    std::memcpy(bytes + offset, &value, sizeof(T));
}

}  // namespace barewire::wire
