// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/dialogs/go_to_time.h"

#include "app/cli/arguments.h"
#include "views/common/scene/axes/time_window.h"

#include <charconv>
#include <cmath>
#include <string>

namespace skein::gui {
namespace {

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

/// "123456 ticks" as a time of the first experiment.
std::optional<TimeNs> parseTicks(std::string_view text, const Session& session)
{
    if (!text.ends_with("ticks") || session.experiments.empty()) return std::nullopt;
    const std::string_view digits = trimmed(text.substr(0, text.size() - 5));
    std::uint64_t ticks = 0;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), ticks);
    if (parsed.ec != std::errc() || parsed.ptr != digits.data() + digits.size()) return std::nullopt;
    const ClockProperties& clock = session.experiments.front()->definitions.clock;
    const auto since = static_cast<std::int64_t>(ticks - clock.originTicks);
    return std::llround(static_cast<double>(since) * 1e9
                        / static_cast<double>(std::max<std::uint64_t>(1, clock.ticksPerSecond)));
}

}  // namespace

Result<TimeSpan> windowAsked(std::string_view text, TimeSpan visible, TimeSpan whole, const Session& session)
{
    text = trimmed(text);
    if (text.find(':') != std::string_view::npos) {
        const auto span = cli::parseWindow(text, whole);
        if (!span) return span;
        return windowWithin(*span, whole);
    }
    const auto time = text.ends_with("ticks") ? parseTicks(text, session) : cli::parseTime(text);
    if (!time)
        return fail(ErrorCode::InvalidArgument,
                    "This is no time. Write 12.5 ms, a span such as 10ms:12.5ms, or 123456 ticks of the "
                    "archive's clock.");
    if (*time < whole.begin || *time > whole.end)
        return fail(ErrorCode::InvalidArgument, "The trace has ended by then, or had not begun.");
    const TimeNs begin = *time - visible.lengthNs() / 2;
    return windowWithin({begin, begin + visible.lengthNs()}, whole);
}

}  // namespace skein::gui
