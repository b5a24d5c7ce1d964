// SPDX-License-Identifier: BSD-3-Clause
// Reads /sys/bus/pci and pci.ids.
#include "barewire/machine/pci.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <iterator>
#include <system_error>

#include <fmt/format.h>

namespace barewire::machine {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 8> kFiles = {"class",
                                               "vendor",
                                               "device",
                                               "numa_node",
                                               "current_link_speed",
                                               "max_link_speed",
                                               "max_link_width",
                                               "current_link_width"};
constexpr std::array<const char*, 2> kLinks = {"driver", "iommu_group"};

constexpr std::array<std::string_view, 3> kDpdkDrivers = {"vfio-pci", "uio_pci_generic", "igb_uio"};
/// Drivers whose DPDK twin works through them (DPDK 22.11, Linux drivers, bifurcated driver).
constexpr std::array<std::string_view, 3> kBifurcated = {"mlx5_core", "mlx4_core", "mana"};

template <size_t kSize>
bool among(const std::array<std::string_view, kSize>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

RawPciFunction read_function(const fs::path& folder) {
    RawPciFunction raw;
    for (const char* name : kFiles) {
        std::ifstream file(folder / name);
        std::string line;
        if (std::getline(file, line)) raw[name] = line;
    }
    for (const char* name : kLinks) {
        std::error_code none;
        const fs::path target = fs::read_symlink(folder / name, none);
        if (!none) raw[name] = target.filename().string();
    }
    return raw;
}

std::string at(const RawPciFunction& raw, const std::string& name) {
    const auto found = raw.find(name);
    return found == raw.end() ? "" : found->second;
}

std::string without_0x(std::string text) {
    return text.starts_with("0x") ? text.substr(2) : text;
}

std::optional<int> number(const std::string& text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || value < 0) return std::nullopt;
    return value;
}

/// A virtual machine's functions have no such files, others say "Unknown" and 0 or 255 lanes.
std::optional<PcieLink> pcie_link(const std::string& speed, const std::string& width) {
    constexpr int kMostLanes = 32;
    const auto lanes = number(width);
    if (speed.empty() || speed.starts_with("Unknown") || !lanes || *lanes == 0) return std::nullopt;
    if (*lanes > kMostLanes) return std::nullopt;
    return PcieLink{.speed = speed, .width = static_cast<uint32_t>(*lanes)};
}

PciState state_of(const std::string& driver) {
    if (driver.empty()) return PciState::unbound;
    if (among(kDpdkDrivers, driver)) return PciState::dpdk;
    return among(kBifurcated, driver) ? PciState::bifurcated : PciState::kernel;
}

/// The first line of `text`, which loses it.
std::string_view next_line(std::string_view& text) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

/// What follows "8086  " or "\t10fb  " where that begins the line.
std::string_view name_on(std::string_view line, std::string_view indent, std::string_view id) {
    if (!line.starts_with(indent)) return {};
    line.remove_prefix(indent.size());
    if (id.empty() || !line.starts_with(id)) return {};
    line.remove_prefix(id.size());
    const size_t name = line.find_first_not_of(' ');
    return name < 1 || name == std::string_view::npos ? std::string_view() : line.substr(name);
}

}  // namespace

std::map<std::string, RawPciFunction> read_pci(const SystemFiles& files) {
    std::map<std::string, RawPciFunction> functions;
    std::error_code none;
    for (fs::directory_iterator at(files.sys / "bus/pci/devices", none), end; !none && at != end;
         at.increment(none)) {
        RawPciFunction raw = read_function(at->path());
        // PCI code and ID assignment, class 02h: network controllers.
        if (raw["class"].starts_with("0x02")) {
            functions[at->path().filename().string()] = std::move(raw);
        }
    }
    return functions;
}

std::vector<PciFunction> pci_functions_of(const std::map<std::string, RawPciFunction>& raw,
                                          const Interfaces& interfaces, std::string_view ids) {
    std::vector<PciFunction> functions;
    for (const auto& [address, files] : raw) {
        PciFunction function;
        function.address = address;
        function.vendor_id = without_0x(at(files, "vendor"));
        function.device_id = without_0x(at(files, "device"));
        function.name = pci_name(ids, function.vendor_id, function.device_id);
        function.driver = at(files, "driver");
        function.state = state_of(function.driver);
        function.numa_node = number(at(files, "numa_node"));
        function.pcie = pcie_link(at(files, "current_link_speed"), at(files, "current_link_width"));
        function.most_pcie = pcie_link(at(files, "max_link_speed"), at(files, "max_link_width"));
        function.iommu_group = at(files, "iommu_group");
        for (const Interface& interface : interfaces.all) {
            if (interface.pci_address == address) function.interfaces.push_back(interface.name);
        }
        if (function.state == PciState::kernel || function.state == PciState::unbound) {
            function.bind = fmt::format("dpdk-devbind.py --bind=vfio-pci {}", address);
        }
        functions.push_back(std::move(function));
    }
    return functions;
}

std::string pci_name(std::string_view ids, std::string_view vendor, std::string_view device) {
    std::string_view maker;
    while (!ids.empty() && maker.empty()) maker = name_on(next_line(ids), "", vendor);
    while (!ids.empty()) {
        const std::string_view line = next_line(ids);
        const bool comment = line.empty() || line.starts_with('#');
        if (!comment && !line.starts_with('\t')) break;  // the next vendor
        const std::string_view product = name_on(line, "\t", device);
        if (!product.empty()) return fmt::format("{} {}", maker, product);
    }
    return std::string(maker);
}

std::string read_pci_ids(const SystemFiles& files) {
    std::ifstream file(files.share / "misc/pci.ids", std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace barewire::machine
