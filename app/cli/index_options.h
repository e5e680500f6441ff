// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command_line.h"
#include "core/index/disk/index_cache.h"

#include <cstdint>
#include <string>

namespace skein::cli {

/// An option that takes a size such as "2GiB"; `bytes` stays as it is where the option is not given.
void defineSize(CommandLine& line, const std::string& name, std::uint64_t& bytes, const std::string& help);

/// --no-index, --index-dir and --index-limit, which all programs share.
void defineIndexOptions(CommandLine& line, disk::IndexSettings& index);

/// --memory-limit, and $SKEIN_MEMORY_LIMIT where it is not given: bounds the process's own memory from then
/// on.
void defineMemoryLimit(CommandLine& line);

}  // namespace skein::cli
