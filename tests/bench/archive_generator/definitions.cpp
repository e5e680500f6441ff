// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/archive_generator/definitions.h"

#include <numeric>
#include <string>

namespace skein::generator {

namespace {

struct RegionRow {
    const char* name;
    OTF2_RegionRole role;
    OTF2_Paradigm paradigm;
    std::uint32_t line;
};

constexpr std::array<RegionRow, kRegions> kRegionTable = {{
    {"int main(int, char**)", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER, 12},
    {"void run(const Parameters&)", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER, 40},
    {"time_step", OTF2_REGION_ROLE_CODE, OTF2_PARADIGM_USER, 61},
    {"void exchange_halo(Grid&)", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER, 110},
    {"void pack_face(const Grid&, Face, double*)", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER, 140},
    {"void compute_interior(Grid&)", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER, 201},
    {"void sweep_block(Grid&, Block)", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER, 230},
    {"void apply_flux(Grid&, Block)", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER, 262},
    {"void limit_slope(Grid&, Block)", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER, 301},
    {"void unpack_face(Grid&, Face, const double*)", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER, 160},
    {"void compute_boundary(Grid&)", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER, 330},
    {"double reduce_dt(const Grid&)", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER, 352},
    {"void rebalance(Grid&)", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER, 371},
    {"void write_checkpoint(const Grid&)", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER, 390},
    {"MPI_Init", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_MPI, 0},
    {"MPI_Finalize", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_MPI, 0},
    {"MPI_Irecv", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI, 0},
    {"MPI_Isend", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI, 0},
    {"MPI_Waitall", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI, 0},
    {"MPI_Sendrecv", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI, 0},
    {"MPI_Allreduce", OTF2_REGION_ROLE_COLL_ALL2ALL, OTF2_PARADIGM_MPI, 0},
    {"MPI_Barrier", OTF2_REGION_ROLE_BARRIER, OTF2_PARADIGM_MPI, 0},
    {"MPI_Bcast", OTF2_REGION_ROLE_COLL_ONE2ALL, OTF2_PARADIGM_MPI, 0},
    {"MPI_Reduce", OTF2_REGION_ROLE_COLL_ALL2ONE, OTF2_PARADIGM_MPI, 0},
}};

/// Numbers the strings as they come and remembers whether libotf2 took everything.
class DefinitionWriter {
public:
    explicit DefinitionWriter(OTF2_GlobalDefWriter* writer) : writer_(writer) {}

    OTF2_StringRef string(const std::string& text)
    {
        check(OTF2_GlobalDefWriter_WriteString(writer_, nextString_, text.c_str()));
        return nextString_++;
    }

