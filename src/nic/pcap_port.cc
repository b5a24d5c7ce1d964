// SPDX-License-Identifier: BSD-3-Clause
// Capture files as a port, by libpcap.
#include "barewire/nic/pcap_port.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "barewire/base/error.h"
#include "barewire/base/knobs.h"

namespace barewire::nic {
namespace {

constexpr uint32_t kInFlight = 1024;
constexpr uint32_t kMostLength = kMaxFrameSize - kFcsSize;
constexpr Ns kSecond = 1'000'000'000;

Ns wall_clock_ns() {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    return static_cast<Ns>(now.tv_sec) * kSecond + now.tv_nsec;
}

void add(std::atomic<uint64_t>& counter, uint64_t n) noexcept {
    counter.store(counter.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
}

}  // namespace

PcapPort::PcapPort(const plan::PortSpec& spec, const PortRequest& request)
    : name_(spec.text), in_name_(spec.pcap_in), out_name_(spec.pcap_out) {
    if (!in_name_.empty() && request.rx_queues > 0) open_in(spec, request);
    if (!out_name_.empty() && request.tx_queues > 0) open_out(spec);
    exhausted_ = in_ == nullptr;
}

PcapPort::~PcapPort() = default;

void PcapPort::open_in(const plan::PortSpec& spec, const PortRequest& request) {
    std::array<char, PCAP_ERRBUF_SIZE> error{};
    in_.reset(pcap_open_offline(spec.pcap_in.c_str(), error.data()));
    if (in_ == nullptr) {
        throw ConfigError(fmt::format("port {}: cannot read a capture: {}", name_, error.data()));
    }
    if (pcap_datalink(in_.get()) != DLT_EN10MB) {
        const char* type = pcap_datalink_val_to_name(pcap_datalink(in_.get()));
        throw ConfigError(fmt::format("port {}: {} holds {} frames, not Ethernet (EN10MB)", name_,
                                      spec.pcap_in, type != nullptr ? type : "unknown"));
    }
    pool_ = std::make_unique<FramePool>("pcap-in", kInFlight, kMostLength, request.rx_queues);
}

void PcapPort::open_out(const plan::PortSpec& spec) {
    out_format_.reset(pcap_open_dead_with_tstamp_precision(DLT_EN10MB, kMaxFrameSize,
                                                           PCAP_TSTAMP_PRECISION_NANO));
    out_.reset(pcap_dump_open(out_format_.get(), spec.pcap_out.c_str()));
    if (out_ == nullptr) {
        throw ConfigError(fmt::format("port {}: cannot write a capture: {}", name_,
                                      pcap_geterr(out_format_.get())));
    }
    wall_minus_raw_ns_ = wall_clock_ns() - monotonic_raw_ns();
}

plan::PortFacts PcapPort::facts() const {
    const FrameLimit limit = frame_limit(plan::PortKind::pcap);
    const auto address = mac();
    return {.port = name_,
            .driver = "libpcap",
            .mac = fmt::format("{:02x}", fmt::join(address, ":")),
            .speed_bps = std::nullopt,
            .max_frame = limit.frame_size,
            .max_frame_by = limit.set_by};
}

std::array<uint8_t, 6> PcapPort::mac() const {
    return {0x02, 0xBA, 0x4E, 0x00, 0x00, 0x0C};
}

TxQueue PcapPort::tx_queue(uint32_t /*index*/) {
    return {&PcapPort::send, &PcapPort::flush, this};
}
RxQueue PcapPort::rx_queue(uint32_t /*index*/) {
    return {&PcapPort::receive, this};
}

void PcapPort::begin_trial(uint32_t /*trial*/) {
    for (auto* counter : {&sent_, &received_, &sent_bytes_, &received_bytes_, &oversize_}) {
        *counter = 0;
    }
}

plan::PortCounters PcapPort::counters() {
    return {.port = name_,
            .ipackets = received_,
            .opackets = sent_,
            .ibytes = received_bytes_,
            .obytes = sent_bytes_,
            .ierrors = oversize_,
            .oerrors = std::nullopt,
            .imissed = std::nullopt,
            .rx_nombuf = std::nullopt};
}

std::string PcapPort::failure() const {
    if (const int code = errno_; code != 0) {
        return fmt::format("port {}: writing {}: {}", name_, out_name_, std::strerror(code));
    }
    if (bad_input_) {
        return fmt::format("port {}: {} ends inside a record or is damaged", name_, in_name_);
    }
    return {};
}

uint16_t PcapPort::send(void* self, rte_mbuf** frames, uint16_t count) noexcept {
    auto& port = *static_cast<PcapPort*>(self);
    const Ns at = port.wall_minus_raw_ns_ + monotonic_raw_ns();
    uint64_t bytes = 0;
    for (uint16_t i = 0; i < count; ++i) {
        if (port.out_ != nullptr) {
            pcap_pkthdr header{};
            header.ts = {at / kSecond, at % kSecond};  // precision ns: tv_usec holds ns
            header.caplen = header.len = frames[i]->data_len;
            pcap_dump(reinterpret_cast<u_char*>(port.out_.get()), &header,
                      rte_pktmbuf_mtod(frames[i], const u_char*));
        }
        bytes += frames[i]->data_len;
    }
    if (port.out_ != nullptr && ferror(pcap_dump_file(port.out_.get())) != 0) {
        if (port.errno_ == 0) port.errno_ = errno != 0 ? errno : EIO;
        return 0;  // not in the file: not offered
    }
    rte_pktmbuf_free_bulk(frames, count);
    add(port.sent_, count);
    add(port.sent_bytes_, bytes);
    return count;
}

/// What is still in the stream's buffer may not fit on the disk either.
void PcapPort::flush(void* self) noexcept {
    auto& port = *static_cast<PcapPort*>(self);
    if (port.out_ == nullptr || pcap_dump_flush(port.out_.get()) == 0) return;
    if (port.errno_ == 0) port.errno_ = errno != 0 ? errno : EIO;
}

/// Next record that a buffer can hold; larger ones are counted. False at the end.
bool PcapPort::next_record(std::span<const uint8_t>& record) noexcept {
    pcap_pkthdr* header = nullptr;
    const u_char* bytes = nullptr;
    for (;;) {
        const int code = pcap_next_ex(in_.get(), &header, &bytes);
        if (code != 1) {
            if (code == PCAP_ERROR) bad_input_ = true;
            exhausted_.store(true, std::memory_order_release);
            return false;
        }
        record = {bytes, header->caplen};
        if (record.size() <= kMostLength) return true;
        add(oversize_, 1);
    }
}

rte_mbuf* PcapPort::next_frame() noexcept {
    rte_mbuf* frame = rte_pktmbuf_alloc(pool_->handle());
    if (frame == nullptr) return nullptr;
    std::span<const uint8_t> record;
    if (!next_record(record)) {
        rte_pktmbuf_free(frame);
        return nullptr;
    }
    const auto length = static_cast<uint16_t>(record.size());
    frame->data_off =
        std::min<uint16_t>(RTE_PKTMBUF_HEADROOM, static_cast<uint16_t>(frame->buf_len - length));
    frame->data_len = length;
    frame->pkt_len = length;
    std::memcpy(rte_pktmbuf_mtod(frame, void*), record.data(), record.size());
    return frame;
}

uint16_t PcapPort::receive(void* self, rte_mbuf** frames, uint16_t most) noexcept {
    auto& port = *static_cast<PcapPort*>(self);
    if (port.in_ == nullptr || port.exhausted_.load(std::memory_order_relaxed)) return 0;
    uint16_t n = 0;
    uint64_t bytes = 0;
    for (; n < most; ++n) {
        frames[n] = port.next_frame();
        if (frames[n] == nullptr) break;
        bytes += frames[n]->data_len;
    }
    add(port.received_, n);
    add(port.received_bytes_, bytes);
    return n;
}

}  // namespace barewire::nic
