// SPDX-License-Identifier: BSD-3-Clause
// The ports of made-up machines, as JSON and as a page.
// BAREWIRE_REGENERATE=1 in the environment writes the golden pages anew; read the difference.
#include "barewire/report/ports.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "barewire/report/text.h"

#include "survey_samples.h"

namespace barewire::report {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

void expect_golden(const std::string& name, const std::string& text) {
    const char* folder = std::getenv("BAREWIRE_GOLDEN");
    ASSERT_NE(folder, nullptr) << "BAREWIRE_GOLDEN is to name tests/unit/report/golden";
    const std::string path = std::string(folder) + "/" + name + ".txt";
    if (std::getenv("BAREWIRE_REGENERATE") != nullptr) std::ofstream(path) << text;
    std::ifstream file(path);
    const std::string kept{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    EXPECT_EQ(text, kept) << path;
}

/// The element of a list whose `key` is `value`.
const Json& find(const Json& list, const char* key, const std::string& value) {
    for (const Json& element : list) {
        if (element[key] == value) return element;
    }
    ADD_FAILURE() << "no " << key << " " << value;
    return list[0];
}

TEST(PortsPage, IsAsKept) {
    expect_golden("ports_server", render_text(samples::ports_result(samples::server()), {}));
    expect_golden("ports_private",
                  render_text(samples::ports_result(samples::private_namespace()), {}));
}

TEST(PortsPage, FitsAnyTerminalInAscii) {
    machine::Survey survey = samples::server();
    survey.network.links[0].name = "\x1b[2J\xff" + std::string(100, 'x');
    const Json result = samples::ports_result(survey);
    for (size_t width = 40; width <= 80; ++width) {
        std::istringstream lines(render_text(result, {.width = width}));
        for (std::string line; std::getline(lines, line);) {
            EXPECT_LE(line.size(), width) << line;
            EXPECT_FALSE(line.ends_with(' ')) << line;
            for (const char c : line) EXPECT_TRUE(c >= ' ' && c <= '~') << line;
        }
    }
}

TEST(PortsPage, ColoursTheFirstWordOnly) {
    const Json result = samples::ports_result(samples::server());
    const std::string plain = render_text(result, {});
    ASSERT_THAT(plain, StartsWith("OK "));
    EXPECT_EQ(render_text(result, {.colour = true}), "\x1b[1;32mOK\x1b[0m" + plain.substr(2));
}

TEST(PortsPage, NothingToUseIsSaidFirst) {
    EXPECT_THAT(render_text(samples::ports_result({}), {}), StartsWith("NONE "));
}

TEST(PortsPage, ReadsObjectsOfOtherVersions) {
    for (const char* json :
         {R"({"ports": {}})", R"({"ports": {"nics": [3, {}], "interfaces": {}, "kinds": null}})",
          R"({"ports": {"interfaces": [{"ports": ["af_packet:x"], "mtu": "many"}]}})"}) {
        EXPECT_THAT(render_text(Json::parse(json), {}), testing::EndsWith("\n")) << json;
    }
}

TEST(PortsJson, WhyAnInterfaceWouldBeRefused) {
    const Json ports = ports_json(samples::server());
    EXPECT_EQ(ports["default_route"], true);
    const auto refused = [&](const char* name) {
        const Json& why = find(ports["interfaces"], "name", name)["refused"];
        return why.empty() ? std::string() : why[0].get<std::string>();
    };
    EXPECT_THAT(refused("eno1"), HasSubstr("192.0.2.7/24"));
    EXPECT_THAT(refused("v0"), HasSubstr("br0, which has the address 10.9.0.1/24"));
    EXPECT_THAT(refused("ens1f1"), HasSubstr("no link"));
    EXPECT_EQ(refused("ens1f0"), "");
}

TEST(PortsJson, NamesToType) {
    const Json ports = ports_json(samples::server());
    const Json& list = ports["interfaces"];
    EXPECT_EQ(find(list, "name", "v0")["ports"], Json({"af_packet:v0", "af_xdp:v0"}));
    EXPECT_EQ(find(list, "name", "v0")["max_frame"], 1518);
    // A jumbo frame is too large for XDP; a tunnel carries no Ethernet.
    EXPECT_EQ(find(list, "name", "ens1f0")["ports"], Json::array({"af_packet:ens1f0"}));
    EXPECT_EQ(find(list, "name", "ens1f0")["max_frame"], 9018);
    EXPECT_EQ(find(list, "name", "wg0")["ports"], Json::array());
    EXPECT_EQ(find(list, "name", "wg0")["max_frame"], nullptr);
}

TEST(PortsJson, TheCommandThatBinds) {
    const Json ports = ports_json(samples::server());
    const auto bind = [&](const char* address) {
        return find(ports["nics"], "address", address)["bind"];
    };
    EXPECT_EQ(bind("0000:3b:00.0"), "dpdk-devbind.py --bind=vfio-pci 0000:3b:00.0");
    EXPECT_EQ(bind("0000:af:00.1"), "dpdk-devbind.py --bind=vfio-pci 0000:af:00.1");
    // It would cut off the host; already bound; used beside the kernel.
    EXPECT_EQ(bind("0000:01:00.0"), nullptr);
    EXPECT_EQ(bind("0000:af:00.0"), nullptr);
    EXPECT_EQ(bind("0000:5e:00.0"), nullptr);
    // Whose interface is in another namespace, who knows what it is for?
    const Json elsewhere = ports_json(samples::private_namespace());
    EXPECT_EQ(elsewhere["nics"][0]["bind"], nullptr);
    EXPECT_THAT(render_text(samples::ports_result(samples::private_namespace()), {}),
                Not(HasSubstr("--bind")));
}

TEST(PortsJson, TheRecordHoldsWhatWasRead) {
    const machine::Survey survey = samples::server();
    const Json record = record_json(survey);
    EXPECT_EQ(record["links"].size(), survey.network.links.size());
    EXPECT_EQ(record["links"][0]["name"], "eno1");
    EXPECT_EQ(record["proc/net/route"], survey.network.ipv4_routes);
    EXPECT_EQ(record["sys/bus/pci/devices"]["0000:3b:00.0"]["vendor"], "0x8086");
    EXPECT_EQ(record["devices"]["ens2"]["fec"], "rs");
    EXPECT_EQ(record["addresses"][1]["link_local"], true);
}

}  // namespace
}  // namespace barewire::report
