// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace skein {

enum class LocationGroupKind : std::uint8_t { Unknown, Process, Accelerator };

enum class LocationKind : std::uint8_t { Unknown, CpuThread, AcceleratorStream, Metric };

enum class MetricKind : std::uint8_t { Other, Papi, ResourceUsage, User };

enum class MetricValueType : std::uint8_t { Int64, Uint64, Double };

/// What the bits of an attribute's value are (OTF2_Type, thinned to what is shown differently). References
/// are indices into the table of definitions; kNoReference where the archive does not define what is meant.
enum class AttributeType : std::uint8_t {
    Unsigned,
    Signed,
    Double,
    Text,  ///< index into Definitions::strings
    Region,
    Location,
    Communicator,
    Other,  ///< the archive's own number of something that has no table here
};
inline constexpr std::uint64_t kNoReference = ~std::uint64_t{0};

/// What a sample's value refers to (OTF2_MetricMode): a total since the start, an amount of a period, or a
/// state.
enum class MetricMode : std::uint8_t {
    AccumulatedStart,
    AccumulatedPoint,
    AccumulatedLast,
    AccumulatedNext,
    AbsolutePoint,
    AbsoluteLast,
    AbsoluteNext,
    RelativePoint,
    RelativeLast,
    RelativeNext,
};

/// What amounts of several calls, regions or locations are together.
enum class MetricAggregation : std::uint8_t { Sum, Minimum, Maximum };

/// When samples are taken (OTF2_MetricOccurrence).
enum class MetricOccurrence : std::uint8_t {
    SynchronousStrict,  ///< at every enter and leave
    Synchronous,        ///< at some events
    Asynchronous,       ///< at any time
};

/// Which programming model or library a region belongs to (OTF2_Paradigm, thinned to what views tell apart).
enum class Paradigm : std::uint8_t {
    Unknown,
    User,
    Compiler,
    Mpi,
    OpenMp,
    Pthread,
    Shmem,
    Cuda,
    Hip,
    OpenCl,
    OpenAcc,
    Kokkos,
    Io,
    Memory,
    Sampling,
    Measurement,
    Other,
};

enum class RegionRole : std::uint8_t {
    Unknown,
    Function,
    Wrapper,
    Loop,
    Code,
    Parallel,
    Sections,
    Section,
    Workshare,
    Single,
    Master,
    Critical,
    Atomic,
    Barrier,
    ImplicitBarrier,
    Flush,
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
    Allocate,
    Deallocate,
    Reallocate,
    Other,
};

std::string_view name(LocationGroupKind kind);
std::string_view name(LocationKind kind);
std::string_view name(MetricAggregation aggregation);
std::string_view name(MetricKind kind);
std::string_view name(MetricMode mode);
std::string_view name(MetricOccurrence occurrence);
std::string_view name(MetricValueType type);
std::string_view name(Paradigm paradigm);
std::string_view name(RegionRole role);

}  // namespace skein
