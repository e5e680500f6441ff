// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/index/disk/catalog.h"
#include "core/index/disk/index_contents.h"
#include "core/index/timeline_index.h"
#include "core/index/trace_summary.h"
#include "core/session/experiment.h"

/// What of every type lies in the catalog. A new member of one of these types belongs into its line here; the
/// build notices nothing, but tests/core/index/disk compares everything that was read back.
namespace skein::disk {

template <typename T, typename Wanted>
concept Is = std::same_as<std::remove_const_t<T>, Wanted>;

struct Fields {
    static void visit(auto& v, Is<IndexSummary> auto& t)
    {
        v(t.archive, t.identity, t.archiveFiles, t.archiveBytes, t.events, t.createdNs);
    }

    static void visit(auto& v, Is<Property> auto& t) { v(t.name, t.value); }
    static void visit(auto& v, Is<SystemTreeNode> auto& t) { v(t.name, t.className, t.parent, t.properties); }
    static void visit(auto& v, Is<LocationGroup> auto& t)
    {
        v(t.name, t.kind, t.node, t.creator, t.rank, t.properties);
    }
    static void visit(auto& v, Is<Location> auto& t)
    {
        v(t.name, t.kind, t.group, t.rank, t.thread, t.originalId, t.properties);
    }
    static void visit(auto& v, Is<RegionGroup> auto& t) { v(t.name); }
    static void visit(auto& v, Is<Region> auto& t)
    {
        v(t.name, t.canonicalName, t.description, t.sourceFile, t.beginLine, t.endLine, t.role, t.paradigm,
          t.groups);
    }
    static void visit(auto& v, Is<Metric> auto& t)
    {
        v(t.name, t.description, t.unit, t.kind, t.mode, t.valueType, t.binaryBase, t.exponent, t.aggregation,
          t.parent, t.formula);
    }
    static void visit(auto& v, Is<Communicator> auto& t)
    {
        v(t.name, t.parent, t.members, t.self, t.originalId);
    }
    static void visit(auto& v, Is<CallSite> auto& t)
    {
        v(t.sourceFile, t.line, t.enteredRegion, t.leftRegion);
    }
    static void visit(auto& v, Is<Parameter> auto& t) { v(t.name, t.valueType, t.isString); }
    static void visit(auto& v, Is<Attribute> auto& t) { v(t.name, t.description, t.type); }
    static void visit(auto& v, Is<IoFile> auto& t) { v(t.name, t.scope); }
    static void visit(auto& v, Is<IoHandle> auto& t) { v(t.name, t.file, t.paradigm, t.communicator); }
    static void visit(auto& v, Is<CartesianTopology::Dimension> auto& t) { v(t.name, t.size, t.periodic); }
    static void visit(auto& v, Is<CartesianTopology::Coordinates> auto& t) { v(t.rank, t.position); }
    static void visit(auto& v, Is<CartesianTopology> auto& t)
    {
        v(t.name, t.communicator, t.dimensions, t.coordinates);
    }
    static void visit(auto& v, Is<ClockProperties> auto& t)
    {
        v(t.present, t.ticksPerSecond, t.globalOffsetTicks, t.lengthTicks, t.realtimeNs, t.originTicks);
    }
    static void visit(auto& v, Is<RecordedClockOffset> auto& t)
    {
        v(t.location, t.timeTicks, t.offsetTicks, t.standardDeviation);
    }
    static void visit(auto& v, Is<Definitions> auto& t)
    {
        v(t.systemTree, t.locationGroups, t.locations, t.regionGroups, t.regions, t.metrics, t.communicators,
          t.callSites, t.parameters, t.attributes, t.ioFiles, t.ioHandles, t.topologies, t.clockOffsets,
          t.properties, t.strings, t.clock);
    }
    static void visit(auto& v, Is<Issue> auto& t)
    {
        v(t.kind, t.count, t.detail, t.file, t.location, t.offset);
    }
    static void visit(auto& v, Is<ImportReport> auto& t) { v(t.issues_); }

    static void visit(auto& v, Is<TimeSpan> auto& t) { v(t.begin, t.end); }
    static void visit(auto& v, Is<CallIntervals> auto& t) { v(t.begin, t.end, t.callPath, t.depth); }
    static void visit(auto& v, Is<LocationTrace> auto& t)
    {
        v(t.intervals, t.attributes, t.events, t.extent);
    }
    static void visit(auto& v, Is<MetricStream> auto& t)
    {
        v(t.recorder, t.scopeLocation, t.scopeGroup, t.scopeNode, t.occurrence, t.metrics, t.times, t.values);
    }
    static void visit(auto& v, Is<Trace> auto& t)
    {
        v(t.locations, t.metricStreams, t.messages, t.unmatchedReceives, t.collectives, t.collectiveMembers,
          t.rmaOperations, t.ioOperations, t.threadEvents, t.parameterEvents, t.markers, t.samples,
          t.bufferFlushes, t.programRuns, t.extent);
    }

    static void visit(auto& v, Is<CallDurations> auto& t)
    {
        v(t.cut, t.sum, t.minimum, t.maximum, t.squaredDeviations);
    }
    static void visit(auto& v, Is<MetricCube> auto& t)
    {
        v(t.metrics, t.locationOffsets, t.items, t.calls, t.subroutines, t.inclusive, t.exclusive,
          t.durations);
    }
    static void visit(auto& v, Is<Profile> auto& t) { v(t.callPaths, t.regions, t.statistics, t.artificial); }

    static void visit(auto& v, Is<TimeTree> auto& t)
    {
        v(t.rootBits_, t.callPath_, t.child_, t.share_, t.leaf_, t.others_, t.othersBefore_);
    }
    static void visit(auto& v, Is<Leads> auto& t) { v(t.begin_, t.callPath_, t.share_, t.others_); }
    static void visit(auto& v, Is<BundleTree> auto& t) { v(t.tree, t.leads); }
    static void visit(auto& v, Is<IntervalSkip> auto& t)
    {
        v(t.levelOffsets_, t.minimumDepth_, t.maximumWidth_);
    }
    static void visit(auto& v, Is<MessageSkip> auto& t) { v(t.blocks_); }
    static void visit(auto& v, Is<TimelineIndex::Location> auto& t) { v(t.tree, t.skip, t.sums, t.outliers); }
    static void visit(auto& v, Is<CallSums> auto& t)
    {
        v(t.levelOffsets_, t.offsets_, t.callPaths_, t.sums_);
    }
    static void visit(auto& v, Is<TimelineIndex> auto& t)
    {
        v(t.locations, t.bundles, t.messages, t.maximumDepth);
    }

    static void visit(auto& v, Is<ClockOffset> auto& t) { v(t.offsetNs, t.drift, t.errorNs); }
    static void visit(auto& v, Is<ClockOffsets> auto& t)
    {
        v(t.groups, t.reference, t.violations, t.worstViolationNs, t.remainingNs, t.inferredCollectives);
    }
    static void visit(auto& v, Is<TraceTotals> auto& t)
    {
        v(t.maximumDepth, t.messageBytes, t.unmatchedSends);
    }
    static void visit(auto& v, Is<TraceSummary> auto& t) { v(t.totals, t.clocks); }
};

}  // namespace skein::disk
