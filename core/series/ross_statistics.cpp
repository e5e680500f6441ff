// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/series/ross_statistics.h"

#include "core/base/file_bytes.h"
#include "core/base/text_pattern.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <optional>
#include <span>
#include <utility>

namespace skein {
namespace {

constexpr std::size_t kRossHeadBytes = 24, kRossWordBytes = 4;
constexpr std::size_t kRossRecordsBetweenQuestions = std::size_t{1} << 14;

constexpr std::array<std::string_view, 25> kPeMetrics{"events_processed",
                                                      "events_aborted",
                                                      "events_rolled_back",
                                                      "rollbacks_total",
                                                      "rollbacks_secondary",
                                                      "fossil_collect_attempts",
                                                      "pq_size",
                                                      "network_sends",
                                                      "network_recvs",
                                                      "gvt_computations",
                                                      "event_ties",
                                                      "allreduce_calls",
                                                      "efficiency",
                                                      "t_network_read",
                                                      "t_network_other",
                                                      "t_gvt",
                                                      "t_fossil_collect",
                                                      "t_event_abort",
                                                      "t_event_process",
                                                      "t_pq",
                                                      "t_rollback",
                                                      "t_cancel_queue",
                                                      "t_avl",
                                                      "t_buddy",
                                                      "t_lz4"};
constexpr std::array<std::string_view, 9> kKpMetrics{
    "events_processed", "events_aborted", "events_rolled_back", "rollbacks_total", "rollbacks_secondary",
    "network_sends",    "network_recvs",  "time_ahead_gvt",     "efficiency"};

constexpr std::array<std::string_view, 6> kLpMetrics{"events_processed",   "events_aborted",
                                                     "events_rolled_back", "network_sends",
                                                     "network_recvs",      "efficiency"};

/// What is no counter of its own: rollbacks that others did not bring about.
constexpr std::string_view kPrimaryRollbacks = "rollbacks_primary", kAllRollbacks = "rollbacks_total";

/// What records of a kind hold behind their head.
struct RossKind {
    std::string_view entity;
    std::size_t numbers;  ///< that name the entity
    std::size_t counts;   ///< whole numbers; the rest are float
    std::span<const std::string_view> metrics;

