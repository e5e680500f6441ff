// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/index_options.h"

#include "core/base/memory_limit.h"
#include "core/base/units.h"

namespace skein::cli {
namespace {

constexpr std::uint64_t kLeastMemory = std::uint64_t{128}
    << 20;  ///< with less not even the libraries are content

}  // namespace

void defineSize(CommandLine& line, const std::string& name, std::uint64_t& bytes, const std::string& help)
{
    const auto take = [&bytes](const std::string& text) -> std::optional<std::string> {
        const auto parsed = parseBytes(text);
        if (!parsed) return "\"" + text + "\" is no size; write for example 2GiB";
        bytes = *parsed;
        return std::nullopt;
    };
    line.option(name, take, help).valueName("SIZE");
}

void defineIndexOptions(CommandLine& line, disk::IndexSettings& index)
{
    line.flag(
        "--no-index", [&index] { index.enabled = false; }, "Neither use nor save the index of an archive");
    const auto takeFolder = [&index](const std::string& folder) -> std::optional<std::string> {
        index.folder = folder;
        return std::nullopt;
    };
    line.option("--index-dir", takeFolder,
                "Folder of the indexes (default: $XDG_CACHE_HOME/skein or ~/.cache/skein)")
        .valueName("DIR");
    defineSize(line, "--index-limit", index.sizeLimit,
               "Room for all indexes; those not used for longest leave first (default 50GiB)");
}

void defineMemoryLimit(CommandLine& line)
{
    const auto take = [](const std::string& text) -> std::optional<std::string> {
        const auto parsed = parseBytes(text);
        if (!parsed || *parsed < kLeastMemory)
            return "\"" + text + "\" is no size from 128MiB on; write for example 2GiB";
        setMemoryLimit(*parsed);
        return std::nullopt;
    };
    line.option("--memory-limit", take,
                "Most memory to take; what does not fit goes to files in $TMPDIR or /var/tmp")
        .valueName("SIZE")
        .environment("SKEIN_MEMORY_LIMIT");
}

}  // namespace skein::cli
