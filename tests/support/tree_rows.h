// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/catch.h"
#include "tests/support/small_session.h"
#include "views/common/scene/data/call_tree_rows.h"

#include <memory>
#include <string>
#include <vector>

namespace skein::test {

/// main 100 { init 10, solve 60 { mult 40 { MPI_Wait 15 }, norm 5 }, out 20 { MPI_Wait 4 } } on one rank, and
/// the same with half of solve on another.
inline SessionPtr smallTree()
{
    const auto calls = [](TimeNs shorter) {
        return std::vector<Call>{{0, 100, "main", 0},
                                 {0, 10, "init", 1},
                                 {10, 70 - shorter, "solve", 1},
                                 {10, 50 - shorter, "mult", 2},
                                 {20, 35 - shorter / 2, "MPI_Wait", 3},
                                 {50 - shorter, 55 - shorter, "norm", 2},
                                 {70, 90, "out", 1},
                                 {80, 84, "MPI_Wait", 2}};
    };
    return std::make_shared<Session>(Session{{ExperimentBuilder("run")
                                                  .process("n0", calls(0))
                                                  .process("n1", calls(20))
                                                  .paradigm("MPI_Wait", Paradigm::Mpi)
                                                  .finish()}});
}

inline CallTreeRows rowsOf(const Session& session)
{
    auto rows = makeCallTreeRows(session, {}, Task());
    REQUIRE(rows);
    return std::move(*rows);
}

/// The row of a path of names from the root; fails the test where there is none.
inline std::uint32_t rowAt(const CallTreeRows& rows, const std::vector<std::string>& names)
{
    std::int64_t at = -1;
    for (const std::string& name : names) {
        std::int64_t found = -1;
        for (std::size_t row = 0; row < rows.rows.size(); ++row)
            if (rows.rows[row].parent == at && rows.rows[row].name == name)
                found = static_cast<std::int64_t>(row);
        INFO(name);
        REQUIRE(found >= 0);
        at = found;
    }
    return static_cast<std::uint32_t>(at);
}

}  // namespace skein::test
