// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/progress_line.h"

#include <chrono>
#include <fmt/format.h>
#include <memory>
#include <mutex>
#include <string>
#include <unistd.h>

namespace skein::cli {
namespace {

using Clock = std::chrono::steady_clock;

struct State {
    std::mutex mutex;
    Clock::time_point next = Clock::now() + std::chrono::milliseconds(300);
};

void writeToTerminal(const std::string& text)
{
    // A progress line that cannot be written is no loss.
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

Task::Progress progressLine()
{
    if (!stderrIsTerminal()) return {};
    return [state = std::make_shared<State>()](double fraction, std::string_view stage) {
        const std::lock_guard lock(state->mutex);
        const Clock::time_point now = Clock::now();
        if (fraction >= 1.0) return clearProgressLine();
        if (now < state->next) return;
        state->next = now + std::chrono::milliseconds(100);
        writeToTerminal(fmt::format("\r\033[K{:3.0f} %  {}", fraction * 100.0, stage));
    };
}

bool stderrIsTerminal() { return isatty(STDERR_FILENO) != 0; }

void clearProgressLine()
{
    if (stderrIsTerminal()) writeToTerminal("\r\033[K");
}

}  // namespace skein::cli
