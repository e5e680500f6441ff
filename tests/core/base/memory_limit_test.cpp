// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/memory_limit.h"

#include "core/base/block_storage.h"
#include "core/io/importer.h"
#include "tests/core/index/disk/difference.h"
#include "tests/support/catch.h"
#include "tests/support/nameless_mappings.h"
#include "tests/support/paths.h"

#include <numeric>
#include <string>
#include <vector>

namespace skein::memory_limit_test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kShadowsMemory = true;  ///< sanitizers reserve more than any limit
#else
constexpr bool kShadowsMemory = false;
#endif

namespace {

/// A limit for the time of a test.
class Limited {
public:
    explicit Limited(std::uint64_t bytes) { REQUIRE(setMemoryLimit(bytes)); }
    ~Limited() { setMemoryLimit(0); }
    Limited(const Limited&) = delete;
    Limited& operator=(const Limited&) = delete;
};

}  // namespace

TEST_CASE("large arrays beyond half of the limit lie in files, hold what was written and go without a trace")
{
    if (kShadowsMemory) return;
    constexpr std::size_t kValues = std::size_t{1} << 20;
    const std::uint64_t before = memoryInUse();
    REQUIRE(before > 0);
    const Limited limit(before + (std::uint64_t{64} << 20));
    REQUIRE(memoryLimit() == before + (std::uint64_t{64} << 20));
    {
        BlockStorage storage;
        std::vector<StoredArray<std::uint64_t>> arrays;
        for (std::uint64_t which = 0; which < 40; ++which) {
            arrays.push_back(storage.allocate<std::uint64_t>(kValues));
            std::iota(arrays.back().values.begin(), arrays.back().values.end(), which << 32);
            columnsLeaveMemory(arrays.back().column());
        }
        CHECK(memoryInUse() < before + (std::uint64_t{64} << 20));
        CHECK(test::namelessMappings() > 0);
        for (std::uint64_t which = 0; which < arrays.size(); ++which)
            for (std::size_t i = 0; i < kValues; i += 999)
                REQUIRE(arrays[which].values[i] == (which << 32) + i);
    }
    CHECK(test::namelessMappings() == 0);
}

TEST_CASE("an import under a limit equals one without")
{
    if (kShadowsMemory) return;
    const auto archive = test::sourcePath("examples/eztrace-lulesh-8/trace-otf2");
    const auto expected = openExperiment(archive, Task());
    REQUIRE(expected);
    // Beyond half of the limit, with as much left for libotf2, whose memory is never in files.
    const std::vector<char> held(std::size_t{64} << 20, 'x');
    const Limited limit(2 * memoryInUse() - 1);
    REQUIRE(shouldSpill(1 << 20));
    const auto opened = openExperiment(archive, Task());
    REQUIRE(opened);
    CHECK(test::namelessMappings() > 0);
    CHECK(test::differenceOf(**opened, **expected) == "");
}

TEST_CASE("without a limit nothing is spilled, and small arrays never are")
{
    if (kShadowsMemory) return;
    CHECK_FALSE(shouldSpill(std::size_t{1} << 40));
    const Limited limit(2 * memoryInUse());
    CHECK_FALSE(shouldSpill(100));
    CHECK(shouldSpill(std::size_t{1} << 30));
}

TEST_CASE("a folder that cannot hold a file ends an allocation as too little memory does")
{
    const std::string before = std::getenv("TMPDIR") ? std::getenv("TMPDIR") : "";
    setenv("TMPDIR", "/nowhere/at/all", 1);
    CHECK_THROWS_AS(spilledBlock(1 << 20), std::bad_alloc);
    if (before.empty()) unsetenv("TMPDIR");
    else setenv("TMPDIR", before.c_str(), 1);
}

}  // namespace skein::memory_limit_test
