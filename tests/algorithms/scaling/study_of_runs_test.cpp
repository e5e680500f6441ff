// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/scaling/study_of_runs.h"

#include "tests/support/catch.h"

#include <random>

namespace skein::study_of_runs_test {

TEST_CASE("paths give back the names that they were made of, whatever letters are in them")
{
    CHECK(partOfPath("a/b") == "a\\/b");
    CHECK(partOfPath("a\\") == "a\\\\");
    CHECK(partsOfPath("main/C:\\work") == std::vector<std::string>{"main", "C:\\work"});
    std::mt19937 random(7);
    for (int i = 0; i < 2000; ++i) {
        std::vector<std::string> names(1 + random() % 4);
        std::string path;
        for (std::size_t at = 0; at < names.size(); ++at) {
            for (std::size_t k = random() % 5; k > 0; --k) names[at] += "a/\\"[random() % 3];
            path += (at > 0 ? "/" : "") + partOfPath(names[at]);
        }
        CHECK(partsOfPath(path) == names);
    }
}

}  // namespace skein::study_of_runs_test
