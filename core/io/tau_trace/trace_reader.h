// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/tau_trace/trace_scan.h"
#include "core/trace/trace_builder.h"

#include <array>
#include <functional>
#include <set>
#include <unordered_map>

namespace skein::tau {

/// One end of a one-sided transfer.
struct TransferEnd {
    Tick time = 0;
    EventKind kind = EventKind::OneSided;
    std::uint64_t bytes = 0;
    std::uint32_t interval = kNoInterval;
    std::array<std::int64_t, 2> ids{};  ///< the same at both ends
    std::size_t idCount = 0;
};

/// What one location's records said besides what went into its trace builder.
struct LocationFindings {
    std::set<std::uint32_t> metadata;  ///< values whose name is "name | value"
    std::map<MetricId, bool> doubles;  ///< metrics with values: true where all of them look like doubles
    std::uint64_t communicators = 0;   ///< bit c: a message of communicator c
    std::map<std::string, std::uint64_t> odd;  ///< details of records that were dropped, counted
    std::uint64_t unrecordedEnters = 0;
    std::vector<TransferEnd> transfers;  ///< in the order of the records
};

/// Reads the records of one location one after the other into its builder.
///
/// User events: TAU surrounds a value by a zero before and a zero behind, so that a viewer draws a spike; the
/// three become one sample. Values without a metric are metadata.
/// An exit of ".TAU application" below which nothing is open was entered before the recording began.
class LocationReader {
public:
    /// `locationOfRank` gives the location that stands for an MPI rank, `metricOfValue` the metric of every
    /// value.
    LocationReader(LocationTraceBuilder& builder, const std::vector<LocationId>& locationOfRank,
                   const std::vector<MetricId>& metricOfValue,
                   const std::vector<CallSiteId>& callSiteOfRegion)
        : builder_(builder),
          locationOfRank_(locationOfRank),
          metricOfValue_(metricOfValue),
          callSiteOfRegion_(callSiteOfRegion)
    {
    }

    void read(const TraceRecord& record, EventMeaning meaning);
    /// To be called behind the last record.
    void finish();

    LocationId location() const { return builder_.location(); }
    const LocationFindings& findings() const { return findings_; }

private:
    struct Sample {
        Tick time = 0;
        MetricId metric;
        std::int64_t bits = 0;
    };
    struct Stream {
        std::uint32_t number = kNoInterval;
        bool doubles = true;
        bool zeros = true;
    };

    void readCall(Tick now, EventMeaning meaning, std::int64_t parameter);
    void readFlush(Tick now, std::int64_t parameter);
    void readValue(Tick now, std::uint32_t value, std::int64_t bits);
    void readTransfer(Tick now, EventKind kind, std::int64_t parameter);
    void readMessage(Tick now, EventKind kind, std::int64_t parameter);
    void flushSamples();
    void addSample(const Sample& sample);

    LocationTraceBuilder& builder_;
    const std::vector<LocationId>& locationOfRank_;
    const std::vector<MetricId>& metricOfValue_;
    const std::vector<CallSiteId>& callSiteOfRegion_;
    std::vector<Sample> held_;  ///< a zero, or a zero and a value, that may belong to a triple
    std::unordered_map<MetricId, Stream> streams_;
    LocationFindings findings_;
    Tick flushBegin_ = 0;
    std::uint32_t openApplications_ = 0;
};

}  // namespace skein::tau
