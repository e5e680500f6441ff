// SPDX-License-Identifier: GPL-3.0-or-later
// What commands do with a FILE of -o that is no plain file.
#include "tests/support/catch.h"
#include "tests/support/cli.h"
#include "tests/support/paths.h"

#include <fstream>
#include <iterator>
#include <sys/stat.h>

namespace skein::written_files_test {
namespace {

namespace fs = std::filesystem;

std::string contentOf(const fs::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// Both commands that write maps, with little to do; a search by time would last longer than the test may.
std::vector<std::vector<std::string>> writersOf(const test::TemporaryFolder& folder,
                                                const std::string& output)
{
    const auto comm = fileWith(folder, "comm.csv", "sender,receiver,bytes\n0,3,100\n1,2,1\n");
    const auto map = fileWith(folder, "places.csv", "rank,host,slot\n0,a,0\n1,b,0\n");
    return {{"map", "convert", map, "--to", "openmpi", "-o", output},
            {"remap", comm, "--topology", "mesh:4", "--steps", "100", "--launcher", "openmpi", "-o", output}};
}

std::size_t filesIn(const fs::path& folder)
{
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

}  // namespace

TEST_CASE("maps are written through links, and neither devices nor pipes are replaced by them")
{
    const test::TemporaryFolder inputs, outputs;
    const fs::path link = outputs.path() / "link", target = outputs.path() / "target",
                   pipe = outputs.path() / "pipe", device = outputs.path() / "device";
    fs::create_symlink("target", link);
    fs::create_symlink("/dev/null", device);
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    for (const fs::path& refused : {pipe, device, outputs.path()}) {
        for (const auto& command : writersOf(inputs, refused.string())) {
            INFO(command.front() << " " << refused);
            const auto result = test::runCli(command);
            CHECK(result.exitCode == 1);
            CHECK(result.out.empty());
            CHECK(result.err.find("; name a file to write.") != std::string::npos);
        }
    }
    CHECK(fs::symlink_status(pipe).type() == fs::file_type::fifo);
    CHECK(fs::symlink_status("/dev/null").type() == fs::file_type::character);
    CHECK(filesIn(outputs.path()) == 3);
    for (const auto& command : writersOf(inputs, link.string())) {
        INFO(command.front());
        CHECK(test::runCli(command).exitCode == 0);
        CHECK(fs::symlink_status(link).type() == fs::file_type::symlink);
        CHECK(contentOf(target).find("rank 0=") != std::string::npos);
        fs::remove(target);
    }
    CHECK(filesIn(outputs.path()) == 6);  // link, pipe, device and, beside the link, table, JSON and script
}

TEST_CASE("where one of the files beside a map cannot be written none is")
{
    const test::TemporaryFolder inputs, outputs;
    const fs::path map = outputs.path() / "map";
    fs::create_directory(map.string() + ".json");
    for (const auto& command : writersOf(inputs, map.string())) {
        INFO(command.front());
        CHECK(test::runCli(command).exitCode == 1);
    }
    fs::remove(map.string() + ".csv");  // remap keeps what it found as a table of its own
    for (const char* suffix : {"", ".mapping.csv", ".sh"}) CHECK_FALSE(fs::exists(map.string() + suffix));
}

}  // namespace skein::written_files_test
