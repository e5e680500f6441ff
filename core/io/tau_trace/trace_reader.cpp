// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tau_trace/trace_reader.h"

#include <algorithm>

namespace skein::tau {
namespace {

/// True for bits that are a double between 10⁻²⁴ and 10²⁴ and, as an integer, larger than anything TAU
/// counts.
bool looksLikeDouble(std::int64_t bits)
{
    constexpr int bias = 0x3FF;
    constexpr int reach = 80;
    const int exponent = static_cast<int>(static_cast<std::uint64_t>(bits) >> 52 & 0x7FF);
    return exponent >= bias - reach && exponent <= bias + reach;
}

}  // namespace

void LocationReader::read(const TraceRecord& record, EventMeaning meaning)
{
    const Tick now = builder_.record(record.time);
    if (meaning.kind == EventKind::Trigger) return readValue(now, meaning.number, record.parameter);
    if (!held_.empty()) flushSamples();
    switch (meaning.kind) {
    case EventKind::EntryExit: return readCall(now, meaning, record.parameter);
    case EventKind::Send:
    case EventKind::Receive: return readMessage(now, meaning.kind, record.parameter);
    case EventKind::OneSided:
    case EventKind::OneSidedId:
    case EventKind::OneSidedReceive:
    case EventKind::OneSidedSend: return readTransfer(now, meaning.kind, record.parameter);
    case EventKind::Trigger:
    case EventKind::None:
    case EventKind::Unknown: break;
    }
    if (!meaning.defined) ++findings_.odd["an event that is not defined"];
}

void LocationReader::readCall(Tick now, EventMeaning meaning, std::int64_t parameter)
{
    const RegionId region(meaning.number);
    if (parameter == 1) {
        openApplications_ += meaning.application ? 1 : 0;
        if (meaning.flush) readFlush(now, parameter);
        return builder_.enter(now, region, callSiteOfRegion_[meaning.number]);
    }
    if (parameter != -1) {
        ++findings_.odd["an entry or exit with another parameter than 1 and -1"];
        return;
    }
    if (meaning.flush) readFlush(now, parameter);
    if (meaning.application && openApplications_ == 0 && builder_.stackDepth() == 0) {
        ++findings_.unrecordedEnters;
        return;
    }
    openApplications_ -= meaning.application && openApplications_ > 0 ? 1 : 0;
    builder_.leave(now, region);
}

void LocationReader::readFlush(Tick now, std::int64_t parameter)
{
    if (parameter == 1) flushBegin_ = now;
    else
        builder_.tables().bufferFlushes.push({static_cast<TimeNs>(flushBegin_ == 0 ? now : flushBegin_),
                                              static_cast<TimeNs>(now), builder_.location()});
}

void LocationReader::readValue(Tick now, std::uint32_t value, std::int64_t bits)
{
    const MetricId metric = metricOfValue_[value];
    if (!metric.valid()) {
        if (bits == 1) findings_.metadata.insert(value);
        return;
    }
    const Sample sample{now, metric, bits};
    const bool follows = !held_.empty() && held_.front().metric == metric;
    if (follows && held_.size() == 2 && bits == 0) {
        addSample(held_.back());
        held_.clear();
        return;
    }
    if (follows && held_.size() == 1) {
        held_.push_back(sample);
        return;
    }
    flushSamples();
    if (bits == 0) held_.push_back(sample);
    else addSample(sample);
}

void LocationReader::flushSamples()
{
    for (const Sample& sample : held_) addSample(sample);
    held_.clear();
}

void LocationReader::addSample(const Sample& sample)
{
    Stream& stream = streams_[sample.metric];
    if (stream.number == kNoInterval) {
        MetricStream description;
        description.recorder = description.scopeLocation = builder_.location();
        description.metrics = {sample.metric};
        stream.number = builder_.addStream(std::move(description));
    }
    const auto bits = static_cast<std::uint64_t>(sample.bits);
    builder_.sample(stream.number, sample.time, std::span(&bits, 1));
    stream.zeros = stream.zeros && sample.bits == 0;
    stream.doubles = stream.doubles && (sample.bits == 0 || looksLikeDouble(sample.bits));
}

void LocationReader::finish()
{
    flushSamples();
    for (const auto& [metric, stream] : streams_)
        if (!stream.zeros) findings_.doubles[metric] = stream.doubles;
}

/// TAU writes three records: the end of the transfer with its length, then the two numbers that name it.
void LocationReader::readTransfer(Tick now, EventKind kind, std::int64_t parameter)
{
    if (kind != EventKind::OneSidedId) {
        const auto bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(parameter, 0));
        findings_.transfers.push_back({now, kind, bytes, builder_.currentInterval(), {}, 0});
        return;
    }
    if (findings_.transfers.empty() || findings_.transfers.back().idCount == 2) {
        ++findings_.odd["a number of a one-sided transfer without the transfer"];
        return;
    }
    TransferEnd& end = findings_.transfers.back();
    end.ids[end.idCount++] = parameter;
}

void LocationReader::readMessage(Tick now, EventKind kind, std::int64_t parameter)
{
    const PackedMessage message = unpackMessage(parameter);
    const LocationId partner =
        message.partner < locationOfRank_.size() ? locationOfRank_[message.partner] : LocationId();
    const CommunicatorId communicator(message.communicator);
    findings_.communicators |= std::uint64_t{1} << message.communicator;
    if (kind == EventKind::Send) builder_.send(now, partner, communicator, message.tag, message.bytes);
    else builder_.receive(now, partner, communicator, message.tag, message.bytes);
}

}  // namespace skein::tau
