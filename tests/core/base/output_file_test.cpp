// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/output_file.h"

#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <csignal>
#include <fstream>
#include <iterator>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace skein::output_file_test {
namespace {

namespace fs = std::filesystem;

std::string contentOf(const fs::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::size_t filesIn(const fs::path& folder)
{
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

fs::file_type kindOf(const fs::path& path) { return fs::symlink_status(path).type(); }

/// Files may not grow beyond the size while it lives, as on a full disk.
class FullDisk {
public:
    explicit FullDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN))
    {
        getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit small{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &small);
    }
    ~FullDisk()
    {
        setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;

private:
    void (*handler_)(int);
    rlimit before_{};
};

}  // namespace

TEST_CASE("output file: what is written is whole, and an older file lends its permissions")
{
    const test::TemporaryFolder folder;
    const fs::path file = folder.path() / "map";
    REQUIRE(writeFile(file, "first"));
    CHECK(contentOf(file) == "first");
    REQUIRE(chmod(file.c_str(), 0640) == 0);
    const std::string large(300'000, 'x');
    REQUIRE(writeFile(file, large));
    CHECK(contentOf(file) == large);
    CHECK(fs::status(file).permissions() == fs::perms(0640));
    CHECK(filesIn(folder.path()) == 1);
}

TEST_CASE("output file: links are followed, also to what does not exist yet")
{
    const test::TemporaryFolder folder;
    fs::create_directory(folder.path() / "deep");
    const fs::path target = folder.path() / "deep" / "target", link = folder.path() / "link",
                   second = folder.path() / "second";
    fs::create_symlink("deep/target", link);
    fs::create_symlink(link, second);
    REQUIRE(writeFile(second, "new"));
    CHECK(contentOf(target) == "new");
    REQUIRE(writeFile(link, "newer"));
    CHECK(contentOf(target) == "newer");
    CHECK(kindOf(link) == fs::file_type::symlink);
    CHECK(kindOf(second) == fs::file_type::symlink);
    CHECK(filesIn(folder.path() / "deep") == 1);

    fs::create_symlink("round", folder.path() / "about");
    fs::create_symlink("about", folder.path() / "round");
    CHECK_FALSE(writeFile(folder.path() / "round", "never"));
}

TEST_CASE("output file: what is no regular file is refused and stays what it is")
{
    const test::TemporaryFolder folder;
    const fs::path pipe = folder.path() / "pipe", inside = folder.path() / "folder",
                   toPipe = folder.path() / "to-pipe", toDevice = folder.path() / "to-device";
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    fs::create_directory(inside);
    fs::create_symlink("pipe", toPipe);
    fs::create_symlink("/dev/null", toDevice);
    for (const fs::path& file : {pipe, inside, toPipe, toDevice, fs::path("/dev/null"),
                                 fs::path("/dev/stdout"), inside / "", fs::path("/proc/self/fd/1")}) {
        INFO(file.string());
        const auto written = writeFile(file, "text");
        REQUIRE_FALSE(written);
        CHECK(written.error().code == ErrorCode::Unsupported);
        CHECK(written.error().message.find("; name a file to write.") != std::string::npos);
    }
    CHECK(kindOf(pipe) == fs::file_type::fifo);
    CHECK(kindOf(toPipe) == fs::file_type::symlink);
    CHECK(kindOf("/dev/null") == fs::file_type::character);
    CHECK(filesIn(folder.path()) == 4);
}

TEST_CASE("output file: a folder that is not there is named")
{
    const test::TemporaryFolder folder;
    const auto missing = writeFile(folder.path() / "none" / "map", "text");
    REQUIRE_FALSE(missing);
    CHECK(missing.error().code == ErrorCode::NotFound);
    CHECK(missing.error().message.find("There is no folder") == 0);
    const fs::path file = folder.path() / "file";
    REQUIRE(writeFile(file, "text"));
    CHECK_FALSE(writeFile(file / "map", "text"));
}

TEST_CASE("output file: who fails or gives up leaves the old file and nothing beside it")
{
    const test::TemporaryFolder folder;
    const fs::path file = folder.path() / "map";
    REQUIRE(writeFile(file, "old"));
    {
        const FullDisk full(1000);
        const auto written = writeFile(file, std::string(5000, 'x'));
        REQUIRE_FALSE(written);
        CHECK(written.error().code == ErrorCode::Io);
    }
    {
        auto abandoned = OutputFile::create(file);
        REQUIRE(abandoned);
        REQUIRE(abandoned->write("half"));
    }
    CHECK(contentOf(file) == "old");
    CHECK(filesIn(folder.path()) == 1);
}

TEST_CASE("output file: the folder of the moment and bare names")
{
    const test::TemporaryFolder folder;
    const fs::path before = fs::current_path();
    fs::current_path(folder.path());
    const auto written = writeFile("bare", "text");
    fs::current_path(before);
    REQUIRE(written);
    CHECK(contentOf(folder.path() / "bare") == "text");
    CHECK_FALSE(writeFile("", "text"));
}

}  // namespace skein::output_file_test
