// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/cube/metric_data.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <zlib.h>

namespace skein::cube {
namespace {

constexpr std::string_view kIndexMark = "CUBEX.INDEX";
constexpr std::string_view kDataMark = "CUBEX.DATA";
constexpr std::string_view kPackedMark = "ZCUBEX.DATA";
/// Deflate makes nothing smaller than by this factor; what is said to be is damaged.
constexpr std::uint64_t kLargestRatio = 1040;
constexpr std::uint32_t kNotNumbered = std::numeric_limits<std::uint32_t>::max();

/// Unpacks a zlib stream into exactly as many bytes as the buffer has; zeros where it gives fewer.
bool unpackExactly(std::string_view packed, std::string& buffer)
{
    if (packed.size() > std::numeric_limits<uInt>::max() || buffer.size() > std::numeric_limits<uInt>::max())
        return false;
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK) return false;
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = static_cast<uInt>(buffer.size());
    const int state = inflate(&stream, Z_FINISH);
    const std::size_t left = stream.avail_out;
    inflateEnd(&stream);
    std::fill(buffer.end() - static_cast<std::ptrdiff_t>(left), buffer.end(), '\0');
    return state == Z_STREAM_END && left == 0;
}

}  // namespace

std::optional<MetricData> MetricData::open(const TarMember& index, const TarMember& data,
                                           const DataShape& shape, const std::string& metricNumber,
                                           ImportReport& report, const Task& task)
{
    MetricData opened;
    opened.rowBytes_ = shape.rowBytes();
    const auto plainIndex = unpackedWherePacked(index.bytes, task);
    const auto plainData = unpackedWherePacked(data.bytes, task);
    if (!plainIndex || !plainData) return std::nullopt;
    opened.owners_ = {plainIndex->owner, plainData->owner};
    for (const auto& [plain, extension] : {std::pair(&*plainIndex, ".index"), {&*plainData, ".data"}})
        if (!plain->whole)
            report.add(IssueKind::Truncated, metricNumber + extension, "",
                       "the packed data ends or is damaged here",
                       static_cast<std::int64_t>(plain->bytes.size()));
    if (!opened.readIndex(plainIndex->bytes, shape, metricNumber + ".index", report)) return std::nullopt;
    if (!opened.readData(plainData->bytes, metricNumber + ".data", report, task)) return std::nullopt;
    opened.dropRepeatedRows(metricNumber + ".index", report);
    opened.findMissing(shape.nodes);
    return opened;
}

bool MetricData::readIndex(std::string_view bytes, const DataShape& shape, const std::string& file,
                           ImportReport& report)
{
    constexpr std::size_t kHeader = kIndexMark.size() + 4 + 2 + 1;
    const auto unreadable = [&](std::string detail) {
        report.add(IssueKind::CorruptRecord, file, "", std::move(detail), 0);
        return false;
    };
    if (!bytes.starts_with(kIndexMark) || bytes.size() < kHeader)
        return unreadable("this is no index of a metric; its values are not shown");
    const char* const one = bytes.data() + kIndexMark.size();
    if (decodeUint32(one, ByteOrder::Native) != 1) order_ = ByteOrder::Swapped;
    if (decodeUint32(one, order_) != 1)
        return unreadable("the byte order cannot be told; the metric's values are not shown");
    const char kind = bytes[kHeader - 1];
    if (kind != 0 && kind != 1)
        return unreadable(fmt::format("an index of kind {}, which is not known", int{kind}));
    if (kind == 0) {
        numbers_.resize(shape.nodes);
        for (std::uint32_t number = 0; number < shape.nodes; ++number) numbers_[number] = number;
        return true;
    }
    bytes.remove_prefix(kHeader);
    if (bytes.size() < 4) return unreadable("the index ends before the number of its entries");
    const std::uint64_t announced = decodeUint32(bytes.data(), order_);
    bytes.remove_prefix(4);
    const std::uint64_t count = std::min<std::uint64_t>(announced, bytes.size() / 4);
    indexIsCut_ = count < announced;
    if (indexIsCut_)
        report.add(IssueKind::Truncated, file, "",
                   fmt::format("{} of {} entries of the index", count, announced),
                   static_cast<std::int64_t>(kHeader + 4 + bytes.size()));
    numbers_.resize(count);
    for (std::uint64_t at = 0; at < count; ++at) numbers_[at] = decodeUint32(bytes.data() + 4 * at, order_);
    const auto beyond =
        std::find_if(numbers_.begin(), numbers_.end(), [&](auto number) { return number >= shape.nodes; });
    if (beyond != numbers_.end())
        report.add(IssueKind::UndefinedReference, file, "", fmt::format("call path number {}", *beyond), -1,
                   static_cast<std::uint64_t>(std::count_if(
                       beyond, numbers_.end(), [&](auto number) { return number >= shape.nodes; })));
    for (std::uint32_t& number : numbers_)
        if (number >= shape.nodes) number = kNotNumbered;
    return true;
}

bool MetricData::readData(std::string_view bytes, const std::string& file, ImportReport& report,
                          const Task& task)
{
    packed_ = bytes.starts_with(kPackedMark);
    if (packed_) return readDirectory(bytes.substr(kPackedMark.size()), file, report, task);
    if (!bytes.starts_with(kDataMark)) {
        report.add(IssueKind::CorruptRecord, file, "",
                   "this is no data of a metric; its values are not shown", 0);
        return false;
    }
    cutPlainRows(bytes.substr(kDataMark.size()), file, report);
    return true;
}

