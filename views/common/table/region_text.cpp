// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/table/region_text.h"

#include "core/base/presentation.h"
#include "core/base/units.h"
#include "core/definitions/definitions.h"
#include "views/common/scene/drawing/text_measure.h"

#include <cmath>

namespace skein {
namespace {

QString grouped(double value) { return QString::fromStdString(formatGrouped(std::llround(value))); }

/// " m.c:59" of "[SAMPLE] f [{/x/m.c} {59}]" and its like, whose names alone are the same for every line;
/// empty for functions.
std::string lineOfSample(const std::string& name)
{
    const auto place = name.rfind(" [{");
    if (!name.starts_with('[') || place == std::string::npos) return {};
    const auto fileEnd = name.find('}', place);
    const auto line = fileEnd == std::string::npos ? fileEnd : name.find('{', fileEnd);
    if (line == std::string::npos) return {};
    const std::string file = name.substr(place + 3, fileEnd - place - 3);
    const std::string digits =
        name.substr(line + 1, name.find_first_not_of("0123456789", line + 1) - line - 1);
    if (digits.empty()) return {};
    return " " + file.substr(file.rfind('/') + 1) + ":" + digits;
}

}  // namespace

QString shortRegionName(const std::string& name)
{
    Region region;
    region.name = name;
    const std::string shown = displayName(region);
    return QString::fromStdString((longNames() == LongNames::Folded ? foldedName(shown) : shown)
                                  + lineOfSample(name));
}

QString regionToolTip(const std::string& name)
{
    const QString whole = QString::fromStdString(name).trimmed();
    Region region;
    region.name = name;
    const QString shown = QString::fromStdString(displayName(region));
    const QString source = whole.mid(shown.size()).trimmed();
    // Rich text is wrapped at the width of a tool tip, plain text is not.
    QString tip = "<p>" + shown.toHtmlEscaped() + "</p>";
    if (!source.isEmpty()) tip += "<p>" + source.toHtmlEscaped() + "</p>";
    return tip;
}

QString exactDuration(double durationNs)
{
    return std::isfinite(durationNs) ? grouped(durationNs) + " ns" : QString();
}

QString exactNumber(double value) { return std::isfinite(value) ? grouped(value) : QString(); }

}  // namespace skein
