// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/column.h"

#include <algorithm>
#include <cstddef>
#include <span>

namespace skein {

/// Tells the system that these bytes will be looked at soon. Of a mapped file it reads what is not in memory
/// in the background: many stretches asked for beforehand come at once, those met one by one each after the
/// one before. Returns without waiting for them, in a microsecond or two; changes nothing where they are in
/// memory.
void readAhead(std::span<const std::byte> bytes);

/// The same for `count` values of a column from `first` on, as far as there are so many.
template <typename T>
void readAhead(const Column<T>& column, std::size_t first, std::size_t count)
{
    const std::size_t from = std::min(first, column.size());
    readAhead(std::as_bytes(column.span().subspan(from, std::min(count, column.size() - from))));
}

/// Whether all of these bytes are in memory, so that nothing is gained by readAhead(). False as well where
/// there are too many (64 MiB) to find out. 20 ns a page.
bool isInMemory(std::span<const std::byte> bytes);

}  // namespace skein
