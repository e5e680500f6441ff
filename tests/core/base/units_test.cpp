// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/presentation.h"
#include "core/base/units.h"
#include "tests/support/catch.h"

namespace skein::units_test {

TEST_CASE("durations carry an SI unit and at most four significant digits")
{
    CHECK(formatDuration(0) == "0 ns");
    CHECK(formatDuration(870) == "870 ns");
    CHECK(formatDuration(12'500'000) == "12.5 ms");
    CHECK(formatDuration(999.96) == "1 µs");
    CHECK(formatDuration(123'456'789'000.0) == "123.5 s");
    CHECK(formatDuration(-1500) == "-1.5 µs");
}

TEST_CASE("bytes use binary prefixes, or SI ones where the reader wants them, and counts SI prefixes")
{
    CHECK(formatBytes(512) == "512 B");
    CHECK(formatBytes(1024) == "1 KiB");
    CHECK(formatBytes(1426624) == "1.361 MiB");
    setByteUnits(ByteUnits::Decimal);
    CHECK(formatBytes(512) == "512 B");
    CHECK(formatBytes(1426624) == "1.427 MB");
    CHECK(formatBytes(999.99) == "1 kB");
    setByteUnits(ByteUnits::Binary);
    CHECK(formatCount(9999) == "9999");
    CHECK(formatCount(54458) == "54.46 k");
    CHECK(formatGrouped(-1426624) == "-1,426,624");
}

}  // namespace skein::units_test
