// SPDX-License-Identifier: GPL-3.0-or-later
// skein-cancel-latency PATH [TIMES [THREADS]]: how long an import goes on after a stop request. The archive
// is opened once as a whole, then TIMES times with a stop at moments spread evenly over that time; prints the
// latencies and the slowest stages.
#include "core/index/disk/open_archive.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fmt/format.h>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace skein;
using Clock = std::chrono::steady_clock;

/// Opens as the programs do where there is no index yet; none is saved.
Result<disk::OpenedArchive> openFresh(const std::string& path, const Task& task)
{
    disk::IndexSettings settings;
    settings.enabled = true;
    settings.folder = "/nonexistent";
    return disk::openArchive(path, settings, task);
}

double millisecondsSince(Clock::time_point begin)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

/// The stage that was reported last.
class Stage {
public:
    void set(std::string_view stage)
    {
        const std::lock_guard lock(mutex_);
        stage_ = stage;
    }
    std::string get()
    {
        const std::lock_guard lock(mutex_);
        return stage_;
    }

private:
    std::mutex mutex_;
    std::string stage_;
};

struct Stopped {
    double atMs = 0.0;       ///< after the beginning
    double latencyMs = 0.0;  ///< from the request until the import had returned
    double cpuMs = 0.0;      ///< that the process worked meanwhile, for busy machines
    std::string stage;       ///< at the request
};

/// nullopt where the import had ended before.
std::optional<Stopped> stopAt(const std::string& path, double delayMs, int threads)
{
    std::stop_source stop;
    Stage stage;
    const Task task(
        stop.get_token(), [&](double, std::string_view now) { stage.set(now); }, threads);
    const auto begin = Clock::now();
    Stopped result;
    Clock::time_point asked;
    std::clock_t cpuAsked = 0;
    std::jthread asker([&](const std::stop_token& ended) {
        while (millisecondsSince(begin) < delayMs && !ended.stop_requested())
            std::this_thread::sleep_for(std::chrono::microseconds(100));
        if (ended.stop_requested()) return;
        result.stage = stage.get();
        cpuAsked = std::clock();
        asked = Clock::now();
        stop.request_stop();
    });
    const bool cancelled = [&] {
        const auto opened = openFresh(path, task);
        return !opened && opened.error().cancelled();
    }();
    const auto ended = Clock::now();
    const std::clock_t cpuEnded = std::clock();
    asker.request_stop();
    asker.join();
    if (!cancelled) return std::nullopt;
    result.atMs = std::chrono::duration<double, std::milli>(asked - begin).count();
    result.latencyMs = std::chrono::duration<double, std::milli>(ended - asked).count();
    result.cpuMs = 1e3 * static_cast<double>(cpuEnded - cpuAsked) / CLOCKS_PER_SEC;
    return result;
}

int run(const std::string& path, int times, int threads)
{
    const auto begin = Clock::now();
    if (const auto opened = openFresh(path, Task().withThreads(threads)); !opened) {
        fmt::print(stderr, "skein-cancel-latency: {}\n", opened.error().text());
        return 1;
    }
    const double wholeMs = millisecondsSince(begin);
    std::vector<Stopped> all;
    for (int index = 0; index < times; ++index)
        if (auto stopped = stopAt(path, wholeMs * (index + 0.5) / times, threads))
            all.push_back(std::move(*stopped));
    if (all.empty()) return 1;
    std::sort(all.begin(), all.end(),
              [](const Stopped& a, const Stopped& b) { return a.latencyMs > b.latencyMs; });
    fmt::print("import {:.0f} ms, stopped {} times: median {:.1f} ms, worst {:.1f} ms\n", wholeMs, all.size(),
               all[all.size() / 2].latencyMs, all.front().latencyMs);
    for (std::size_t index = 0; index < std::min<std::size_t>(all.size(), 8); ++index)
        fmt::print("  {:8.1f} ms ({:.1f} ms CPU) after a stop at {:8.1f} ms, \"{}\"\n", all[index].latencyMs,
                   all[index].cpuMs, all[index].atMs, all[index].stage);
    return 0;
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc < 2) {
        fmt::print(stderr, "usage: skein-cancel-latency PATH [TIMES [THREADS]]\n");
        return 2;
    }
    const int times = argc > 2 ? std::atoi(argv[2]) : 100;
    return run(argv[1], std::max(times, 1), argc > 3 ? std::max(std::atoi(argv[3]), 1) : 2);
}
