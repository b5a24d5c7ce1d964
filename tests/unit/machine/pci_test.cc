// SPDX-License-Identifier: BSD-3-Clause
// Network functions out of a made-up /sys/bus/pci.
#include "barewire/machine/pci.h"

#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace barewire::machine {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kIds =
    "# pci.ids\n"
    "10ec  Realtek Semiconductor Co., Ltd.\n"
    "\t10fb  not the one\n"
    "8086  Intel Corporation\n"
    "\t10f8  82599 10 Gigabit Dual Port Backplane Connection\n"
    "\t\t1028 1f63  10GbE 2P X520k bNDC\n"
    "# between\n"
    "\t10fb  82599ES 10-Gigabit SFI/SFP+ Network Connection\n"
    "9004  Adaptec\n"
    "\t1078  AIC-7810\n";

class Pci : public testing::Test {
  protected:
    Pci() {
        std::string name = (fs::temp_directory_path() / "barewire-test-XXXXXX").string();
        root_ = mkdtemp(name.data());
        files_ = {.sys = root_ / "sys", .proc = root_ / "proc", .share = root_ / "share"};
        fs::create_directories(folder("0000:3b:00.0"));
    }
    ~Pci() override { fs::remove_all(root_); }
    fs::path folder(const std::string& address) { return root_ / "sys/bus/pci/devices" / address; }
    void put(const std::string& address, const std::string& file, const std::string& text) {
        fs::create_directories(folder(address));
        std::ofstream(folder(address) / file) << text << "\n";
    }
    void bind(const std::string& address, const std::string& driver) {
        fs::remove(folder(address) / "driver");
        fs::create_symlink("../../../bus/pci/drivers/" + driver, folder(address) / "driver");
    }
    void put_82599() {
        put("0000:3b:00.0", "class", "0x020000");
        put("0000:3b:00.0", "vendor", "0x8086");
        put("0000:3b:00.0", "device", "0x10fb");
        put("0000:3b:00.0", "numa_node", "0");
        put("0000:3b:00.0", "current_link_speed", "5.0 GT/s PCIe");
        put("0000:3b:00.0", "current_link_width", "4");
        put("0000:3b:00.0", "max_link_speed", "5.0 GT/s PCIe");
        put("0000:3b:00.0", "max_link_width", "8");
        fs::create_symlink("../../../kernel/iommu_groups/31",
                           folder("0000:3b:00.0") / "iommu_group");
    }
    PciFunction only(const Interfaces& interfaces = {}) {
        const auto all = pci_functions_of(read_pci(files_), interfaces, kIds);
        EXPECT_THAT(all, SizeIs(1));
        return all.empty() ? PciFunction{} : all[0];
    }
    fs::path root_;
    SystemFiles files_;
};

TEST_F(Pci, AFunctionThatTheKernelDrives) {
    put_82599();
    bind("0000:3b:00.0", "ixgbe");
    Interfaces interfaces;
    interfaces.all.resize(2);
    interfaces.all[0].name = "lo";
    interfaces.all[1].name = "eth1";
    interfaces.all[1].pci_address = "0000:3b:00.0";
    const PciFunction nic = only(interfaces);
    EXPECT_EQ(nic.address, "0000:3b:00.0");
    EXPECT_EQ(nic.vendor_id, "8086");
    EXPECT_EQ(nic.device_id, "10fb");
    EXPECT_EQ(nic.name, "Intel Corporation 82599ES 10-Gigabit SFI/SFP+ Network Connection");
    EXPECT_EQ(nic.driver, "ixgbe");
    EXPECT_EQ(nic.state, PciState::kernel);
    EXPECT_THAT(nic.interfaces, ElementsAre("eth1"));
    EXPECT_EQ(nic.numa_node, 0);
    EXPECT_EQ(nic.pcie, (PcieLink{"5.0 GT/s PCIe", 4}));
    EXPECT_EQ(nic.most_pcie, (PcieLink{"5.0 GT/s PCIe", 8}));
    EXPECT_EQ(nic.iommu_group, "31");
    EXPECT_EQ(nic.bind, "dpdk-devbind.py --bind=vfio-pci 0000:3b:00.0");
}

TEST_F(Pci, WhoHasIt) {
    put_82599();
    EXPECT_EQ(only().state, PciState::unbound);
    EXPECT_NE(only().bind, "");
    for (const char* driver : {"vfio-pci", "uio_pci_generic", "igb_uio"}) {
        bind("0000:3b:00.0", driver);
        EXPECT_EQ(only().state, PciState::dpdk) << driver;
        EXPECT_EQ(only().bind, "") << driver;
    }
    bind("0000:3b:00.0", "mlx5_core");
    EXPECT_EQ(only().state, PciState::bifurcated);
    EXPECT_EQ(only().bind, "");
}

TEST_F(Pci, OtherClassesAreNoNics) {
    put_82599();
    put("0000:00:1f.2", "class", "0x010601");
    put("0000:00:1f.3", "vendor", "0x8086");
    put("0000:5e:00.0", "class", "0x020700");  // InfiniBand
    const auto all = read_pci(files_);
    ASSERT_THAT(all, SizeIs(2));
    EXPECT_TRUE(all.contains("0000:5e:00.0"));
}

TEST_F(Pci, AFunctionThatTellsLittle) {
    put("0000:3b:00.0", "class", "0x028000");
    put("0000:3b:00.0", "numa_node", "-1");
    put("0000:3b:00.0", "current_link_speed", "Unknown");
    put("0000:3b:00.0", "current_link_width", "0");
    put("0000:3b:00.0", "max_link_speed", "8.0 GT/s PCIe");
    put("0000:3b:00.0", "max_link_width", "255");
    const PciFunction nic = only();
    EXPECT_EQ(nic.numa_node, std::nullopt);
    EXPECT_EQ(nic.pcie, std::nullopt);
    EXPECT_EQ(nic.most_pcie, std::nullopt);
    EXPECT_EQ(nic.name, "");
    EXPECT_EQ(nic.driver, "");
    EXPECT_EQ(nic.iommu_group, "");
}

TEST_F(Pci, AMachineWithoutPci) {
    fs::remove_all(root_ / "sys");
    EXPECT_THAT(read_pci(files_), IsEmpty());
    EXPECT_EQ(read_pci_ids(files_), "");
}

TEST(PciNames, OfVendorAndDevice) {
    EXPECT_EQ(pci_name(kIds, "10ec", "10fb"), "Realtek Semiconductor Co., Ltd. not the one");
    EXPECT_EQ(pci_name(kIds, "8086", "10f8"),
              "Intel Corporation 82599 10 Gigabit Dual Port Backplane Connection");
    // Not the subsystem, not the next vendor's.
    EXPECT_EQ(pci_name(kIds, "8086", "1028"), "Intel Corporation");
    EXPECT_EQ(pci_name(kIds, "8086", "1078"), "Intel Corporation");
    EXPECT_EQ(pci_name(kIds, "1234", "10fb"), "");
    EXPECT_EQ(pci_name(kIds, "", ""), "");
    EXPECT_EQ(pci_name("", "8086", "10fb"), "");
}

}  // namespace
}  // namespace barewire::machine
