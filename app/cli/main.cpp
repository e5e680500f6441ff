// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cli.h"
#include "app/cli/progress_line.h"
#include "app/cli/result_after_stop.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <pthread.h>
#include <stop_token>
#include <thread>
#include <unistd.h>

namespace {

sigset_t interruptions()
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    return signals;
}

/// Wrappers such as timeout signal their child and then its whole process group: one interruption that
/// arrives twice.
constexpr auto kSameInterruption = std::chrono::milliseconds(250);

/// How long work may take to hear that it should stop. Nobody waits longer: not for a library that hears
/// nothing, and not until memory is handed back: the system takes some 70 ms of its own for a gigabyte.
constexpr auto kLongestAnswer = std::chrono::milliseconds(90);

/// The first Ctrl-C asks the work to stop, and ends the program soon after where nothing is to be printed
/// then; else says that it was heard, and a later one ends it at once. Files are whole or not there in either
/// case (OutputFile). A thread that waits for the signals may do what a signal handler may not.
void listenForInterruptions(std::stop_source stop)
{
    const sigset_t signals = interruptions();
    std::thread([signals, stop]() mutable {
        int received = 0;
        sigwait(&signals, &received);
        const auto first = std::chrono::steady_clock::now();
        stop.request_stop();
        std::this_thread::sleep_for(kLongestAnswer);
        if (!skein::cli::resultExpectedAfterStop())
            _exit(static_cast<int>(skein::cli::ExitCode::Interrupted));
        skein::cli::tellStopping();
        do sigwait(&signals, &received);
        while (std::chrono::steady_clock::now() - first < kSameInterruption);
        _exit(static_cast<int>(skein::cli::ExitCode::Interrupted));
    }).detach();
}

}  // namespace

int main(int argc, char** argv)
{
    // Threads inherit the mask: only the listener sees these signals. A closed pipe is an error of write, not
    // a death.
    const sigset_t signals = interruptions();
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
    std::stop_source stop;
    listenForInterruptions(stop);

    skein::cli::Sink out(STDOUT_FILENO), err(STDERR_FILENO);
    const skein::Task task(stop.get_token(), skein::cli::progressLine());
    const int code = skein::cli::run({argv + 1, argv + argc}, out, err, task, {});
    skein::cli::clearProgressLine();
    out.flush();
    err.flush();
    return code;
}
