// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/fast_hash.h"
#include "core/index/disk/index_format.h"
#include "core/index/disk/index_reader.h"
#include "core/index/disk/open_archive.h"
#include "core/io/importer.h"
#include "tests/core/index/disk/difference.h"
#include "tests/support/catch.h"
#include "tests/support/index_fixture.h"

#include <random>
#include <sys/stat.h>

namespace skein::damage_test {

using namespace skein::disk;
using namespace skein::test;

namespace {

namespace fs = std::filesystem;

/// An archive with its good index, which tests damage.
struct Damaged : IndexFixture {
    fs::path archive = copyOfExample("eztrace-lulesh-8/trace-otf2", "copy");
    fs::path file = save(archive);
    std::string good = contentsOf(file);
    ExperimentPtr imported = *openExperiment(archive, Task());

    /// Neither used nor an obstacle.
    void checkRebuilt() const
    {
        const auto opened = openArchive(archive, settings, Task());
        REQUIRE(opened);
        CHECK_FALSE(opened->fromIndex);
        CHECK(differenceOf(*opened->experiment, *imported) == "");
        REQUIRE(opened->unsaved);
        REQUIRE(saveIndex(*opened->unsaved, settings, Task()));
        const auto again = openArchive(archive, settings, Task());
        REQUIRE(again);
        CHECK(again->fromIndex);
        CHECK(differenceOf(*again->experiment, *imported) == "");
    }
};

bool isMalformed(const Result<IndexContents>& opened)
{
    return !opened && opened.error().code == ErrorCode::Malformed;
}

Header headerOf(const std::string& bytes)
{
    Header header;
    std::memcpy(&header, bytes.data(), sizeof header);
    return header;
}

/// Puts a header in place, with the checksum that belongs to it.
void seal(std::string& bytes, Header header)
{
    header.headerHash = 0;
    std::memcpy(bytes.data(), &header, sizeof header);
    header.headerHash = fastHash(std::as_bytes(std::span(bytes.data(), kHeaderBytes)));
    std::memcpy(bytes.data(), &header, sizeof header);
}

}  // namespace

TEST_CASE("damaged index: every length that is too short or too long is noticed")
{
    const Damaged index;
    std::vector<std::size_t> lengths{
        0, 1, 8, 100, kHeaderBytes - 1, kHeaderBytes, kHeaderBytes + 1, index.good.size() - 1};
    for (std::size_t part = 1; part < 60; ++part) lengths.push_back(index.good.size() * part / 60);
    for (const std::size_t length : lengths) {
        INFO(length << " of " << index.good.size() << " bytes");
        replaceContents(index.file, index.good.substr(0, length));
        CHECK(isMalformed(openIndex(index.file, Verify::WhenUnsure, Task())));
        CHECK_FALSE(readSummary(index.file));
        CHECK_FALSE(damagedBlocks(index.file, Task()));
    }
    replaceContents(index.file, index.good + "x");
    CHECK(isMalformed(openIndex(index.file, Verify::WhenUnsure, Task())));
    replaceContents(index.file, index.good.substr(0, index.good.size() / 2));
    index.checkRebuilt();
}

TEST_CASE("damaged index: every flipped bit is noticed, wherever it lies")
{
    const Damaged index;
    std::mt19937_64 random(7);
    const Header header = headerOf(index.good);
    const auto within = [&](std::uint64_t from, std::uint64_t to) { return from + random() % (to - from); };
    for (int round = 0; round < 400; ++round) {
        const std::uint64_t places[] = {
            within(0, sizeof(Header)), within(0, kHeaderBytes), within(kHeaderBytes, header.catalogOffset),
            within(header.catalogOffset, index.good.size()), within(header.blockHashes, index.good.size())};
        const std::uint64_t at = places[round % 5];
        const char flipped = static_cast<char>(index.good[at] ^ (1 << random() % 8));
        INFO("byte " << at);
        overwrite(index.file, at, std::string(1, flipped));
        REQUIRE(isMalformed(openIndex(index.file, Verify::WhenUnsure, Task())));
        overwrite(index.file, at, std::string(1, index.good[at]));
    }
    CHECK(openIndex(index.file, Verify::WhenUnsure, Task()));
    overwrite(index.file, kHeaderBytes + 64, "damage");
    CHECK(damagedBlocks(index.file, Task()) == std::vector<std::size_t>{0});
    index.checkRebuilt();
}

TEST_CASE("damaged index: a change under an old time is noticed although the file bears a stamp")
{
    const Damaged index;
    const auto time = fs::last_write_time(index.file);
    overwrite(index.file, kHeaderBytes + 64, "damage");
    fs::last_write_time(index.file, time);
    CHECK(isMalformed(openIndex(index.file, Verify::WhenUnsure, Task())));
    index.checkRebuilt();
}

TEST_CASE("damaged index: what is no index of this program is not believed")
{
    const Damaged index;
    std::string bytes = index.good;
    Header header = headerOf(bytes);
    SECTION("another file") { bytes.assign(100'000, 'x'); }
    SECTION("zeros of the right length") { bytes.assign(bytes.size(), '\0'); }
    SECTION("another version of the program")
    {
        ++header.programVersion;
        seal(bytes, header);
    }
    SECTION("another version of the format")
    {
        ++header.formatVersion;
        seal(bytes, header);
    }
    SECTION("rows of other sizes")
    {
        ++header.layout;
        seal(bytes, header);
    }
    SECTION("the other byte order")
    {
        header.byteOrder = 0x04030201;
        seal(bytes, header);
    }
    SECTION("places outside the file")
    {
        header.catalogOffset = ~std::uint64_t{0} - 63;
        seal(bytes, header);
    }
    replaceContents(index.file, bytes);
    const auto opened = openIndex(index.file, Verify::WhenUnsure, Task());
    CHECK(isMalformed(opened));
    CHECK(opened.error().message.find("is not used: ") != std::string::npos);
    index.checkRebuilt();
}

TEST_CASE("damaged index: one of another archive is not taken for this one's")
{
    const Damaged index;
    const auto other = index.save(index.copyOfExample("lulesh-8/profile-flat", "other"));
    fs::copy_file(other, index.file, fs::copy_options::overwrite_existing);
    REQUIRE(openIndex(index.file, Verify::Always, Task()));
    index.checkRebuilt();
}

TEST_CASE("damaged index: what is no file in its place is left alone")
{
    const Damaged index;
    fs::remove(index.file);
    SECTION("a folder") { fs::create_directory(index.file); }
    SECTION("a pipe") { REQUIRE(mkfifo(index.file.c_str(), 0600) == 0); }
    SECTION("an endless file") { fs::create_symlink("/dev/zero", index.file); }
    const auto opened = openArchive(index.archive, index.settings, Task());
    REQUIRE(opened);
    CHECK_FALSE(opened->fromIndex);
    CHECK(differenceOf(*opened->experiment, *index.imported) == "");
}

TEST_CASE("damaged index: a catalog that lies under a right checksum does no harm")
{
    const Damaged index;
    const Header good = headerOf(index.good);
    std::mt19937_64 random(11);
    const auto file = index.settings.folder / "lie.skein-index";
    for (int round = 0; round < 100; ++round) {
        std::string bytes = index.good;
        for (std::uint64_t change = 0; change <= random() % 3; ++change)
            bytes[good.catalogOffset + random() % good.catalogBytes] = static_cast<char>(random());
        Header header = good;
        header.catalogHash =
            fastHash(std::as_bytes(std::span(bytes).subspan(header.catalogOffset, header.catalogBytes)));
        seal(bytes, header);
        replaceContents(file, bytes);
        const auto opened = openIndex(file, Verify::WhenUnsure, Task());
        if (!opened) CHECK(opened.error().code == ErrorCode::Malformed);
        REQUIRE(dropIndex(file));
    }
}

}  // namespace skein::damage_test
