// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "views/common/scene/drawing/draw_list.h"
#include "views/common/scene/drawing/text_measure.h"
#include "views/common/text_cache.h"

#include <QFont>
#include <QImage>
#include <QPainter>

#include <array>
#include <filesystem>
#include <memory>
#include <string>

namespace skein {

/// The fonts of a picture: one a FontStyle, sized for device pixels. Not thread-safe: one object a thread.
class SceneFonts {
public:
    /// From the application's font; `scale` is the number of device pixels per logical pixel. What is known
    /// of texts is shared by all pictures of the same font and scale that hand the cache on; null: this one
    /// begins its own.
    SceneFonts(const QFont& base, double scale, std::shared_ptr<TextCache> texts = nullptr);
    const QFont& font(FontStyle style) const { return fonts_[static_cast<std::size_t>(style)]; }
    TextCache& texts() const { return *texts_; }

private:
    std::array<QFont, 4> fonts_;
    std::shared_ptr<TextCache> texts_;
};

/// Measures with real fonts, which must outlive it. Not thread-safe: one object a thread.
class QtTextMeasure : public TextMeasure {
public:
    explicit QtTextMeasure(const SceneFonts& fonts);
    double width(std::string_view text, FontStyle style) const override;
    double lineHeight(FontStyle style) const override;

private:
    const SceneFonts& fonts_;
    mutable std::array<double, 4> lineHeights_{};  ///< 0: not asked for yet
};

/// Paints a list in device pixels: where the painter has another scale, it is undone first. On images pixel
/// blocks are written at their memory bandwidth, on as many threads as the task has; on vector devices they
/// become rectangles. The same bits for any number of threads. Stop requests are not heard: it takes
/// milliseconds.
void paintDrawList(QPainter& painter, const DrawList& list, const SceneFonts& fonts,
                   const Task& task = Task());

/// The list as an opaque picture of its own size.
QImage toImage(const DrawList& list, const SceneFonts& fonts, const Task& task = Task());

/// Writes a PNG, an SVG or a PDF page, by the ending of the name. Errors: InvalidArgument for other endings
/// and for sizes that no picture can have, those of writeFile().
Result<void> saveDrawList(const DrawList& list, const SceneFonts& fonts, const std::filesystem::path& path,
                          const std::string& title);

}  // namespace skein
