// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/importer.h"
#include "tests/core/io/otf2/decodings.h"
#include "tests/support/catch.h"
#include "tests/support/otf2_archive_builder.h"
#include "tests/support/paths.h"

namespace skein::test {

/// An archive of a test in a folder of its own.
struct Otf2TestArchive {
    TemporaryFolder folder;
    Otf2ArchiveBuilder builder;

    explicit Otf2TestArchive(std::uint32_t ranks) : builder(folder.path() / "archive", ranks) {}
    /// Writes the archive and opens it; the test fails where that fails, and where it matters who decodes its
    /// events.
    ExperimentPtr open()
    {
        const std::filesystem::path anchor = builder.finish();
        const auto opened = openExperiment(anchor, Task());
        REQUIRE(opened);
        checkDecodings(anchor);
        return *opened;
    }
};

}  // namespace skein::test
