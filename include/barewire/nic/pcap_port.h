// SPDX-License-Identifier: BSD-3-Clause
// Capture files as a port: receives what one file holds, writes what is sent into another.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>

#include <pcap/pcap.h>

#include "barewire/nic/pool.h"
#include "barewire/nic/port.h"

namespace barewire::nic {

/// One sending and one receiving worker at most. Time stamps are those of CLOCK_MONOTONIC_RAW at
/// the send call, laid on the wall clock once, in ns: no pacer's clock is in them.
class PcapPort final : public Port {
  public:
    /// Throws ConfigError where a file cannot be opened or is no Ethernet capture.
    PcapPort(const plan::PortSpec& spec, const PortRequest& request);
    ~PcapPort() override;

    [[nodiscard]] plan::PortFacts facts() const override;
    [[nodiscard]] std::array<uint8_t, 6> mac() const override;
    TxQueue tx_queue(uint32_t index) override;
    RxQueue rx_queue(uint32_t index) override;
    void begin_trial(uint32_t trial) override;
    [[nodiscard]] plan::PortCounters counters() override;
    [[nodiscard]] const std::atomic<bool>* exhausted() const override { return &exhausted_; }
    [[nodiscard]] std::string failure() const override;

  private:
    struct PcapClose {
        void operator()(pcap_t* file) const { pcap_close(file); }
    };
    struct DumpClose {
        void operator()(pcap_dumper_t* file) const { pcap_dump_close(file); }
    };

    static uint16_t send(void* self, rte_mbuf** frames, uint16_t count) noexcept;
    static void flush(void* self) noexcept;
    static uint16_t receive(void* self, rte_mbuf** frames, uint16_t most) noexcept;
    bool next_record(std::span<const uint8_t>& record) noexcept;
    rte_mbuf* next_frame() noexcept;
    void open_in(const plan::PortSpec& spec, const PortRequest& request);
    void open_out(const plan::PortSpec& spec);

    std::string name_;
    std::string in_name_, out_name_;
    std::unique_ptr<pcap_t, PcapClose> in_;
    std::unique_ptr<FramePool> pool_;
    std::unique_ptr<pcap_t, PcapClose> out_format_;
    std::unique_ptr<pcap_dumper_t, DumpClose> out_;
    Ns wall_minus_raw_ns_ = 0;
    std::atomic<bool> exhausted_{false};  // receiving worker: wo; control and worker: ro
    std::atomic<int> errno_{0};           // workers: wo; control: ro
    std::atomic<bool> bad_input_{false};  // the capture ended in the middle of a record
    // One writer each; the control thread reads them after the trial, or approximately.
    std::atomic<uint64_t> sent_{0}, received_{0}, sent_bytes_{0}, received_bytes_{0}, oversize_{0};
};

}  // namespace barewire::nic
