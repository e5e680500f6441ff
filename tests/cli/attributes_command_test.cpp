// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/cli.h"
#include "tests/support/paths.h"
#include "tests/support/task_archive.h"

namespace skein::attributes_command_test {

TEST_CASE("attributes are printed by location and call, and chosen by name, value and window")
{
    const test::TemporaryFolder folder;
    const std::string archive = test::writeTaskArchive(folder.path() / "archive").string();
    const auto print = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"attributes", archive, "--format", "csv"});
        const auto result = test::runCli(more);
        INFO(result.err);
        REQUIRE(result.exitCode == 0);
        return result.out;
    };
    const std::string header = "location,region,begin_ns,end_ns,event,time_ns,attribute,value\n";
    CHECK(print({})
          == header
              + "Rank 0,start,0,10,enter and leave,0,GUID,1\n"
                "Rank 0,start,0,10,enter and leave,0,Parent GUID,0\n"
                "Rank 0,wait,500,900,enter and leave,500,GUID,1\n"
                "Rank 0,wait,500,900,enter and leave,500,Parent GUID,0\n"
                "Rank 1,work,100,200,enter and leave,100,GUID,2\n"
                "Rank 1,work,100,200,enter and leave,100,Parent GUID,1\n"
                "Rank 1,work,100,200,other,150,bytes,4096\n"
                "Rank 1,work,600,700,enter and leave,600,GUID,3\n"
                "Rank 1,work,600,700,enter and leave,600,Parent GUID,2\n");
    CHECK(print({"--attribute", "GUID", "--value", "1"})
          == header
              + "Rank 0,start,0,10,enter and leave,0,GUID,1\n"
                "Rank 0,wait,500,900,enter and leave,500,GUID,1\n");
    CHECK(print({"--window", "120:600"})
          == header
              + "Rank 0,wait,500,900,enter and leave,500,GUID,1\n"
                "Rank 0,wait,500,900,enter and leave,500,Parent GUID,0\n"
                "Rank 1,work,100,200,other,150,bytes,4096\n");
    const auto unknown = test::runCli({"attributes", archive, "--attribute", "guid"});
    CHECK(unknown.exitCode == 2);
    CHECK(unknown.err.find("GUID, Parent GUID, bytes") != std::string::npos);
}

}  // namespace skein::attributes_command_test
