// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/tau_call_trace.h"

#include <cstdint>
#include <fstream>
#include <string>

namespace skein::test {
namespace {

/// 24 bytes: event, node and thread 0, parameter, time.
void addTauRecord(std::string& bytes, std::int32_t event, std::int64_t parameter, std::uint64_t time)
{
    const std::uint32_t nodeAndThread = 0;
    bytes.append(reinterpret_cast<const char*>(&event), sizeof event);
    bytes.append(reinterpret_cast<const char*>(&nodeAndThread), sizeof nodeAndThread);
    bytes.append(reinterpret_cast<const char*>(&parameter), sizeof parameter);
    bytes.append(reinterpret_cast<const char*>(&time), sizeof time);
}

}  // namespace

std::filesystem::path writeTauCallTrace(const std::filesystem::path& folder, std::size_t calls)
{
    constexpr std::int32_t kInit = 60000;
    std::string bytes;
    addTauRecord(bytes, kInit, 3, 1);
    for (std::size_t call = 0; call < calls; ++call) {
        addTauRecord(bytes, 1, 1, 100 + 2 * call);
        addTauRecord(bytes, 1, -1, 101 + 2 * call);
    }
    std::ofstream(folder / "events.0.edf")
        << "1 dynamic_trace_events\n# FunctionId Group Tag \"Name Type\" Parameters\n"
           "1 TAU_USER 0 \"main()\" EntryExit\n";
    std::filesystem::path records = folder / "tautrace.0.0.0.trc";
    std::ofstream(records, std::ios::binary) << bytes;
    return records;
}

}  // namespace skein::test
