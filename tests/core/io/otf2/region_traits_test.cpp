// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/otf2/region_traits.h"

#include "tests/support/catch.h"

namespace skein::region_traits_test {

namespace {

Paradigm derived(const std::string& name, Paradigm recorded)
{
    Region region;
    region.name = name;
    region.paradigm = recorded;
    deriveTraits(region);
    return region.paradigm;
}

}  // namespace

TEST_CASE("code of the user is not MPI's because its path has mpi in it")
{
    CHECK(derived("Atom::copy(int, int) [{/opt/o_mpi/atom.cpp} {125,0}]", Paradigm::Mpi)
          == Paradigm::Compiler);
    CHECK(derived("MPI_Send()", Paradigm::Mpi) == Paradigm::Mpi);
    CHECK(derived("MPI_Send() [{wrapper.c} {3,0}]", Paradigm::Mpi) == Paradigm::Mpi);
    CHECK(derived("MPI_Send()", Paradigm::Compiler) == Paradigm::Mpi);
}

}  // namespace skein::region_traits_test
