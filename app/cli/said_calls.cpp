// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/said_calls.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

namespace skein::cli {
namespace {

using Json = nlohmann::json;

std::optional<std::uint32_t> smallWhole(const Json& value)
{
    if (!value.is_number_integer()) return std::nullopt;
    const auto whole = value.get<std::int64_t>();
    constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max() - 1;
    if (whole < 0 || whole > kMost) return std::nullopt;
    return static_cast<std::uint32_t>(whole);
}

/// One entry of "verdicts": [source, location, number, "anomaly" or "normal"].
std::optional<SaidOfCall> saidCall(const Json& entry, std::size_t source)
{
    if (!entry.is_array() || entry.size() != 4 || !entry[3].is_string()) return std::nullopt;
    const auto of = smallWhole(entry[0]), location = smallWhole(entry[1]), call = smallWhole(entry[2]);
    const std::string kind = entry[3].get<std::string>();
    if (!of || *of != source || !location || !call || (kind != "anomaly" && kind != "normal"))
        return std::nullopt;
    return SaidOfCall{LocationId(*location), *call,
                      kind == "anomaly" ? AnomalyLabel::Anomaly : AnomalyLabel::Normal};
}

/// Of a call that is there twice, which somebody has written by hand, what was said last.
void keepLast(std::vector<SaidOfCall>& said)
{
    std::set<std::pair<LocationId, std::uint32_t>> known;
    std::reverse(said.begin(), said.end());
    std::erase_if(said,
                  [&](const SaidOfCall& each) { return !known.emplace(each.location, each.call).second; });
    std::reverse(said.begin(), said.end());
}

}  // namespace

Result<std::vector<SaidOfCall>> readSaidCalls(const std::filesystem::path& file, std::size_t source)
{
    std::ifstream stream(file, std::ios::binary);
    if (!stream) return fail(ErrorCode::NotFound, "The session file " + file.string() + " cannot be read.");
    const Json session = Json::parse(stream, nullptr, false);
    const bool known = session.is_object() && session.value("format", Json()) == Json("skein-session");
    if (!known)
        return fail(ErrorCode::NotRecognized,
                    file.string() + " is no session; File → Save Session in the window writes one.");
    std::vector<SaidOfCall> said;
    if (!session.contains("state") || !session["state"].is_object()) return said;
    const Json& state = session["state"];
    if (!state.contains("verdicts") || !state["verdicts"].is_array()) return said;
    for (const Json& entry : state["verdicts"])
        if (const auto one = saidCall(entry, source)) said.push_back(*one);
    keepLast(said);
    return said;
}

}  // namespace skein::cli
