// SPDX-License-Identifier: GPL-3.0-or-later
// What is written into pixels behind the painter's back looks as if it had been painted plainly.
#include "tests/support/catch.h"
#include "tests/support/gui_application.h"
#include "tests/support/pixels.h"
#include "views/common/draw_list_painter.h"
#include "views/common/line_blend.h"
#include "views/common/scene/drawing/pixel_runs.h"

#include <QImage>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <utility>

namespace skein::painting_test {

namespace {

class Random {
public:
    explicit Random(unsigned seed) : engine_(seed) {}
    int upTo(int most) { return static_cast<int>(engine_() % static_cast<unsigned>(most + 1)); }
    double part() { return static_cast<double>(engine_() % 10007) / 10007; }
    std::uint32_t opaque() { return 0xFF000000u | static_cast<std::uint32_t>(engine_()); }

private:
    std::minstd_rand engine_;
};

/// Blocks of all heights, partly transparent, that stick out on all sides.
PixelItem randomBlock(Random& random, int width, int height, bool full)
{
    PixelItem item;
    item.x = random.upTo(width) - width / 3;
    item.y = random.upTo(height) - height / 4;
    item.columns = 1 + random.upTo(2 * width);
    for (int lines = 1 + random.upTo(3); lines > 0; --lines) item.heights.push_back(random.upTo(9));
    if (random.upTo(2) == 0)
        for (int left = item.columns; left > 0; left -= item.widths.back())
            item.widths.push_back(std::min(left, 1 + random.upTo(random.upTo(4) == 0 ? 300 : 9)));
    const std::size_t count = valuesPerLine(item) * item.heights.size();
    for (std::size_t value = 0; value < count; ++value)
        item.argb.push_back(full || random.upTo(3) > 0 ? random.opaque() : 0);
    return item;
}

DrawList randomList(unsigned seed, const Rect& clip = {31.5, 7, 640, 70.25})
{
    Random random(seed);
    DrawList list{700, 90, {250, 251, 252, 255}, {}};
    for (int rect = 0; rect < 12; ++rect)
        list.fillRect({static_cast<double>(random.upTo(700)) - 100, static_cast<double>(random.upTo(90)) - 20,
                       static_cast<double>(random.upTo(900)), static_cast<double>(random.upTo(60))},
                      fromArgb(random.opaque()));
    list.pushClip(clip);
    for (int block = 0; block < 6; ++block)
        list.items.push_back(randomBlock(random, 700, 90, block % 2 == 0));
    list.popClip();
    list.fillRect({200, 10, 300, 3}, {10, 20, 30, 255});
    return list;
}

/// Every value by itself.
QImage plainly(const DrawList& list)
{
    QImage image(list.width, list.height, QImage::Format_RGB32);
    image.fill(QColor(list.background.red, list.background.green, list.background.blue));
    QRect clip = image.rect();
    const auto set = [&](int x, int y, std::uint32_t argb) {
        if (clip.contains(x, y)) image.setPixel(x, y, argb);
    };
    for (const DrawItem& item : list.items) {
        if (const auto* push = std::get_if<PushClip>(&item))
            clip &= QRectF(push->rect.x, push->rect.y, push->rect.width, push->rect.height).toAlignedRect();
        if (std::holds_alternative<PopClip>(item)) clip = image.rect();
        if (const auto* rect = std::get_if<RectItem>(&item))
            for (int y = static_cast<int>(rect->rect.y); y < rect->rect.bottom(); ++y)
                for (int x = static_cast<int>(rect->rect.x); x < rect->rect.right(); ++x)
                    set(x, y, toArgb(rect->fill));
        const auto* wide = std::get_if<PixelItem>(&item);
        const std::optional<PixelItem> block = wide ? std::optional(test::expanded(*wide)) : std::nullopt;
        int y = block ? block->y : 0;
        for (std::size_t line = 0; block && line < block->heights.size(); ++line)
            for (const int end = y + block->heights[line]; y < end; ++y)
                for (int column = 0; column < block->columns; ++column) {
                    const std::uint32_t argb = block->argb[line * static_cast<std::size_t>(block->columns)
                                                           + static_cast<std::size_t>(column)];
                    if (argb != 0) set(block->x + column, y, argb);
                }
    }
    return image;
}

int channel(std::uint32_t argb, int shift) { return static_cast<int>(argb >> shift & 0xFF); }

}  // namespace

TEST_CASE("blocks of pixels and what they cover look as if every value had been set by itself")
{
    const SceneFonts fonts(test::guiApplication().font(), 1);
    for (unsigned seed = 1; seed <= 60; ++seed) {
        const DrawList list = randomList(seed);
        INFO("seed " << seed);
        REQUIRE(toImage(list, fonts) == plainly(list));
    }
}

TEST_CASE("high blocks over each other keep their order")
{
    const SceneFonts fonts(test::guiApplication().font(), 1);
    for (unsigned seed = 1; seed <= 8; ++seed) {
        Random random(seed);
        DrawList list{600, 1100, {250, 251, 252, 255}, {}};
        list.pushClip({3, 20.5, 590, 1060});
        for (int turn = 0; turn < 90; ++turn) {
            PixelItem block = randomBlock(random, 600, 1100, random.upTo(3) > 0);
            for (int& height : block.heights) height = random.upTo(5) == 0 ? 300 : height * 9;
            list.items.push_back(std::move(block));
        }
        list.popClip();
        INFO("seed " << seed);
        REQUIRE(toImage(list, fonts) == plainly(list));
    }
}

TEST_CASE("strips over each other that are higher than what is painted at a time keep their order")
{
    const SceneFonts fonts(test::guiApplication().font(), 1);
    for (unsigned seed = 1; seed <= 40; ++seed) {
        Random random(seed);
        DrawList list{90, 300, {250, 251, 252, 255}, {}};
        list.pushClip({7, 5.5, 70, 281});
        for (int turn = 0; turn < 40; ++turn) {
            PixelItem strip{random.upTo(100) - 10, random.upTo(160) - 80, 1 + random.upTo(36), {}, {}, {}};
            for (int lines = random.upTo(30); lines > 0; --lines) {
                strip.heights.push_back(random.upTo(4) > 0 ? random.upTo(9) : random.upTo(150));
                const bool empty = random.upTo(2) == 0;
                for (int column = 0; column < strip.columns; ++column)
                    strip.argb.push_back(empty || random.upTo(9) == 0 ? 0 : random.opaque());
            }
            list.items.push_back(std::move(strip));
            if (turn % 9 == 8)
                list.fillRect(
                    {static_cast<double>(random.upTo(80)), static_cast<double>(random.upTo(280)), 9, 40},
                    fromArgb(random.opaque()));
        }
        list.popClip();
        INFO("seed " << seed);
        REQUIRE(toImage(list, fonts) == plainly(list));
    }
}

TEST_CASE("a large picture is drawn in the memory of one that is gone, and of none that is there")
{
    const SceneFonts fonts(test::guiApplication().font(), 1);
    DrawList list = randomList(11, {31, 7, 640, 71});
    list.height = 700;
    const QImage wanted = plainly(list);
    QImage first = toImage(list, fonts);
    const uchar* const memory = std::as_const(first).bits();
    const QImage beside = toImage(list, fonts);
    CHECK(std::as_const(beside).bits() != memory);
    QImage copy = first;
    first = {};
    CHECK(std::as_const(copy).bits() == memory);  // still held
    copy = {};
    const QImage again = toImage(list, fonts);
    CHECK(std::as_const(again).bits() == memory);
    CHECK(again == wanted);
    CHECK(beside == wanted);
    list.width = 701;
    CHECK(toImage(list, fonts) == plainly(list));
}

TEST_CASE("images whose pixels are no whole words are painted alike")
{
    const SceneFonts fonts(test::guiApplication().font(), 1);
    const DrawList list = randomList(7, {31, 7, 640, 71});
    QImage image(list.width, list.height, QImage::Format_RGB888);
    QPainter painter(&image);
    paintDrawList(painter, list, fonts);
    painter.end();
    CHECK(image.convertToFormat(QImage::Format_RGB32) == plainly(list));
}

TEST_CASE("texts from the cache are those that a painter draws")
{
    const SceneFonts fonts(test::guiApplication().font(), 1);
    const std::string names[] = {"MPI_Waitall", "f", "Domain<…>::calcForce(…)",
                                 "jÄggÿ",       " ", std::string(2000, 'W')};
    for (unsigned seed = 1; seed <= 200; ++seed) {
        Random random(seed);
        // Some stick out of the picture or of the clip.
        TextItem item{
            {random.part() * 130 - 30, random.part() * 50 - 15, random.part() * 90, 12 + random.part() * 20},
            names[random.upTo(5)],
            {},
            {},
            {},
            {}};
        item.color = fromArgb(random.opaque());
        item.style = static_cast<FontStyle>(random.upTo(3));
        item.align = static_cast<Align>(random.upTo(2));
        DrawList list{120, 40, fromArgb(random.opaque()), {}};
        list.fillRect({40, 5, 30, 30}, fromArgb(random.opaque()));
        list.pushClip({7, 3, 101, 33});
        list.items.push_back(item);
        list.popClip();
        INFO("seed " << seed << ", " << item.text);
        // A picture that the painter may not be bypassed for: its pixels are no words of four bytes.
        QImage painted(list.width, list.height, QImage::Format_RGB888);
        QPainter painter(&painted);
        paintDrawList(painter, list, fonts);
        painter.end();
        int worst = 0;
        const QImage written = toImage(list, fonts);
        for (int y = 0; y < list.height; ++y)
            for (int x = 0; x < list.width; ++x)
                for (const int shift : {0, 8, 16})
                    worst = std::max(
                        worst,
                        std::abs(channel(written.pixel(x, y), shift) - channel(painted.pixel(x, y), shift)));
        REQUIRE(worst <= 2);
    }
}

TEST_CASE("a cache of texts that has become large forgets and goes on")
{
    const QFont font = test::guiApplication().font();
    TextCache texts;
    const std::string wide(600, 'm');
    const double width = texts.width(wide, FontStyle::Normal, font);
    const auto first = texts.mask(wide, FontStyle::Normal, font);
    for (int text = 0; text < 800; ++text)
        REQUIRE(texts.mask(wide + std::to_string(text), FontStyle::Normal, font)->columns > 0);
    CHECK(texts.mask(wide, FontStyle::Normal, font) != first);
    CHECK(texts.mask(wide, FontStyle::Normal, font)->coverage == first->coverage);
    CHECK(texts.width(wide, FontStyle::Normal, font) == width);
}

TEST_CASE("lines cover of every pixel across them what is inside their width")
{
    constexpr int kWidth = 211, kHeight = 47;
    for (unsigned seed = 1; seed <= 400; ++seed) {
        Random random(seed);
        std::vector<std::uint32_t> before(kWidth * kHeight);
        for (std::uint32_t& pixel : before) pixel = random.opaque();
        std::vector<std::uint32_t> pixels = before;
        // Level ones, slightly tilted ones, and those of up to 45 degrees; some begin outside.
        const double slope = seed % 3 == 0 ? 0 : (random.part() - 0.5) * (seed % 3 == 1 ? 0.1 : 1.9);
        const Point from{random.part() * 120 - 20, random.part() * (kHeight + 6) - 3};
        const double length = 1 + random.part() * 180;
        LineItem line{from, {from.x + length, from.y + slope * length}, {}, 1 + random.part() * 2, {}};
        line.color = {
            static_cast<std::uint8_t>(random.upTo(255)), static_cast<std::uint8_t>(random.upTo(255)),
            static_cast<std::uint8_t>(random.upTo(255)), static_cast<std::uint8_t>(random.upTo(255))};
        const LineItem* const lines[] = {&line};
        blendLines({reinterpret_cast<unsigned char*>(pixels.data()), kWidth * sizeof(std::uint32_t), 3, 2,
                    kWidth - 5, kHeight - 1},
                   lines, 0, kHeight);
        double worst = 0;
        const double half = line.width * std::sqrt(1 + slope * slope) / 2;
        for (int y = 0; y < kHeight; ++y)
            for (int x = 0; x < kWidth; ++x) {
                const double middle = line.from.y + (x + 0.5 - line.from.x) * slope;
                const bool along = x + 0.5 >= line.from.x && x + 0.5 < line.to.x && x >= 3 && x < kWidth - 5
                    && y >= 2 && y < kHeight - 1;
                const double covered = along ? std::max(0.0,
                                                        std::min(middle + half, y + 1.0)
                                                            - std::max(middle - half, static_cast<double>(y)))
                                             : 0;
                const double part = covered * line.color.alpha / 255;
                const std::size_t at = static_cast<std::size_t>(y) * kWidth + static_cast<std::size_t>(x);
                for (const int shift : {0, 8, 16}) {
                    const double wanted =
                        channel(before[at], shift) * (1 - part) + channel(toArgb(line.color), shift) * part;
                    worst = std::max(worst, std::abs(channel(pixels[at], shift) - wanted));
                }
            }
        INFO("seed " << seed << " slope " << slope);
        REQUIRE(worst < 3);
    }
}

TEST_CASE("lines drawn into some rows at a time are those drawn at once")
{
    constexpr int kWidth = 211, kHeight = 147;
    for (unsigned seed = 1; seed <= 100; ++seed) {
        Random random(seed);
        std::vector<LineItem> drawn;
        for (int line = 0; line < 30; ++line) {
            const auto anywhere = [&] { return Point{random.part() * 300 - 40, random.part() * 220 - 40}; };
            const Point from = anywhere();
            // Level ones, half of them between two rows; steep and flat ones; short ones.
            const double level = random.upTo(2 * kHeight) / 2.0;
            drawn.push_back(
                {from, anywhere(), fromArgb(random.opaque() & 0x9FFFFFFFu), 1 + random.part() * 3, {}});
            if (line % 3 == 0) drawn.back().from.y = drawn.back().to.y = level;
            if (line % 3 == 1) drawn.back().to = {from.x + random.part() * 4, from.y - random.part() * 4};
        }
        std::vector<const LineItem*> lines;
        for (const LineItem& line : drawn) lines.push_back(&line);
        std::vector<std::uint32_t> atOnce(kWidth * kHeight, 0xFF808080u), inParts = atOnce;
        const auto planeOf = [](std::vector<std::uint32_t>& pixels) {
            return PixelPlane{reinterpret_cast<unsigned char*>(pixels.data()),
                              kWidth * sizeof(std::uint32_t),
                              3,
                              2,
                              kWidth - 5,
                              kHeight - 1};
        };
        blendLines(planeOf(atOnce), lines, 0, kHeight);
        for (int top = 0, bottom = 0; top < kHeight; top = bottom) {
            bottom = std::min(kHeight, top + 1 + random.upTo(40));
            blendLines(planeOf(inParts), lines, top, bottom);
        }
        INFO("seed " << seed);
        REQUIRE(inParts == atOnce);
    }
}

TEST_CASE("a picture that begins with a strip nobody sees is not cleared by the next one")
{
    const SceneFonts fonts(test::guiApplication().font(), 1);
    DrawList list{90, 60, {250, 251, 252, 255}, {}};
    list.pushClip({10, 0, 0, 60});
    list.items.push_back(PixelItem{5, 5, 2, {40}, {0xFF102030u, 0xFF203040u}, {}});
    list.popClip();
    list.fillRect({30, 20, 9, 9}, {200, 10, 10, 255});
    list.items.push_back(PixelItem{60, 5, 2, {40}, {0xFF102030u, 0xFF203040u}, {}});
    REQUIRE(beginsWithNarrowBlocks(list));
    CHECK(toImage(list, fonts) == plainly(list));
}

TEST_CASE("a line lies over the one before where something stands between them, seen or not")
{
    const SceneFonts fonts(test::guiApplication().font(), 1);
    const Color red{200, 10, 10, 255}, blue{10, 10, 200, 255};
    const auto drawn = [&](const auto& putBetween) {
        DrawList list{90, 60, {250, 251, 252, 255}, {}};
        list.line({45.5, 3}, {45.5, 57}, red, 3);
        putBetween(list);
        list.line({3, 30.5}, {87, 30.5}, blue, 3);
        return toImage(list, fonts).pixel(45, 30) & 0xFFFFFFu;
    };
    CHECK(drawn([](DrawList& list) { list.fillRect({200, 200, 9, 9}, {1, 2, 3, 255}); }) == 0x0A0AC8u);
    CHECK(drawn([](DrawList& list) {
              list.pushClip({0, 0, 90, 60});
              list.popClip();
          })
          == 0x0A0AC8u);
}

TEST_CASE("a picture has the same bits for any number of threads that paint it")
{
    constexpr int kWidth = 1500, kHeight = 1100;
    const SceneFonts fonts(test::guiApplication().font(), 1);
    for (unsigned seed = 1; seed <= 12; ++seed) {
        Random random(seed);
        const auto anywhere = [&] { return Point{random.part() * 2000 - 250, random.part() * 1500 - 200}; };
        DrawList list{kWidth, kHeight, {250, 251, 252, 255}, {}};
        if (seed % 3 == 0) {
            // Narrow ones that come first bring the ground.
            list.items.push_back(PixelItem{700, 100, 3, {500}, {0xFF102030u, 0xFF203040u, 0xFF304050u}, {}});
            REQUIRE(beginsWithNarrowBlocks(list));
            for (int strip = 0; strip < 90; ++strip)
                list.items.push_back(randomBlock(random, 20, kHeight, strip % 2 == 0));
        }
        for (int turn = 0; turn < 60; ++turn) {
            if (turn % 20 == 3) list.pushClip({31, random.part() * 300, 1400.0, 900});
            PixelItem block = randomBlock(random, kWidth, kHeight, random.upTo(3) > 0);
            for (int& height : block.heights) height *= 20;
            list.items.push_back(std::move(block));
            // Steep ones and flat ones over each other: their order is what is seen.
            for (int line = 0; line < 40; ++line) {
                const Point from = anywhere();
                const Point to = line % 3 > 0
                    ? anywhere()
                    : Point{from.x + random.part() * 900, from.y + (line % 2 == 0 ? 0 : random.part() * 3)};
                list.line(from, to, fromArgb(random.opaque() & (line % 2 == 0 ? 0x7FFFFFFFu : ~0u)),
                          1 + random.part() * 2);
            }
            const Point corner = anywhere();
            list.text({corner.x, corner.y, 200, 20}, "MPI_Waitall", fromArgb(random.opaque()));
            list.items.push_back(RectItem{{corner.x, corner.y + 30, 40, 40}, {1, 2, 3, 255}, {}, 1, 20, {}});
            if (turn % 9 == 0) list.strokeRect({corner.x + 0.5, corner.y, 300, 200}, {9, 9, 200, 90});
            if (turn % 20 == 13) list.popClip();
        }
        const QImage one = toImage(list, fonts, Task().withThreads(1));
        INFO("seed " << seed);
        CHECK(toImage(list, fonts, Task().withThreads(2)) == one);
        CHECK(toImage(list, fonts, Task().withThreads(5)) == one);
    }
}

TEST_CASE("discs and rings anywhere cover as much as they are large, around their middle")
{
    const SceneFonts fonts(test::guiApplication().font(), 1);
    for (unsigned seed = 1; seed <= 300; ++seed) {
        Random random(seed);
        const double radius = 1.5 + random.part() * 30, width = 1 + random.part() * 5;
        const Point middle{random.part() * 40 + 60, random.part() * 40 + 60};
        const bool ring = seed % 2 == 0;
        DrawList list{160, 160, {0, 0, 0}, {}};
        const Color white{255, 255, 255}, none{0, 0, 0, 0};
        list.items.push_back(RectItem{{middle.x - radius, middle.y - radius, 2 * radius, 2 * radius},
                                      ring ? none : white,
                                      ring ? white : none,
                                      width,
                                      radius,
                                      {}});
        const QImage image = toImage(list, fonts);
        double covered = 0, x = 0, y = 0;
        for (int row = 0; row < list.height; ++row)
            for (int column = 0; column < list.width; ++column) {
                const double part = channel(image.pixel(column, row), 0) / 255.0;
                covered += part;
                x += part * (column + 0.5);
                y += part * (row + 0.5);
            }
        const double pi = std::acos(-1.0), hole = std::max(0.0, radius - width / 2);
        const double outer = radius + width / 2;
        const double wanted = pi * (ring ? outer * outer - hole * hole : radius * radius);
        INFO("seed " << seed << " radius " << radius << (ring ? " ring " : " disc ") << width);
        // Radii are whole eighths of a pixel, middles whole quarters.
        CHECK(std::abs(covered - wanted) < 0.07 * 2 * pi * (ring ? outer + hole : radius) + 0.8);
        CHECK(std::abs(x / covered - middle.x) < 0.2);
        CHECK(std::abs(y / covered - middle.y) < 0.2);
    }
}

}  // namespace skein::painting_test
