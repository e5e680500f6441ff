// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/launcher/hosts.h"
#include "tests/support/catch.h"

namespace skein::hosts_test {

TEST_CASE("hosts are read in the ways in which users and batch systems write them")
{
    using Hosts = std::vector<MapHost>;
    CHECK(*parseHosts("a\nb:4\n", 2) == Hosts{{"a", 2, {}}, {"b", 4, {}}});
    CHECK(*parseHosts("a:2,b*3 # two\n", 1) == Hosts{{"a", 2, {}}, {"b", 3, {}}});
    CHECK(*parseHosts("node7 slots=16 max_slots=16\n", 1) == Hosts{{"node7", 16, {}}});
    CHECK(*parseHosts("nid[0009-0010,3]:8", 1)
          == Hosts{{"nid0009", 8, {}}, {"nid0010", 8, {}}, {"nid3", 8, {}}});
    CHECK(*parseHosts("R00:1 (0,1,0)\n", 1) == Hosts{{"R00", 1, {0, 1, 0}}});
    CHECK_FALSE(parseHosts("# nothing\n", 1).has_value());
    CHECK_FALSE(parseHosts("a:zero\n", 1).has_value());
    CHECK_FALSE(parseHosts("a[1-99999999999]\n", 1).has_value());
    CHECK(parseHosts("a[1-262144]\n", 1)->size() == 262144);
    CHECK_FALSE(parseHosts("a[0-262144]\n", 1).has_value());
    CHECK(parseHosts(std::string(250, 'a') + "[1-2]bcde\n", 1).has_value());
    CHECK_FALSE(parseHosts(std::string(250, 'a') + "[1-2]bcdef\n", 1).has_value());
    CHECK_FALSE(parseHosts(std::string(256, 'a'), 1).has_value());
    CHECK(parseHosts("a\nb:0\n", 1).error().message.find("Line 2") != std::string::npos);
}

}  // namespace skein::hosts_test
