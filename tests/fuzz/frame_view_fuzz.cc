// SPDX-License-Identifier: BSD-3-Clause
// Any bytes as a received frame: the view reads none beyond them, and its answers do not
// contradict each other.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "barewire/base/check.h"
#include "barewire/wire/checksum.h"
#include "barewire/wire/frame_view.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using namespace barewire::wire;

void check_whole(const FrameView& view, std::span<const uint8_t> frame) {
    BW_CHECK(view.ipv4_udp());
    BW_CHECK(view.l3_length() >= 28);
    BW_CHECK(view.payload().size() == view.l3_length() - 28);
    BW_CHECK(view.payload().data() + view.payload().size() == frame.data() + frame.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::span<const uint8_t> frame(data, size);
    const FrameView view(frame);
    BW_CHECK(view.l3_offset() + view.l3_length() == size);
    BW_CHECK(l3_length(frame) == view.l3_length());
    BW_CHECK(!frame_class_name(view.frame_class()).empty());
    BW_CHECK((view.frame_class() == FrameClass::runt) == (size < 14));
    BW_CHECK(view.payload().size() <= size);
    if (view.lengths_agree()) check_whole(view, frame);
    if (view.udp_checksum_valid() || view.ip_checksum_valid()) BW_CHECK(view.ipv4_udp());
    static_cast<void>(payload_crc_valid(view.payload()));
    if (view.signature()) {
        BW_CHECK(size >= view.l3_offset() + 28 + kSignatureSize);
        BW_CHECK(std::memcmp(&*view.signature(), data + view.l3_offset() + 28, kSignatureSize) ==
                 0);
        BW_CHECK((view.frame_class() == FrameClass::other_run) == view.ipv4_udp());
    }
    ForeignTally tally;
    tally.add(view.frame_class(), view.ethertype());
    BW_CHECK(tally.total() == 1 && tally.by_name().size() == 1);
    return 0;
}
