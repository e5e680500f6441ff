// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/disk/index_format.h"

#include "core/base/fast_hash.h"
#include "core/comm/comm_matrix.h"
#include "core/index/call_sums.h"
#include "core/index/message_skip.h"
#include "core/index/outliers.h"
#include "core/profile/profile.h"
#include "core/trace/events.h"

namespace skein::disk {

/// Made by the build out of the sources, see cmake/ProgramVersion.cmake.
extern const std::uint64_t kSourcesHash;

std::uint64_t programVersion() { return kSourcesHash; }

std::uint64_t layoutOfRows()
{
    static constexpr std::array<std::uint32_t, 16> kSizes{
        sizeof(Message),          sizeof(CollectiveOperation),
        sizeof(CollectiveMember), sizeof(RmaOperation),
        sizeof(IoOperation),      sizeof(ThreadEvent),
        sizeof(ParameterEvent),   sizeof(Marker),
        sizeof(CallPathSample),   sizeof(BufferFlush),
        sizeof(ProgramRun),       sizeof(CommMatrix::Entry),
        sizeof(CallSum),          sizeof(MessageSkip::Block),
        sizeof(Outlier),          sizeof(EventAttribute)};
    return fastHash(bytesOf(kSizes)) ^ sizeof(EventStatistic);
}

}  // namespace skein::disk
