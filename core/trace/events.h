// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/id.h"
#include "core/base/time_span.h"
#include "core/definitions/enums.h"

#include <cstddef>
#include <cstdint>

/// Rows of the tables of a trace: plain values that can lie in memory or in a mapped file.
/// `…Interval` is an index into the CallIntervals of the location; kNoInterval where the event lay outside
/// all calls.
namespace skein {

inline constexpr std::uint32_t kNoInterval = 0xFFFFFFFFu;
/// Rows between two questions whether to stop: well below 10 ms.
inline constexpr std::size_t kRowsBetweenQuestions = 1u << 14;

/// A point-to-point message. Matching: first in, first out per (communicator, sender, receiver, tag),
/// receives in the order in which they were posted.
struct Message {
    TimeNs sendTime = kNoTime;
    TimeNs receiveTime = kNoTime;  ///< when the receive completed; kNoTime: unmatched
    std::uint64_t bytes = 0;       ///< as sent; for an unmatched receive as posted
    LocationId sender;
    LocationId receiver;
    CommunicatorId communicator;
    std::uint32_t tag = 0;
    std::uint32_t sendInterval = kNoInterval;
    std::uint32_t receiveInterval = kNoInterval;
    TimeNs sendEnd = kNoTime;  ///< when a non-blocking send was complete; kNoTime: not recorded, or blocking

    bool matched() const { return sendTime != kNoTime && receiveTime != kNoTime; }
};

enum class CollectiveKind : std::uint8_t {
    Barrier,
    Broadcast,
    Gather,
    GatherV,
    Scatter,
    ScatterV,
    AllGather,
    AllGatherV,
    AllToAll,
    AllToAllV,
    AllToAllW,
    AllReduce,
    Reduce,
    ReduceScatter,
    ReduceScatterBlock,
    Scan,
    ExScan,
    CreateHandle,
    DestroyHandle,
    Other,
};

struct CollectiveMember {
    TimeNs begin = kNoTime;
    TimeNs end = kNoTime;
    std::uint64_t bytesSent = 0;
    std::uint64_t bytesReceived = 0;
    LocationId location;
    std::uint32_t interval = kNoInterval;
};

/// The k-th collective call on a communicator by each of its members.
struct CollectiveOperation {
    TimeNs begin = kNoTime;  ///< first member's begin
    TimeNs end = kNoTime;    ///< last member's end
    std::uint64_t firstMember = 0;
    std::uint32_t memberCount = 0;
    CommunicatorId communicator;
    LocationId root;  ///< invalid where the kind has none
    CollectiveKind kind = CollectiveKind::Other;
};

enum class RmaKind : std::uint8_t { Put, Get, Atomic, Flush, Sync, Lock, Unlock, Wait, Other };

struct RmaOperation {
    TimeNs begin = kNoTime;
    TimeNs end = kNoTime;  ///< completion; kNoTime where it is not recorded
    std::uint64_t bytes = 0;
    LocationId origin;
    LocationId target;
    CommunicatorId communicator;  ///< of the window
    std::uint32_t interval = kNoInterval;
    RmaKind kind = RmaKind::Other;
};

enum class IoKind : std::uint8_t { Open, Close, Read, Write, Seek, Sync, Delete, Lock, Duplicate, Other };

struct IoOperation {
    TimeNs begin = kNoTime;
    TimeNs end = kNoTime;
    std::uint64_t bytesRequested = 0;
    std::uint64_t bytesTransferred = 0;
    LocationId location;
    IoHandleId handle;
    IoFileId file;
    std::uint32_t interval = kNoInterval;
    IoKind kind = IoKind::Other;
};

enum class ThreadEventKind : std::uint8_t {
    Fork,
    Join,
    TeamBegin,
    TeamEnd,
    TaskCreate,
    TaskSwitch,
    TaskComplete,
    Create,
    Begin,
    Wait,
    End,
    LockAcquire,
    LockRelease,
};

struct ThreadEvent {
    TimeNs time = kNoTime;
    std::uint64_t object = 0;  ///< lock, team, task or sequence number as the archive names it
    LocationId location;
    std::uint32_t value = 0;  ///< requested threads, acquisition order, generation
    std::uint32_t interval = kNoInterval;
    Paradigm paradigm = Paradigm::Unknown;
    ThreadEventKind kind = ThreadEventKind::Fork;
};

struct ParameterEvent {
    TimeNs time = kNoTime;
    std::uint64_t value = 0;  ///< bits of the parameter's type
    LocationId location;
    ParameterId parameter;
    std::uint32_t interval = kNoInterval;
};

/// Which event brought an attribute.
enum class AttributedEvent : std::uint8_t {
    Enter,
    EnterAndLeave,  ///< the leave repeated what the enter told
    Leave,
    Other,  ///< something that happened in the call, or outside all calls
};

/// A value that was recorded beside an event. Rows of a location stand in the order of their calls, those
/// outside all calls last; within a call in the order of the events.
struct EventAttribute {
    TimeNs time = kNoTime;                 ///< of the event; of the enter where both tell it
    std::uint64_t value = 0;               ///< bits of the attribute's type
    std::uint32_t interval = kNoInterval;  ///< the call that was entered or left, or the innermost open one
    std::uint16_t attribute = 0;           ///< index into Definitions::attributes
    AttributedEvent event = AttributedEvent::Other;
};

enum class MarkerSeverity : std::uint8_t { None, Low, Medium, High };

struct Marker {
    TimeNs time = kNoTime;
    TimeNs durationNs = 0;
    LocationId location;         ///< invalid: of all locations
    std::uint32_t text = 0;      ///< index into Definitions::strings
    std::uint32_t category = 0;  ///< index into Definitions::strings
    MarkerSeverity severity = MarkerSeverity::None;
};

/// The stack that a sampling measurement found.
struct CallPathSample {
    TimeNs time = kNoTime;
    LocationId location;
    CallPathId callPath;
};

/// The measurement wrote its buffer: what happened in this span is its own cost.
struct BufferFlush {
    TimeNs begin = kNoTime;
    TimeNs end = kNoTime;
    LocationId location;
};

struct ProgramRun {
    TimeNs begin = kNoTime;
    TimeNs end = kNoTime;
    std::int64_t exitStatus = -1;
    LocationId location;
    std::uint32_t name = 0;  ///< index into Definitions::strings
};

std::string_view name(AttributedEvent event);
std::string_view name(CollectiveKind kind);
std::string_view name(IoKind kind);
std::string_view name(RmaKind kind);
std::string_view name(ThreadEventKind kind);

}  // namespace skein