    std::size_t bytes() const { return kRossWordBytes * (numbers + metrics.size()); }
};

constexpr std::array<RossKind, 3> kRossKinds{
    RossKind{"pe", 1, 12, kPeMetrics}, RossKind{"kp", 2, 7, kKpMetrics}, RossKind{"lp", 3, 5, kLpMetrics}};

template <typename Value>
Value rossValue(std::string_view bytes, std::size_t at)
{
    Value value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

struct RossRecord {
    std::int32_t kind = 0, length = 0;
    double virtualTime = 0, realTime = 0;

    explicit RossRecord(std::string_view head)
        : kind(rossValue<std::int32_t>(head, 0)),
          length(rossValue<std::int32_t>(head, 4)),
          virtualTime(rossValue<double>(head, 8)),
          realTime(rossValue<double>(head, 16))
    {
    }
    bool known() const
    {
        return kind >= 0 && static_cast<std::size_t>(kind) < kRossKinds.size()
            && static_cast<std::size_t>(length) == kRossKinds[static_cast<std::size_t>(kind)].bytes()
            && std::isfinite(virtualTime) && std::isfinite(realTime);
    }
};

using RossEntity = std::array<std::uint32_t, 3>;

RossEntity rossEntityOf(const RossKind& kind, std::string_view body)
{
    RossEntity entity{};
    for (std::size_t i = 0; i < kind.numbers; ++i)
        entity[i] = rossValue<std::uint32_t>(body, i * kRossWordBytes);
    return entity;
}

std::string rossName(const RossKind& kind, const RossEntity& entity)
{
    return fmt::format("{}", fmt::join(std::span(entity).first(kind.numbers), "/"));
}

bool fulfils(const AttributeConditions& where, const RossKind& kind, const RossEntity& entity)
{
    std::string value;
    return allHold(where, [&](std::string_view name) -> std::optional<std::string_view> {
        for (std::size_t i = 0; i < kind.numbers; ++i)
            if (sameInAnyCase(kRossKinds[i].entity, name)) return value = std::to_string(entity[i]);
        return std::nullopt;
    });
}

Result<void> checkRossConditions(const RossKind& kind, const AttributeConditions& where)
{
    const auto known = std::span(kRossKinds).first(kind.numbers);
    for (const AttributeCondition& condition : where)
        if (std::none_of(known.begin(), known.end(),
                         [&](const RossKind& each) { return sameInAnyCase(each.entity, condition.name); }))
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("A {} of ROSS has no attribute \"{}\".", kind.entity, condition.name));
    return {};
}

struct RossSample {
    double time = 0;
    std::size_t row = 0;  ///< how many samples of its entity came before
    RossEntity entity{};
    std::string_view body;
};

struct RossSamples {
    std::vector<RossSample> list;
    std::map<RossEntity, std::size_t> entities;  ///< and how many samples each has
    std::uint64_t unread = 0;
    bool any = false;  ///< of the kind, as wanted or not
};

Result<RossSamples> readRossSamples(std::string_view bytes, std::size_t kind, double RossRecord::*time,
                                    const AttributeConditions& where, const Task& task)
{
    RossSamples read;
    const double begin = time == &RossRecord::realTime ? RossRecord(bytes).realTime : 0.0;
    std::size_t count = 0;
    for (std::size_t at = 0; at < bytes.size(); ++count) {
        if (count % kRossRecordsBetweenQuestions == 0) {
            if (task.stopRequested()) return cancelled();
            task.report(static_cast<double>(at) / static_cast<double>(bytes.size()), "reading series");
        }
        if (bytes.size() - at < kRossHeadBytes) {
            ++read.unread;
            break;
        }
        const RossRecord record(bytes.substr(at));
        at += kRossHeadBytes;
        if (record.length < 0 || bytes.size() - at < static_cast<std::size_t>(record.length)) {
            ++read.unread;
            break;
        }
        const std::string_view body = bytes.substr(at, static_cast<std::size_t>(record.length));
        at += body.size();
        if (!record.known()) ++read.unread;
        if (!record.known() || static_cast<std::size_t>(record.kind) != kind) continue;
        const RossEntity entity = rossEntityOf(kRossKinds[kind], body);
        read.any = true;
        if (!fulfils(where, kRossKinds[kind], entity)) continue;
        read.list.push_back({record.*time - begin, read.entities[entity]++, entity, body});
    }
    return read;
}

Result<std::vector<std::size_t>> wantedRossMetrics(const RossKind& kind,
                                                   const std::vector<std::string>& asked,
                                                   std::string_view file)
{
    std::vector<std::size_t> wanted;
    std::vector<std::string_view> known(kind.metrics.begin(), kind.metrics.end());
    if (std::find(known.begin(), known.end(), kAllRollbacks) != known.end())
        known.push_back(kPrimaryRollbacks);
    for (std::size_t i = 0; asked.empty() && i < known.size(); ++i) wanted.push_back(i);
    for (const std::string& name : asked) {
        const auto found = std::find(known.begin(), known.end(), name);
        if (found == known.end())
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("{} has no metric \"{}\" of a {}; it has {}.", file, name, kind.entity,
                                    fmt::join(known, ", ")));
        wanted.push_back(static_cast<std::size_t>(found - known.begin()));
    }
    return wanted;
}

/// A metric of a sample, by its place among those of its kind; behind these: primary rollbacks.
double rossMetric(const RossKind& kind, std::size_t metric, std::string_view body)
{
    if (metric == kind.metrics.size()) {
        const auto placeOf = [&](std::string_view name) {
            return static_cast<std::size_t>(std::find(kind.metrics.begin(), kind.metrics.end(), name)
                                            - kind.metrics.begin());
        };
        return rossMetric(kind, placeOf(kAllRollbacks), body)
            - rossMetric(kind, placeOf("rollbacks_secondary"), body);
    }
    const std::size_t at = kRossWordBytes * (kind.numbers + metric);
    return metric < kind.counts ? rossValue<std::uint32_t>(body, at)
                                : static_cast<double>(rossValue<float>(body, at));
}

Result<std::size_t> rossKindOf(std::string_view entity)
{
    if (entity.empty()) return 0;
    for (std::size_t i = 0; i < kRossKinds.size(); ++i)
        if (kRossKinds[i].entity == entity) return i;
    return fail(ErrorCode::InvalidArgument, fmt::format("ROSS samples pe, kp and lp, not \"{}\".", entity));
}

Result<double RossRecord::*> rossTimeOf(std::string_view time)
{
    if (time.empty() || time == "virtual_time") return &RossRecord::virtualTime;
    if (time == "real_time_s") return &RossRecord::realTime;
    return fail(ErrorCode::InvalidArgument,
                fmt::format("Times of ROSS are virtual_time or real_time_s, not \"{}\".", time));
}

/// A table with rows and columns, and without values.
SeriesTable rossShape(RossSamples& read, const RossKind& kind)
{
    SeriesTable shape;
    std::size_t rows = 0;
    for (auto& [entity, count] : read.entities) {
        rows = std::max(rows, count);
        count = shape.columns.size();  // from here on its column
        shape.columns.push_back(rossName(kind, entity));
    }
    shape.times.assign(rows, std::nan(""));
    std::vector<double> before(shape.columns.size(), std::nan(""));
    for (const RossSample& sample : read.list) {
        if (std::isnan(shape.times[sample.row])) shape.times[sample.row] = sample.time;
        double& last = before[read.entities[sample.entity]];
        shape.notes.repeatedTimes += std::exchange(last, sample.time) == sample.time ? 1 : 0;
    }
    shape.notes.unreadRecords = read.unread;
    shape.values.assign(rows * shape.columns.size(), std::nan(""));
    return shape;
}

}  // namespace

