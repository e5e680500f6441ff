// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/axes/time_axis.h"
#include "views/common/scene/color/palette.h"
#include "views/common/scene/drawing/draw_list.h"
#include "views/common/scene/drawing/text_measure.h"
#include "views/common/scene/drawing/theme.h"

#include "core/base/presentation.h"
#include "tests/support/catch.h"

#include <random>

namespace skein::scene_test {

namespace {

const ApproximateTextMeasure kMeasure(12);

std::string shortened(std::string_view name, int letters)
{
    return elideName(name, letters * kMeasure.width("a", FontStyle::Normal) + 0.01, FontStyle::Normal,
                     kMeasure);
}

std::vector<AxisTick> labelled(const TimeAxis& axis)
{
    std::vector<AxisTick> ticks;
    for (const AxisTick& tick : axis.ticks)
        if (!tick.label.empty()) ticks.push_back(tick);
    return ticks;
}

Region regionNamed(const std::string& name)
{
    Region region;
    region.name = name;
    return region;
}

}  // namespace

TEST_CASE("a draw list prints one line a shape")
{
    DrawList list{100, 50, {255, 255, 255}, {}};
    list.pushClip({0, 0, 100, 20});
    list.fillRect({1, 2, 3.5, 4}, {255, 0, 0, 128});
    list.line({0, 0}, {10, 10}, {0, 0, 0});
    list.text({0, 0, 40, 12}, "main", {1, 2, 3}, FontStyle::Small, Align::Right);
    list.popClip();
    list.items.push_back(PixelItem{5, 6, 4, {3}, {0xFF0000FF, 0xFF0000FF, 0, 0xFF00FF00}, {}});
    CHECK(toText(list)
          == "picture 100x50 #ffffff\nclip 0,0 100x20\nrect 1,2 3.5x4 fill #ff0000/128\n"
             "line 0,0 10,10 #000000\ntext 0,0 40x12 right \"main\" #010203\nunclip\n"
             "pixels 5,6 columns 4\n  3px: 2×#0000ff 1×none 1×#00ff00\n");
}

TEST_CASE("the uppermost shape under a point is hit, unless it is clipped away there")
{
    DrawList list{100, 100, {}, {}};
    list.fillRect({0, 0, 50, 50}, {1, 1, 1}, {1, 0, 7, 0});
    list.pushClip({0, 0, 20, 20});
    list.fillRect({0, 0, 50, 50}, {2, 2, 2}, {1, 0, 8, 0});
    list.popClip();
    list.line({60, 0}, {60, 100}, {3, 3, 3}, 1, {2, 0, 9, 0});
    CHECK(hitTest(list, {10, 10}).item == 8);
    CHECK(hitTest(list, {30, 30}).item == 7);
    CHECK(hitTest(list, {62, 50}).item == 9);
    CHECK_FALSE(hitTest(list, {80, 80}).valid());
}

TEST_CASE("long names lose arguments, templates and inner scopes before letters")
{
    const std::string name = "Domain<double, 3>::Node::calcForce(std::vector<double> const&, int)";
    CHECK(shortened(name, 100) == name);
    CHECK(shortened(name, 45) == "Domain<double, 3>::Node::calcForce(…)");
    CHECK(shortened(name, 30) == "Domain<…>::Node::calcForce(…)");
    CHECK(shortened(name, 26) == "Domain<…>::…::calcForce(…)");
    CHECK(shortened(name, 12) == "calcForce(…)");
    CHECK(shortened(name, 9) == "calcForce");
    CHECK(shortened(name, 7) == "cal…rce");
    CHECK(shortened(name, 4).empty());
    CHECK(shortened("MPI_Init()", 100) == "MPI_Init()");
    CHECK(shortened("MPI_Init()", 9) == "MPI_Init");
    CHECK(shortened("A::operator()()", 13) == "A::operator()");
    CHECK(shortened("int StrToInt<int>(char const*, int*)", 12) == "int StrToInt");
    CHECK(shortened("int StrToInt<int>(char const*, int*)", 7) == "int…Int");
    CHECK(shortened("größenänderung", 9) == "größ…rung");
}

TEST_CASE("arguments and templates are folded, operators and nameless namespaces stay")
{
    CHECK(foldedName("Domain<double, 3>::Node::calcForce(std::vector<double> const&, int)")
          == "Domain<…>::Node::calcForce(…)");
    CHECK(foldedName("void run<Policy<int>>(Range<int>, std::function<void (int)>)") == "void run<…>(…)");
    CHECK(foldedName("(anonymous namespace)::step(int)") == "(anonymous namespace)::step(…)");
    CHECK(foldedName("std::ostream::operator<<(int)") == "std::ostream::operator<<(…)");
    CHECK(foldedName("A::operator()()") == "A::operator()");
    CHECK(foldedName("main()") == "main");
    CHECK(foldedName("MPI_Allreduce") == "MPI_Allreduce");
    for (const char* name : {"<program root>", "<unknown file> [libpsm.so.1.16]:0",
                             "845:<unknown procedure> 0x2607b [libpsm.so]", "(no name)"})
        CHECK(foldedName(name) == name);
    CHECK(foldedName("<lambda(int)>::operator()(int)") == "<lambda(…)>::operator()(…)");
    setLongNames(LongNames::Folded);
    CHECK(shortened("Domain<int>::step(int)", 100) == "Domain<…>::step(…)");
    CHECK(shortened("Domain<int>::step(int)", 7) == "step(…)");
    setLongNames(LongNames::Whole);
}

TEST_CASE("whatever a name is, what is left of it fits")
{
    std::mt19937 random(3);
    for (int round = 0; round < 2000; ++round) {
        std::string name;
        for (unsigned length = random() % 60; length > 0; --length) name += "ab:<>(), ~é"[random() % 11];
        const double width = random() % 300;
        CHECK(kMeasure.width(elideName(name, width, FontStyle::Normal, kMeasure), FontStyle::Normal)
              <= width);
        CHECK(kMeasure.width(elideMiddle(name, width, FontStyle::Normal, kMeasure), FontStyle::Normal)
              <= width);
    }
}

TEST_CASE("ticks of a time axis are round, in units that suit, and relative when zoomed deep")
{
    const TimeAxis axis = timeAxis({{0, 100'000'000}, 0, 1000}, FontStyle::Normal, kMeasure);
    CHECK(labelled(axis).front().label == "0 ms");
    CHECK(labelled(axis)[1].label == "10 ms");
    CHECK(axis.base.empty());
    const TimeAxis deep = timeAxis({{12'345'678'000, 12'345'679'000}, 0, 1000}, FontStyle::Normal, kMeasure);
    CHECK(deep.base == "12.345678 s");
    CHECK(labelled(deep)[1].label == "+0.1 µs");
}

TEST_CASE("an exact time has every digit that counts")
{
    CHECK(exactTime(0) == "0 ns");
    CHECK(exactTime(574'812'345) == "574.812345 ms");
    CHECK(exactTime(2'500'000'000) == "2.5 s");
    CHECK(exactTime(-1'020) == "-1.02 µs");
    CHECK(exactTime(1'000'000'001) == "1.000000001 s");
}

TEST_CASE("labels of a time axis never overlap and their times are exact")
{
    std::mt19937_64 random(9);
    for (int round = 0; round < 3000; ++round) {
        const auto length = static_cast<TimeNs>(random() % (TimeNs{1} << (4 + random() % 44)) + 10);
        const auto begin = static_cast<TimeNs>(random() % (TimeNs{1} << (1 + random() % 50)));
        const TimeScale scale{{begin, begin + length}, 100, 200.0 + static_cast<double>(random() % 4000)};
        const TimeAxis axis = timeAxis(scale, FontStyle::Small, kMeasure);
        double free = -1;
        for (const AxisTick& tick : axis.ticks) {
            REQUIRE(tick.time >= begin);
            REQUIRE(tick.time <= begin + length);
            REQUIRE(tick.x == Approx(scale.toX(tick.time)));
            if (tick.label.empty()) continue;
            REQUIRE(tick.x >= free);
            free = tick.x + kMeasure.width(tick.label, FontStyle::Small) + 4;
        }
        REQUIRE(axis.ticks.size() <= scale.width / 4 + 2);
    }
}

TEST_CASE("a pixel and its time lead to each other")
{
    const TimeScale scale{{1'000, 9'000}, 50, 800};
    CHECK(scale.toX(1'000) == 50);
    CHECK(scale.toTime(50) == 1'000);
    CHECK(scale.toTime(scale.toX(5'555)) == Approx(5'555).margin(1));
}

TEST_CASE("regions are put into groups by paradigm, by the measurement's groups and by name")
{
    Definitions definitions;
    definitions.regionGroups = {{"TAU_USER"}, {"MPI"}, {"TAU_IO"}, {"COMPILER | TAU_USER"}};
    Region byParadigm = regionNamed("whatever");
    byParadigm.paradigm = Paradigm::OpenMp;
    CHECK(paletteGroupOf(byParadigm, definitions) == PaletteGroup::Threading);
    Region byGroup = regionNamed("MPI_Wait()");
    byGroup.groups = {RegionGroupId(1)};
    CHECK(paletteGroupOf(byGroup, definitions) == PaletteGroup::Mpi);
    byGroup.groups = {RegionGroupId(2)};
    CHECK(paletteGroupOf(byGroup, definitions) == PaletteGroup::Io);
    Region compiled = regionNamed("integrate");
    compiled.groups = {RegionGroupId(3)};
    CHECK(paletteGroupOf(compiled, definitions) == PaletteGroup::User);
    CHECK(paletteGroupOf(regionNamed("MPI_Send"), definitions) == PaletteGroup::Mpi);
    CHECK(paletteGroupOf(regionNamed(".TAU application"), definitions) == PaletteGroup::Measurement);
    CHECK(paletteGroupOf(regionNamed("compute"), definitions) == PaletteGroup::User);
}

TEST_CASE("a region keeps its colour, and groups have different ones")
{
    CHECK(regionColor("main", PaletteGroup::User, lightTheme())
          == regionColor("main", PaletteGroup::User, lightTheme()));
    CHECK_FALSE(groupColor(PaletteGroup::User, lightTheme()) == groupColor(PaletteGroup::Mpi, lightTheme()));
    const Color red = groupColor(PaletteGroup::Mpi, lightTheme());
    CHECK(red.red > red.green + 60);
}

TEST_CASE("a colour that the user has chosen for a group stands in for the table's, with shades around it")
{
    for (const bool dark : {false, true}) {
        Theme theme = dark ? darkTheme() : lightTheme();
        const Color chosen{20, 140, 90};
        theme.chosenGroups[static_cast<std::size_t>(PaletteGroup::Mpi)] = chosen;
        CHECK(groupColor(PaletteGroup::Mpi, theme) == chosen);
        CHECK(groupColor(PaletteGroup::Io, theme)
              == groupColor(PaletteGroup::Io, dark ? darkTheme() : lightTheme()));
        CHECK_FALSE(regionColor("MPI_Send", PaletteGroup::Mpi, theme)
                    == regionColor("MPI_Recv", PaletteGroup::Mpi, theme));
        for (int name = 0; name < 100; ++name) {
            const Color shade = regionColor("MPI " + std::to_string(name), PaletteGroup::Mpi, theme);
            CHECK(std::abs(lightness(shade) - lightness(chosen)) < 6);
            CHECK(shade.green > shade.red);
        }
    }
}

TEST_CASE("lightness, chroma and hue of a colour lead back to it")
{
    for (int red = 0; red < 256; red += 51)
        for (int green = 0; green < 256; green += 51)
            for (int blue = 0; blue < 256; blue += 51) {
                const Color color{static_cast<std::uint8_t>(red), static_cast<std::uint8_t>(green),
                                  static_cast<std::uint8_t>(blue)};
                const Lch parts = toLch(color);
                const Color back = fromLch(parts.lightness, parts.chroma, parts.hueDegrees);
                INFO(red << " " << green << " " << blue);
                CHECK(std::abs(back.red - red) + std::abs(back.green - green) + std::abs(back.blue - blue)
                      <= 8);
            }
}

TEST_CASE("texts of both themes are readable on every surface they lie on")
{
    for (const Theme& theme : {lightTheme(), darkTheme()}) {
        for (const Color surface : {theme.background, theme.panel, theme.stripe}) {
            CHECK(contrast(theme.text, surface) >= 7);
            CHECK(contrast(theme.secondaryText, surface) >= 4.5);
            CHECK(contrast(theme.accent, surface) >= 3);
        }
        CHECK(contrast(theme.accentText, theme.accent) >= 4.5);
        CHECK(contrast(theme.tooltipText, theme.tooltip) >= 7);
    }
}

TEST_CASE("colours keep their lightness when they are brought into sRGB")
{
    for (double wanted = 20; wanted <= 90; wanted += 10)
        for (double hue = 0; hue < 360; hue += 30)
            CHECK(lightness(fromLch(wanted, 60, hue)) == Approx(wanted).margin(0.8));
}

}  // namespace skein::scene_test
