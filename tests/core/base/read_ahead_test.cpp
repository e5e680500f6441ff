// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/read_ahead.h"

#include "tests/support/catch.h"

#include <vector>

using namespace skein;

TEST_CASE("what is read ahead stays as it is, wherever it lies and however much is asked for")
{
    readAhead(std::span<const std::byte>());
    std::vector<int> values(100'000);
    for (std::size_t at = 0; at < values.size(); ++at) values[at] = static_cast<int>(at);
    const Column<int> column(values);
    for (const std::size_t first : {std::size_t{0}, std::size_t{1}, std::size_t{5000}, values.size() - 1, values.size(), values.size() + 7})
        for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{3000}, values.size(), ~std::size_t{0}}) readAhead(column, first, count);
    readAhead(Column<int>(), 0, 10);
    CHECK(std::equal(column.begin(), column.end(), values.begin()));
}
