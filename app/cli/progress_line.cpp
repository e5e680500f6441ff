// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/progress_line.h"

#include <chrono>
#include <fmt/format.h>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unistd.h>

namespace skein::cli {
namespace {

struct LineState {
    std::mutex mutex;
    std::chrono::steady_clock::time_point next =
        std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
};

void writeToStderr(const std::string& text)
{
    // What cannot be written here is no loss.
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

Task::Progress progressLine()
{
    if (!stderrIsTerminal()) return {};
    return [state = std::make_shared<LineState>()](double fraction, std::string_view stage) {
        const std::lock_guard lock(state->mutex);
        const auto now = std::chrono::steady_clock::now();
        if (fraction >= 1.0) return clearProgressLine();
        if (now < state->next) return;
        state->next = now + std::chrono::milliseconds(100);
        writeToStderr(fmt::format("\r\033[K{:3.0f} %  {}", fraction * 100.0, stage));
    };
}

bool stderrIsTerminal() { return isatty(STDERR_FILENO) != 0; }

void tellStopping()
{
    constexpr std::string_view kText =
        "Stopping: what was found until now is still printed; a second stop ends this at once.\n";
    writeToStderr(fmt::format("{}{}", stderrIsTerminal() ? "\r\033[K" : "", kText));
}

void clearProgressLine()
{
    if (stderrIsTerminal()) writeToStderr("\r\033[K");
}

}  // namespace skein::cli
