// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/drawing/draw_list.h"

#include <string>
#include <string_view>

namespace skein {

/// How large text is in device pixels. Scenes ask it, so that they need no font engine. Must be usable from
/// the thread that makes the scene.
class TextMeasure {
public:
    virtual ~TextMeasure() = default;
    virtual double width(std::string_view text, FontStyle style) const = 0;
    /// Height of a line, from the top of an accented capital to the bottom of a descender.
    virtual double lineHeight(FontStyle style) const = 0;
};

/// A font-free approximation: every character is 0.6 of the size wide. Deterministic; for tests and for
/// programs without fonts.
class ApproximateTextMeasure : public TextMeasure {
public:
    explicit ApproximateTextMeasure(double pixelSize = 12) : pixelSize_(pixelSize) {}
    double width(std::string_view text, FontStyle style) const override;
    double lineHeight(FontStyle style) const override;

private:
    double pixelSize_;
};

/// The text if it fits, else its beginning and end around "…"; empty when not even five letters fit.
std::string elideMiddle(std::string_view text, double maximumWidth, FontStyle style,
                        const TextMeasure& measure);

/// "Domain<…>::calcForce(…)" of "Domain<double>::calcForce(int)": arguments and template arguments folded
/// away. "(anonymous namespace)" stays. Brackets without partners: the name as it is.
std::string foldedName(std::string_view name);

/// A region's name for a narrow place, spelled as tables have it where there is room, else losing in
/// this order: empty "()", argument lists "(…)",
/// template arguments "<…>", inner scopes "Domain::…::calcForce", all scopes, and then the middle. Empty when
/// not even five letters fit. Folded from the beginning where longNames() says so.
std::string elideName(std::string_view name, double maximumWidth, FontStyle style,
                      const TextMeasure& measure);

}  // namespace skein
