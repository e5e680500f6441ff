// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/importer.h"
#include "tests/support/catch.h"
#include "tests/support/otf2_archive_builder.h"
#include "tests/support/paths.h"

namespace skein::test {

/// An archive of a test in a folder of its own.
struct Otf2TestArchive {
    TemporaryFolder folder;
    Otf2ArchiveBuilder builder;

    explicit Otf2TestArchive(std::uint32_t ranks) : builder(folder.path() / "archive", ranks) {}
    /// Writes the archive and opens it; the test fails where that fails.
    ExperimentPtr open()
    {
        const auto opened = openExperiment(builder.finish(), Task());
        REQUIRE(opened);
        return *opened;
    }
};

}  // namespace skein::test
