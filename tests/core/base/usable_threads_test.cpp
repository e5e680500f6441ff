// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/usable_threads.h"

#include "core/base/task.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <cmath>
#include <fstream>
#include <sched.h>
#include <string>
#include <thread>

namespace skein::usable_threads_test {
namespace {

namespace fs = std::filesystem;

/// A folder that looks like the root of a system as far as control groups go.
class FakeSystem {
public:
    void write(const std::string& file, const std::string& text) const
    {
        const fs::path path = root() / file;
        fs::create_directories(path.parent_path());
        std::ofstream(path) << text;
    }
    fs::path root() const { return folder_.path(); }
    double quota() const { return processorQuota(root()); }

private:
    test::TemporaryFolder folder_;
};

void useVersion2(const FakeSystem& system, const std::string& group)
{
    system.write("proc/self/cgroup", "0::" + group + "\n");
    system.write("proc/self/mountinfo",
                 "25 30 0:23 / /proc rw - proc proc rw\n"
                 "31 23 0:27 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n");
}

}  // namespace

TEST_CASE("usable threads: a quota of cgroup v2 is that of the group or of one above it")
{
    const FakeSystem system;
    useVersion2(system, "/batch/job7");
    CHECK(std::isinf(system.quota()));
    system.write("sys/fs/cgroup/batch/job7/cpu.max", "max 100000\n");
    CHECK(std::isinf(system.quota()));
    system.write("sys/fs/cgroup/batch/job7/cpu.max", "150000 100000\n");
    CHECK(system.quota() == 1.5);
    system.write("sys/fs/cgroup/batch/cpu.max", "25000 50000\n");
    CHECK(system.quota() == 0.5);
    system.write("sys/fs/cgroup/other/cpu.max", "1000 100000\n");
    CHECK(system.quota() == 0.5);
}

TEST_CASE("usable threads: a container that sees its own group as the root has the quota at the mount")
{
    for (const std::string group : {"/", "/../../elsewhere"}) {
        const FakeSystem system;
        useVersion2(system, group);
        system.write("sys/fs/cgroup/cpu.max", "300000 100000\n");
        CHECK(system.quota() == 3.0);
    }
    const FakeSystem docker;
    useVersion2(docker, "/docker/0123");
    docker.write("proc/self/mountinfo", "31 23 0:27 /docker/0123 /sys/fs/cgroup ro - cgroup2 cgroup rw\n");
    docker.write("sys/fs/cgroup/cpu.max", "200000 100000\n");
    CHECK(docker.quota() == 2.0);
}

TEST_CASE("usable threads: a quota of cgroup v1 is that of the controller cpu")
{
    const FakeSystem system;
    system.write("proc/self/cgroup", "5:memory:/m\n4:cpuset:/s\n3:cpu,cpuacct:/slurm/step\n0::/\n");
    system.write("proc/self/mountinfo",
                 "32 31 0:29 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
                 "33 31 0:30 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n");
    CHECK(std::isinf(system.quota()));
    const std::string group = "sys/fs/cgroup/cpu,cpuacct/slurm/step/";
    system.write(group + "cpu.cfs_quota_us", "-1\n");
    system.write(group + "cpu.cfs_period_us", "100000\n");
    CHECK(std::isinf(system.quota()));
    system.write(group + "cpu.cfs_quota_us", "700000\n");
    CHECK(system.quota() == 7.0);
    system.write("sys/fs/cgroup/cpu,cpuacct/slurm/cpu.cfs_quota_us", "450000\n");
    system.write("sys/fs/cgroup/cpu,cpuacct/slurm/cpu.cfs_period_us", "100000\n");
    CHECK(system.quota() == 4.5);
}

TEST_CASE("usable threads: a system that tells nothing, or nonsense, limits nothing")
{
    const FakeSystem system;
    CHECK(std::isinf(system.quota()));
    system.write("proc/self/cgroup", "nonsense\n0:\n\n::::\n0::/a\n");
    system.write("proc/self/mountinfo", "1 2 3\n- cgroup2\n9 9 9 / /c rw - cgroup2 c rw\n");
    system.write("c/a/cpu.max", "all of it\n");
    system.write("c/cpu.max", "100000 0\n");
    CHECK(std::isinf(system.quota()));
}

TEST_CASE("usable threads: the affinity of the process bounds them")
{
    bool bound = false;
    int usable = 0;
    std::thread([&] {
        cpu_set_t all, one;
        if (sched_getaffinity(0, sizeof all, &all) != 0) return;
        int first = 0;
        while (!CPU_ISSET(first, &all)) ++first;
        CPU_ZERO(&one);
        CPU_SET(first, &one);
        bound = sched_setaffinity(0, sizeof one, &one) == 0;
        usable = usableThreads();
    }).join();
    REQUIRE(bound);
    CHECK(usable == 1);
    CHECK(usableThreads() >= 1);
    CHECK(usableThreads() <= static_cast<int>(std::thread::hardware_concurrency()));
    CHECK(Task().threads() >= 1);
    CHECK(Task().withThreads(7).threads() == 7);
}

}  // namespace skein::usable_threads_test
