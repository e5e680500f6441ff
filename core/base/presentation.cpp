// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/presentation.h"

#include <atomic>

namespace skein {
namespace {

std::atomic<ByteUnits>& chosenUnits()
{
    static std::atomic<ByteUnits> units{ByteUnits::Binary};
    return units;
}

std::atomic<LongNames>& chosenNames()
{
    static std::atomic<LongNames> names{LongNames::Whole};
    return names;
}

}  // namespace

ByteUnits byteUnits() { return chosenUnits().load(std::memory_order_relaxed); }

void setByteUnits(ByteUnits units) { chosenUnits().store(units, std::memory_order_relaxed); }

LongNames longNames() { return chosenNames().load(std::memory_order_relaxed); }

void setLongNames(LongNames names) { chosenNames().store(names, std::memory_order_relaxed); }

}  // namespace skein
