// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/cli.h"
#include "tests/support/paths.h"

#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace skein::index_rights_test {
namespace {

namespace fs = std::filesystem;

constexpr uid_t kNobody = 65534;

/// For root no folder is closed: works as somebody else while it lives.
class OrdinaryUser {
public:
    OrdinaryUser() : changed_(geteuid() == 0 && seteuid(kNobody) == 0) {}
    ~OrdinaryUser()
    {
        if (changed_) changed_ = seteuid(0) != 0;
    }
    OrdinaryUser(const OrdinaryUser&) = delete;
    OrdinaryUser& operator=(const OrdinaryUser&) = delete;

private:
    bool changed_;
};

struct Indexes {
    test::TemporaryFolder folder;
    fs::path indexes = folder.path() / "indexes";
    std::string archive = test::sourcePath("examples/lulesh-8/trace-otf2").string();

    Indexes() { REQUIRE(run({"index", "build", archive}).exitCode == 0); }
    ~Indexes() { chmod(indexes.c_str(), 0700); }
    test::CliResult run(std::vector<std::string> arguments) const
    {
        arguments.insert(arguments.begin(), {"--index-dir", indexes.string()});
        return test::runCli(arguments, cli::Opener{});
    }
    test::CliResult runWithoutRights(const std::vector<std::string>& arguments) const
    {
        const OrdinaryUser user;
        return run(arguments);
    }
};

}  // namespace

TEST_CASE("index command: a folder without rights is not an empty one")
{
    const Indexes kept;
    chmod(kept.folder.path().c_str(), 0755);
    chmod(kept.indexes.c_str(), 0);
    const std::vector<std::vector<std::string>> commands{{"index", "list"},
                                                         {"index", "drop", "--all"},
                                                         {"index", "info", kept.archive},
                                                         {"index", "drop", kept.archive}};
    for (const auto& command : commands) {
        INFO(command[1] << " " << command.back());
        const auto result = kept.runWithoutRights(command);
        CHECK(result.exitCode == 1);
        CHECK(result.err.find("Permission denied") != std::string::npos);
    }
    chmod(kept.indexes.c_str(), 0700);
    CHECK(kept.run({"index", "drop", "--all"}).out == "1 index dropped.\n");
}

TEST_CASE("index command: an index that may not be removed or read is told")
{
    const Indexes kept;
    chmod(kept.folder.path().c_str(), 0755);
    chmod(kept.indexes.c_str(), 0555);
    for (const auto& entry : fs::directory_iterator(kept.indexes)) chmod(entry.path().c_str(), 0);
    const auto listed = kept.runWithoutRights({"index", "list", "--verify"});
    CHECK(listed.out.find("cannot be read") != std::string::npos);
    CHECK(listed.out.find("damaged") == std::string::npos);
    const auto dropped = kept.runWithoutRights({"index", "drop", "--all"});
    CHECK(dropped.exitCode == 1);
    CHECK(dropped.out == "0 indexes dropped.\n");
    CHECK(dropped.err.find("cannot be removed") != std::string::npos);
}

TEST_CASE("index command: a file in place of the folder is no folder without indexes, a missing one is")
{
    const Indexes kept;
    const auto at = [](const fs::path& folder) {
        return test::runCli({"--index-dir", folder.string(), "index", "list"}, cli::Opener{});
    };
    const auto file = fileWith(kept.folder, "file", "no folder");
    CHECK(at(file).exitCode == 1);
    CHECK(at(kept.folder.path() / "none").exitCode == 0);
}

}  // namespace skein::index_rights_test