void MetricData::cutPlainRows(std::string_view bytes, const std::string& file, ImportReport& report)
{
    const std::uint64_t announced = numbers_.size();
    const std::uint64_t count =
        rowBytes_ == 0 ? 0 : std::min<std::uint64_t>(announced, bytes.size() / rowBytes_);
    if (count < announced)
        report.add(IssueKind::Truncated, file, "",
                   fmt::format("the values of {} of {} call paths", count, announced),
                   static_cast<std::int64_t>(kDataMark.size() + bytes.size()));
    else if (bytes.size() > count * rowBytes_)
        report.add(IssueKind::ContradictoryRecord, file, "",
                   fmt::format("{} bytes more than the index tells of", bytes.size() - count * rowBytes_));
    missing_.assign(numbers_.begin() + static_cast<std::ptrdiff_t>(count), numbers_.end());
    numbers_.resize(count);
    for (std::uint64_t row = 0; row < count; ++row) rows_.push_back(bytes.substr(row * rowBytes_, rowBytes_));
}

/// n, and n times (begin in the plain data, begin in the packed data, packed bytes), then n zlib streams one
/// after the other.
bool MetricData::readDirectory(std::string_view bytes, const std::string& file, ImportReport& report,
                               const Task& task)
{
    constexpr std::size_t kEntry = 3 * 8;
    const auto entries = bytes.size() < 8 ? 0 : decodeInt64(bytes.data(), order_);
    if (bytes.size() < 8 || entries < 0
        || static_cast<std::uint64_t>(entries) > (bytes.size() - 8) / kEntry) {
        report.add(IssueKind::CorruptRecord, file, "",
                   "the directory of the packed data is damaged; the metric's values are not shown", 0);
        return false;
    }
    const auto count = static_cast<std::uint64_t>(entries);
    std::string_view streams = bytes.substr(8 + count * kEntry);
    rows_.assign(numbers_.size(), {});
    std::vector<bool> found(numbers_.size(), false);
    std::uint64_t lost = 0, odd = 0;
    // Positions may count the mark at the beginning of a file.
    const std::uint64_t base = count > 0 && count == numbers_.size()
        ? static_cast<std::uint64_t>(decodeInt64(bytes.data() + 8, order_))
        : 0;
    for (std::uint64_t at = 0; at < count; ++at) {
        if (at % 4096 == 0 && task.stopRequested()) return false;
        const char* const entry = bytes.data() + 8 + at * kEntry;
        const auto begin = static_cast<std::uint64_t>(decodeInt64(entry, order_)) - base;
        const auto packedBytes = static_cast<std::uint64_t>(decodeInt64(entry + 16, order_));
        const std::uint64_t row = rowBytes_ == 0 ? numbers_.size() : begin / rowBytes_;
        if (row >= numbers_.size() || begin % rowBytes_ != 0 || found[row]) ++odd;
        else if (packedBytes > streams.size()) ++lost;
        else {
            rows_[row] = streams.substr(0, packedBytes);
            found[row] = true;
        }
        streams.remove_prefix(std::min<std::uint64_t>(packedBytes, streams.size()));
    }
    for (std::size_t row = 0; row < found.size(); ++row)
        if (!found[row]) missing_.push_back(numbers_[row]);
    const std::uint64_t absent = missing_.size();
    if (lost > 0 || absent > lost)
        report.add(IssueKind::Truncated, file, "",
                   fmt::format("the packed values of {} of {} call paths", numbers_.size() - absent,
                               numbers_.size()));
    if (odd > 0)
        report.add(IssueKind::CorruptRecord, file, "",
                   "packed values that do not begin where those of a call path do", -1, odd);
    return true;
}

void MetricData::dropRepeatedRows(const std::string& file, ImportReport& report)
{
    std::uint32_t largest = 0;
    for (const std::uint32_t number : numbers_)
        if (number != kNotNumbered) largest = std::max(largest, number);
    std::vector<bool> seen(std::size_t{largest} + 1);
    std::size_t kept = 0;
    for (std::size_t row = 0; row < numbers_.size(); ++row) {
        const std::uint32_t number = numbers_[row];
        if (number == kNotNumbered) continue;
        if (seen[number]) {
            report.add(IssueKind::DuplicateDefinition, file, "",
                       fmt::format("values of call path {}", number));
            continue;
        }
        seen[number] = true;
        numbers_[kept] = number;
        rows_[kept++] = rows_[row];
    }
    numbers_.resize(kept);
    rows_.resize(kept);
}

/// An index that was cut off does not tell which call paths it would have named.
void MetricData::findMissing(std::uint64_t nodes)
{
    if (indexIsCut_) {
        std::vector<bool> named(nodes);
        for (const std::uint32_t number : numbers_) named[number] = true;
        for (std::uint32_t number = 0; number < nodes; ++number)
            if (!named[number]) missing_.push_back(number);
    }
    std::erase(missing_, kNotNumbered);
    std::sort(missing_.begin(), missing_.end());
    missing_.erase(std::unique(missing_.begin(), missing_.end()), missing_.end());
}

MetricData::Row MetricData::row(std::size_t row, std::string& buffer) const
{
    const std::string_view bytes = rows_[row];
    if (!packed_) return {bytes, true};
    if (bytes.empty()) return {};
    if (rowBytes_ / kLargestRatio > bytes.size()) return {{}, false};
    buffer.resize(rowBytes_);
    const bool whole = unpackExactly(bytes, buffer);
    return {buffer, whole};
}

}  // namespace skein::cube