    void check(OTF2_ErrorCode code) { ok_ = ok_ && code == OTF2_SUCCESS; }
    OTF2_GlobalDefWriter* raw() const { return writer_; }
    bool ok() const { return ok_; }

private:
    OTF2_GlobalDefWriter* writer_;
    OTF2_StringRef nextString_ = 0;
    bool ok_ = true;
};

void writeClock(DefinitionWriter& out, std::uint64_t lengthNs)
{
    out.check(OTF2_GlobalDefWriter_WriteClockProperties(out.raw(), 1'000'000'000, 0, lengthNs,
                                                        OTF2_UNDEFINED_TIMESTAMP));
}

void writeRegions(DefinitionWriter& out, OTF2_StringRef empty)
{
    const OTF2_StringRef source = out.string("src/halo.cc");
    for (std::uint32_t i = 0; i < kRegions; ++i) {
        const RegionRow& row = kRegionTable[i];
        const OTF2_StringRef name = out.string(row.name);
        const bool user = row.paradigm != OTF2_PARADIGM_MPI;
        out.check(OTF2_GlobalDefWriter_WriteRegion(
            out.raw(), i, name, name, empty, row.role, row.paradigm, OTF2_REGION_FLAG_NONE,
            user ? source : OTF2_UNDEFINED_STRING, row.line, row.line == 0 ? 0 : row.line + 18));
    }
}

void writeSystemTree(DefinitionWriter& out, const Options& options,
                     const std::vector<std::uint64_t>& eventsOfRank)
{
    const OTF2_StringRef machineClass = out.string("machine");
    const OTF2_StringRef nodeClass = out.string("node");
    const OTF2_StringRef master = out.string("Master thread");
    out.check(OTF2_GlobalDefWriter_WriteSystemTreeNode(out.raw(), 0, out.string("cluster"), machineClass,
                                                       OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    out.check(OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(out.raw(), 0, OTF2_SYSTEM_TREE_DOMAIN_MACHINE));
    for (std::uint32_t rank = 0; rank < options.ranks; ++rank) {
        const OTF2_SystemTreeNodeRef node = 1 + rank / options.ranksPerNode;
        if (rank % options.ranksPerNode == 0) {
            std::string name = std::to_string(node - 1);
            name.insert(0, name.size() < 4 ? 4 - name.size() : 0, '0');
            out.check(OTF2_GlobalDefWriter_WriteSystemTreeNode(out.raw(), node, out.string("node" + name),
                                                               nodeClass, 0));
            out.check(OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(out.raw(), node,
                                                                     OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY));
        }
        out.check(OTF2_GlobalDefWriter_WriteLocationGroup(
            out.raw(), rank, out.string("MPI Rank " + std::to_string(rank)), OTF2_LOCATION_GROUP_TYPE_PROCESS,
            node, OTF2_UNDEFINED_LOCATION_GROUP));
        out.check(OTF2_GlobalDefWriter_WriteLocation(
            out.raw(), locationOf(rank), master, OTF2_LOCATION_TYPE_CPU_THREAD, eventsOfRank[rank], rank));
    }
}

void writeWorld(DefinitionWriter& out, const Options& options, OTF2_StringRef empty)
{
    std::vector<std::uint64_t> members(options.ranks);
    std::iota(members.begin(), members.end(), 0);
    out.check(OTF2_GlobalDefWriter_WriteGroup(out.raw(), 0, empty, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                              OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, options.ranks,
                                              members.data()));
    out.check(OTF2_GlobalDefWriter_WriteGroup(out.raw(), 1, empty, OTF2_GROUP_TYPE_COMM_GROUP,
                                              OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, options.ranks,
                                              members.data()));
    out.check(OTF2_GlobalDefWriter_WriteComm(out.raw(), kWorld, out.string("MPI_COMM_WORLD"), 1,
                                             OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
}

void writeTopology(DefinitionWriter& out, const Schedule& schedule)
{
    const auto grid = schedule.grid();
    constexpr std::array<OTF2_CartDimensionRef, 3> dimensions = {0, 1, 2};
    constexpr std::array<const char*, 3> names = {"x", "y", "z"};
    for (std::uint32_t d = 0; d < 3; ++d)
        out.check(OTF2_GlobalDefWriter_WriteCartDimension(out.raw(), d, out.string(names[d]), grid[d],
                                                          OTF2_CART_PERIODIC_TRUE));
    out.check(OTF2_GlobalDefWriter_WriteCartTopology(out.raw(), 0, out.string("grid"), kWorld, 3,
                                                     dimensions.data()));
    for (std::uint32_t rank = 0; rank < schedule.options().ranks; ++rank) {
        const std::array<std::uint32_t, 3> at = {rank % grid[0], rank / grid[0] % grid[1],
                                                 rank / grid[0] / grid[1]};
        out.check(OTF2_GlobalDefWriter_WriteCartCoordinate(out.raw(), 0, rank, 3, at.data()));
    }
}

void writeCounters(DefinitionWriter& out, OTF2_StringRef empty)
{
    const OTF2_StringRef unit = out.string("#");
    constexpr std::array<const char*, 2> names = {"PAPI_TOT_CYC", "PAPI_TOT_INS"};
    constexpr std::array<OTF2_MetricMemberRef, 2> members = {0, 1};
    for (std::uint32_t i = 0; i < members.size(); ++i)
        out.check(OTF2_GlobalDefWriter_WriteMetricMember(out.raw(), i, out.string(names[i]), empty,
                                                         OTF2_METRIC_TYPE_PAPI, OTF2_METRIC_ACCUMULATED_START,
                                                         OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 0, unit));
    out.check(OTF2_GlobalDefWriter_WriteMetricClass(out.raw(), kCounters, 2, members.data(),
                                                    OTF2_METRIC_SYNCHRONOUS_STRICT, OTF2_RECORDER_KIND_CPU));
}

}  // namespace

bool writeDefinitions(OTF2_GlobalDefWriter* writer, const Schedule& schedule,
                      const std::vector<std::uint64_t>& eventsOfRank, std::uint64_t traceLengthNs)
{
    DefinitionWriter out(writer);
    writeClock(out, traceLengthNs);
    const OTF2_StringRef empty = out.string("");
    const OTF2_StringRef program = out.string("halo3d");
    if (empty != 0 || program != kProgramName) return false;
    writeRegions(out, empty);
    writeSystemTree(out, schedule.options(), eventsOfRank);
    writeWorld(out, schedule.options(), empty);
    writeTopology(out, schedule);
    if (schedule.options().metrics) writeCounters(out, empty);
    return out.ok();
}

}  // namespace skein::generator
