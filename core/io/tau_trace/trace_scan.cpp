// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tau_trace/trace_scan.h"

#include <algorithm>
#include <array>
#include <unordered_set>

namespace skein::tau {
namespace {

/// A set of thread numbers that answers for the threads met lately with one comparison.
class ThreadSet {
public:
    void add(std::uint32_t thread)
    {
        std::uint64_t& slot = lately_[(thread ^ thread >> 16) % lately_.size()];
        if (slot == thread + std::uint64_t{1}) return;
        slot = thread + std::uint64_t{1};
        if (all_.size() < kMaximumThreads) all_.insert(thread);
        else if (!all_.contains(thread)) full_ = true;
    }
    bool full() const { return full_; }
    std::vector<std::uint32_t> sorted() const
    {
        std::vector<std::uint32_t> threads(all_.begin(), all_.end());
        std::sort(threads.begin(), threads.end());
        return threads;
    }

private:
    std::array<std::uint64_t, 1024> lately_{};  ///< thread + 1; 0 = none
    std::unordered_set<std::uint32_t> all_;
    bool full_ = false;
};

/// Damaged data has any number of ids; what is beyond this many shares the last one's fate and is dropped.
constexpr std::size_t kMaximumUndefined = 10'000;

void noteUndefined(const TraceRecord& record, TraceScan& scan)
{
    auto found = scan.undefined.find(record.event);
    if (found == scan.undefined.end()) {
        if (scan.undefined.size() == kMaximumUndefined) return;
        found = scan.undefined.emplace(record.event, UndefinedUse()).first;
    }
    UndefinedUse& use = found->second;
    ++use.records;
    use.entered = use.entered || record.parameter == 1;
    use.left = use.left || record.parameter == -1;
    use.otherValues = use.otherValues || (record.parameter != 1 && record.parameter != -1);
}

}  // namespace

bool scanTrace(const OpenTraceFile& trace, std::size_t values, TraceScan& scan, const Task& task)
{
    ThreadSet threads;
    std::vector<ValueUse> uses(values, ValueUse::Unused);
    const std::size_t records = trace.records();
    for (std::size_t index = 0; index < records; ++index) {
        if (index % kRecordsPerLook == 0 && task.stopRequested()) return false;
        const TraceRecord record = trace.record(index);
        threads.add(threadNumber(record));
        const EventMeaning meaning = trace.events.find(record.event);
        if (!meaning.defined) {
            noteUndefined(record, scan);
        } else if (meaning.kind == EventKind::Trigger) {
            const bool flag = record.parameter == 0 || record.parameter == 1;
            ValueUse& use = uses[meaning.number];
            use = std::max(use, flag ? ValueUse::ZeroOrOne : ValueUse::Other);
        }
    }
    for (std::uint32_t value = 0; value < uses.size(); ++value)
        if (uses[value] != ValueUse::Unused) scan.values.emplace_back(value, uses[value]);
    scan.threads = threads.sorted();
    scan.tooManyThreads = threads.full();
    return true;
}

}  // namespace skein::tau
