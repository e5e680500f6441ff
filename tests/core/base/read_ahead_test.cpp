// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/read_ahead.h"

#include "tests/support/catch.h"

#include <span>
#include <sys/mman.h>
#include <vector>

namespace skein::read_ahead_test {

TEST_CASE("what is read ahead stays as it is, wherever it lies and however much is asked for")
{
    readAhead(std::span<const std::byte>());
    std::vector<int> values(100'000);
    for (std::size_t at = 0; at < values.size(); ++at) values[at] = static_cast<int>(at);
    const Column<int> column(values);
    for (const std::size_t first : {std::size_t{0}, std::size_t{1}, std::size_t{5000}, values.size() - 1,
                                    values.size(), values.size() + 7})
        for (const std::size_t count :
             {std::size_t{0}, std::size_t{1}, std::size_t{3000}, values.size(), ~std::size_t{0}})
            readAhead(column, first, count);
    readAhead(Column<int>(), 0, 10);
    CHECK(std::equal(column.begin(), column.end(), values.begin()));
}

TEST_CASE("it is known whether all of some bytes are in memory")
{
    constexpr std::size_t kBytes = std::size_t{1} << 20, kMiddle = kBytes / 2;
    void* const mapped = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(mapped != MAP_FAILED);
    const std::span<std::byte> bytes(static_cast<std::byte*>(mapped), kBytes);
    CHECK(isInMemory(bytes.first(0)));
    CHECK_FALSE(isInMemory(bytes));
    bytes[kMiddle] = std::byte{1};
    CHECK(isInMemory(bytes.subspan(kMiddle, 3)));
    CHECK_FALSE(isInMemory(bytes.subspan(kMiddle - 1, 2)));
    for (std::byte& byte : bytes) byte = std::byte{2};
    CHECK(isInMemory(bytes));
    CHECK(isInMemory(bytes.subspan(kMiddle - 1, 2)));
    munmap(mapped, kBytes);
}

}  // namespace skein::read_ahead_test
