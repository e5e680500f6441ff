// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/index_options.h"

#include "core/base/memory_limit.h"
#include "core/base/units.h"

namespace skein::cli {
namespace {

constexpr std::uint64_t kLeastMemory = std::uint64_t{128}
    << 20;  ///< with less not even the libraries are content

}  // namespace

void defineSize(CLI::App& app, const std::string& name, std::uint64_t& bytes, const std::string& help)
{
    const auto take = [&bytes, name](const std::string& text) {
        const auto parsed = parseBytes(text);
        if (!parsed) throw CLI::ValidationError(name, "\"" + text + "\" is no size; write for example 2GiB");
        bytes = *parsed;
    };
    app.add_option_function<std::string>(name, take, help)->option_text("SIZE");
}

void defineIndexOptions(CLI::App& app, disk::IndexSettings& index)
{
    app.add_flag_callback(
        "--no-index", [&index] { index.enabled = false; }, "Neither use nor save the index of an archive");
    const auto takeFolder = [&index](const std::string& folder) { index.folder = folder; };
    app.add_option_function<std::string>(
           "--index-dir", takeFolder,
           "Folder of the indexes (default: $XDG_CACHE_HOME/skein or ~/.cache/skein)")
        ->option_text("DIR");
    defineSize(app, "--index-limit", index.sizeLimit,
               "Room for all indexes; those not used for longest leave first (default 50GiB)");
}

void defineMemoryLimit(CLI::App& app)
{
    const auto take = [](const std::string& text) {
        const auto parsed = parseBytes(text);
        if (!parsed || *parsed < kLeastMemory)
            throw CLI::ValidationError("--memory-limit",
                                       "\"" + text + "\" is no size from 128MiB on; write for example 2GiB");
        setMemoryLimit(*parsed);
    };
    app.add_option_function<std::string>(
           "--memory-limit", take,
           "Most memory to take; what does not fit goes to files in $TMPDIR or /var/tmp")
        ->option_text("SIZE")
        ->envname("SKEIN_MEMORY_LIMIT");
}

}  // namespace skein::cli