bool looksLikeRossStatistics(std::string_view bytes)
{
    if (bytes.size() < kRossHeadBytes) return false;
    const RossRecord first(bytes);
    if (!first.known() || first.virtualTime < 0.0) return false;
    const std::size_t next = kRossHeadBytes + static_cast<std::size_t>(first.length);
    return bytes.size() >= next
        && (bytes.size() < next + kRossHeadBytes || RossRecord(bytes.substr(next)).known());
}

bool isRossStatisticsFile(const std::filesystem::path& path)
{
    std::error_code problem;
    return std::filesystem::is_regular_file(path, problem)
        && looksLikeRossStatistics(fileHead(path, 2 * kRossHeadBytes + kRossKinds[0].bytes()));
}

std::vector<std::string> rossEntities(std::string_view bytes)
{
    std::array<bool, kRossKinds.size()> found{};
    for (std::size_t at = 0; bytes.size() - at >= kRossHeadBytes;) {
        const RossRecord record(bytes.substr(at));
        at += kRossHeadBytes;
        if (record.length < 0 || bytes.size() - at < static_cast<std::size_t>(record.length)) break;
        at += static_cast<std::size_t>(record.length);
        if (record.known()) found[static_cast<std::size_t>(record.kind)] = true;
    }
    std::vector<std::string> entities;
    for (std::size_t i = 0; i < found.size(); ++i)
        if (found[i]) entities.emplace_back(kRossKinds[i].entity);
    return entities;
}

std::vector<std::string> rossAttributes(std::string_view entity)
{
    std::vector<std::string> names;
    const auto depth = static_cast<std::size_t>(std::count(entity.begin(), entity.end(), '/')) + 1;
    for (std::size_t i = 0; i < std::min(depth, kRossKinds.size()); ++i)
        names.emplace_back(kRossKinds[i].entity);
    return names;
}

Result<std::vector<SeriesTable>> parseRossStatistics(std::string_view bytes,
                                                     const RossStatisticsParams& params,
                                                     std::string_view name, const Task& task)
{
    if (!looksLikeRossStatistics(bytes))
        return fail(ErrorCode::Malformed, fmt::format("{} does not begin with a record of ROSS.", name));
    const auto place = rossKindOf(params.entity);
    if (!place) return Unexpected(place.error());
    const auto time = rossTimeOf(params.time);
    if (!time) return Unexpected(time.error());
    const RossKind& kind = kRossKinds[*place];
    const auto wanted = wantedRossMetrics(kind, params.metrics, name);
    if (!wanted) return Unexpected(wanted.error());
    if (const auto known = checkRossConditions(kind, params.where); !known) return Unexpected(known.error());
    auto read = readRossSamples(bytes, *place, *time, params.where, task);
    if (!read) return Unexpected(read.error());
    if (read->any && read->list.empty())
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("No {} of {} is like {}.", kind.entity, name, textOf(params.where)));
    if (read->list.empty())
        return fail(ErrorCode::Malformed, fmt::format("{} holds no sample of a {}.", name, kind.entity));
    std::size_t rows = 0;
    for (const auto& [entity, count] : read->entities) rows = std::max(rows, count);
    const auto fits = checkSeriesSize(rows, read->entities.size() * wanted->size());
    if (!fits) return Unexpected(fits.error());
    const SeriesTable shape = rossShape(*read, kind);
    std::vector<SeriesTable> tables(wanted->size(), shape);
    for (std::size_t i = 0; i < tables.size(); ++i) {
        const std::size_t metric = (*wanted)[i];
        tables[i].metric = metric < kind.metrics.size() ? kind.metrics[metric] : kPrimaryRollbacks;
        for (const RossSample& sample : read->list)
            tables[i].values[sample.row * shape.columns.size() + read->entities[sample.entity]] =
                rossMetric(kind, metric, sample.body);
        tidySeries(tables[i]);
    }
    return tables;
}

}  // namespace skein
