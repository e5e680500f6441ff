// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/otf2/enum_map.h"

#include <cstddef>
#include <iterator>

namespace skein::otf2 {
namespace {

/// Entry `value` of a table that is ordered like OTF2's enumeration.
template <typename Enum, std::size_t Size>
Enum entry(const Enum (&table)[Size], std::size_t value, Enum otherwise)
{
    return value < Size ? table[value] : otherwise;
}

}  // namespace

LocationKind locationKind(OTF2_LocationType type)
{
    using enum LocationKind;
    static constexpr LocationKind kTable[] = {Unknown, CpuThread, AcceleratorStream, Metric};
    return entry(kTable, type, Unknown);
}

LocationGroupKind locationGroupKind(OTF2_LocationGroupType type)
{
    using enum LocationGroupKind;
    static constexpr LocationGroupKind kTable[] = {Unknown, Process, Accelerator};
    return entry(kTable, type, Unknown);
}

RegionRole regionRole(OTF2_RegionRole role)
{
    using enum RegionRole;
    static constexpr RegionRole kTable[] = {Unknown,
                                            Function,
                                            Wrapper,
                                            Loop,
                                            Code,
                                            Parallel,
                                            Sections,
                                            Section,
                                            Workshare,
                                            Single,
                                            Single,
                                            Master,
                                            Critical,
                                            Critical,
                                            Atomic,
                                            Barrier,
                                            ImplicitBarrier,
                                            Flush,
                                            Ordered,
                                            Ordered,
                                            Task,
                                            TaskCreate,
                                            TaskWait,
                                            CollectiveOneToAll,
                                            CollectiveAllToOne,
                                            CollectiveAllToAll,
                                            CollectiveOther,
                                            FileIo,
                                            PointToPoint,
                                            Rma,
                                            DataTransfer,
                                            Artificial,
                                            ThreadCreate,
                                            ThreadWait,
                                            Task,
                                            Allocate,
                                            Deallocate,
                                            Reallocate,
                                            FileIo};
    return entry(kTable, role, Other);
}

Paradigm paradigm(OTF2_Paradigm value)
{
    using enum Paradigm;
    static constexpr Paradigm kTable[] = {Unknown,  User,    Compiler, OpenMp, Mpi,     Cuda,   Measurement,
                                          Pthread,  Other,   Other,    Other,  Other,   Other,  Shmem,
                                          Other,    Other,   Other,    Other,  OpenAcc, OpenCl, Other,
                                          Sampling, Unknown, Hip,      Kokkos};
    return entry(kTable, value, Other);
}

MetricKind metricKind(OTF2_MetricType type)
{
    using enum MetricKind;
    static constexpr MetricKind kTable[] = {Other, Papi, ResourceUsage, User};
    return entry(kTable, type, Other);
}

MetricMode metricMode(OTF2_MetricMode mode)
{
    switch (mode) {
    case OTF2_METRIC_ACCUMULATED_START: return MetricMode::AccumulatedStart;
    case OTF2_METRIC_ACCUMULATED_POINT: return MetricMode::AccumulatedPoint;
    case OTF2_METRIC_ACCUMULATED_LAST: return MetricMode::AccumulatedLast;
    case OTF2_METRIC_ACCUMULATED_NEXT: return MetricMode::AccumulatedNext;
    case OTF2_METRIC_ABSOLUTE_LAST: return MetricMode::AbsoluteLast;
    case OTF2_METRIC_ABSOLUTE_NEXT: return MetricMode::AbsoluteNext;
    case OTF2_METRIC_RELATIVE_POINT: return MetricMode::RelativePoint;
    case OTF2_METRIC_RELATIVE_LAST: return MetricMode::RelativeLast;
    case OTF2_METRIC_RELATIVE_NEXT: return MetricMode::RelativeNext;
    default: return MetricMode::AbsolutePoint;
    }
}

MetricOccurrence metricOccurrence(OTF2_MetricOccurrence occurrence)
{
    if (occurrence == OTF2_METRIC_SYNCHRONOUS_STRICT) return MetricOccurrence::SynchronousStrict;
    return occurrence == OTF2_METRIC_SYNCHRONOUS ? MetricOccurrence::Synchronous
                                                 : MetricOccurrence::Asynchronous;
}

MetricValueType metricValueType(OTF2_Type type)
{
    if (type == OTF2_TYPE_INT64) return MetricValueType::Int64;
    return type == OTF2_TYPE_UINT64 ? MetricValueType::Uint64 : MetricValueType::Double;
}

AttributeType attributeType(OTF2_Type type)
{
    switch (type) {
    case OTF2_TYPE_UINT8:
    case OTF2_TYPE_UINT16:
    case OTF2_TYPE_UINT32:
    case OTF2_TYPE_UINT64: return AttributeType::Unsigned;
    case OTF2_TYPE_INT8:
    case OTF2_TYPE_INT16:
    case OTF2_TYPE_INT32:
    case OTF2_TYPE_INT64: return AttributeType::Signed;
    case OTF2_TYPE_FLOAT:
    case OTF2_TYPE_DOUBLE: return AttributeType::Double;
    case OTF2_TYPE_STRING: return AttributeType::Text;
    case OTF2_TYPE_REGION: return AttributeType::Region;
    case OTF2_TYPE_LOCATION: return AttributeType::Location;
    case OTF2_TYPE_COMM: return AttributeType::Communicator;
    default: return AttributeType::Other;
    }
}

CollectiveKind collectiveKind(OTF2_CollectiveOp operation)
{
    using enum CollectiveKind;
    static constexpr CollectiveKind kTable[] = {
        Barrier,   Broadcast,          Gather,       GatherV,       Scatter,
        ScatterV,  AllGather,          AllGatherV,   AllToAll,      AllToAllV,
        AllToAllW, AllReduce,          Reduce,       ReduceScatter, Scan,
        ExScan,    ReduceScatterBlock, CreateHandle, DestroyHandle, Other,
        Other,     CreateHandle,       DestroyHandle};
    return entry(kTable, operation, Other);
}

MarkerSeverity markerSeverity(OTF2_MarkerSeverity severity)
{
    using enum MarkerSeverity;
    static constexpr MarkerSeverity kTable[] = {None, Low, Medium, High};
    return entry(kTable, severity, None);
}

}  // namespace skein::otf2
