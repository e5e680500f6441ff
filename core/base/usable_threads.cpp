// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/usable_threads.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <optional>
#include <sched.h>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace skein {
namespace {

namespace fs = std::filesystem;

constexpr double kNoQuota = std::numeric_limits<double>::infinity();

/// Where a hierarchy of control groups is seen: the group `root` stands at `point`.
struct GroupMount {
    fs::path root;
    fs::path point;
};

std::vector<std::string> cgroupFields(const std::string& text, char separator)
{
    std::vector<std::string> fields;
    std::istringstream in(text);
    for (std::string field; std::getline(in, field, separator);) fields.push_back(field);
    return fields;
}

bool isListed(const std::vector<std::string>& names, std::string_view wanted)
{
    return std::find(names.begin(), names.end(), wanted) != names.end();
}

/// The path of the process's group: of version 2, or of version 1's controller `cpu`.
std::optional<fs::path> groupOf(const fs::path& root, int version)
{
    std::ifstream in(root / "proc/self/cgroup");
    for (std::string line; std::getline(in, line);) {
        const std::size_t first = line.find(':');
        const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        const bool found =
            version == 2 ? line.starts_with("0::") : isListed(cgroupFields(controllers, ','), "cpu");
        if (found) return fs::path(line.substr(second + 1));
    }
    return std::nullopt;
}

/// Fields of a line: number, parent, device, root, point, options, tags …, "-", type, source, options of the
/// hierarchy (proc(5)).
std::optional<GroupMount> mountOf(const fs::path& root, int version)
{
    std::ifstream in(root / "proc/self/mountinfo");
    for (std::string line; std::getline(in, line);) {
        const std::vector<std::string> fields = cgroupFields(line, ' ');
        const auto dash = std::find(fields.begin(), fields.end(), "-");
        if (fields.size() < 5 || fields.end() - dash < 4) continue;
        const bool found = version == 2 ? dash[1] == "cgroup2"
                                        : dash[1] == "cgroup" && isListed(cgroupFields(dash[3], ','), "cpu");
        if (found) return GroupMount{fields[3], root / fs::path(fields[4]).relative_path()};
    }
    return std::nullopt;
}

/// cpu.max: "QUOTA PERIOD", or "max PERIOD" where there is none.
double quotaOfVersion2(const fs::path& group)
{
    std::ifstream in(group / "cpu.max");
    double quota = 0.0, period = 0.0;
    return in >> quota >> period && quota > 0.0 && period > 0.0 ? quota / period : kNoQuota;
}

/// A quota of -1 is none.
double quotaOfVersion1(const fs::path& group)
{
    double quota = 0.0, period = 0.0;
    std::ifstream(group / "cpu.cfs_quota_us") >> quota;
    std::ifstream(group / "cpu.cfs_period_us") >> period;
    return quota > 0.0 && period > 0.0 ? quota / period : kNoQuota;
}

/// The least quota from the process's group up to the mount. A group that the mount does not show (a
/// container with a view of its own) is taken for the mount itself.
double leastQuota(const fs::path& root, int version)
{
    const auto group = groupOf(root, version);
    const auto mount = mountOf(root, version);
    if (!group || !mount) return kNoQuota;
    const fs::path below = group->lexically_relative(mount->root);
    const bool shown = !below.empty() && *below.begin() != "..";
    double least = kNoQuota;
    for (fs::path at = shown ? (mount->point / below).lexically_normal() : mount->point;;
         at = at.parent_path()) {
        least = std::min(least, version == 2 ? quotaOfVersion2(at) : quotaOfVersion1(at));
        if (at.native().size() <= mount->point.native().size()) return least;
    }
}

int processorsOfAffinity()
{
    for (int most = 1024; most <= 1 << 20; most *= 2) {
        cpu_set_t* const set = CPU_ALLOC(static_cast<std::size_t>(most));
        if (!set) break;
        const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(most));
        const int count = sched_getaffinity(0, bytes, set) == 0 ? CPU_COUNT_S(bytes, set) : 0;
        CPU_FREE(set);
        if (count > 0) return count;
    }
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace

double processorQuota(const fs::path& root) { return std::min(leastQuota(root, 2), leastQuota(root, 1)); }

int usableThreads()
{
    const double processors = processorsOfAffinity();
    return static_cast<int>(std::max(1.0, std::min(processors, std::ceil(processorQuota("/")))));
}

}  // namespace skein
