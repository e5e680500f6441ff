// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/otf2/otf2_importer.h"
#include "tests/core/index/disk/difference.h"
#include "tests/support/catch.h"

#include <filesystem>

namespace skein::test {

/// The test fails where an archive differs by who decodes its events, the importer itself or libotf2.
inline void checkDecodings(const std::filesystem::path& anchor)
{
    INFO(anchor);
    const auto own = otf2::readOtf2(anchor, otf2::EventDecoding::OwnWherePossible, Task().withThreads(4));
    const auto byLibrary = otf2::readOtf2(anchor, otf2::EventDecoding::Library, Task().withThreads(1));
    REQUIRE(own.has_value() == byLibrary.has_value());
    if (own) CHECK(differenceOf(*own, *byLibrary) == "");
}

}  // namespace skein::test
