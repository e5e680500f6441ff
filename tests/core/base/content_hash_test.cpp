// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/content_hash.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <fstream>

namespace skein::content_hash_test {

TEST_CASE("the content hash is SHA-1 and tells folders with different files apart")
{
    // Test vectors of FIPS 180: none, one and many blocks.
    CHECK(contentHash("") == "sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709");
    CHECK(contentHash("abc") == "sha1:a9993e364706816aba3e25717850c26c9cd0d89d");
    CHECK(contentHash(std::string(1'000'000, 'a')) == "sha1:34aa973cd4c4daa4f61eeb2bdbad27316534016f");
    const test::TemporaryFolder folder;
    std::ofstream(folder.path() / "a") << "abc";
    CHECK(*contentHash(folder.path() / "a", Task()) == contentHash("abc"));
    const auto before = *contentHash(folder.path(), Task());
    CHECK(before == *contentHash(folder.path(), Task()));
    std::filesystem::rename(folder.path() / "a", folder.path() / "b");
    CHECK(before != *contentHash(folder.path(), Task()));
    CHECK(contentHash(folder.path() / "missing", Task()).error().code == ErrorCode::NotFound);
}

}  // namespace skein::content_hash_test
