// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/color/color_stops.h"

#include "tests/support/catch.h"
#include "views/common/scene/color/color_scale.h"

#include <algorithm>

namespace skein::color_stops_test {

TEST_CASE("colour stops: the usual colours are those of the theme, from the least that is asked for")
{
    const ColorStops stops;
    for (const bool dark : {false, true}) {
        CHECK(stops.color(dark, 0) == sequentialColor(dark, 0));
        CHECK(stops.color(dark, 0.3) == sequentialColor(dark, 0.3));
        CHECK(stops.color(dark, 0.5, 0.2) == sequentialColor(dark, 0.6));
        CHECK(stops.color(dark, 1, 0.2) == sequentialColor(dark, 1));
        CHECK(stops.anchor(dark, 2) == sequentialColor(dark, 0.5));
    }
    CHECK_FALSE(stops.hasOwnColors());
}

TEST_CASE("colour stops: a chosen colour is that of its stop, and mixes with its neighbours")
{
    ColorStops stops;
    stops.move(1, 0.4);
    const Color red{200, 0, 0}, white{255, 255, 255};
    stops.own[2] = red;
    stops.own[4] = white;
    CHECK(stops.color(false, 0.4) == red);
    CHECK(stops.color(true, 0.4) == red);
    CHECK(stops.color(false, 1) == white);
    CHECK(stops.color(false, 0.75) == sequentialColor(false, 0.75));
    CHECK(stops.color(false, 0.25) == sequentialColor(false, 0.25));
    CHECK(stops.color(false, 0.325) == mix(sequentialColor(false, 0.25), red, 0.5));
}

TEST_CASE("colour stops: greys have no hue and are the stronger against the background the more")
{
    const auto spread = [](Color color) {
        const auto [least, most] = std::minmax({color.red, color.green, color.blue});
        return most - least;
    };
    for (const bool dark : {false, true}) {
        const ColorStops greys = greyStops(dark);
        for (int step = 0; step < 10; ++step) {
            const Color here = greys.color(dark, step / 10.0), next = greys.color(dark, (step + 1) / 10.0);
            CHECK(spread(here) <= 2);
            CHECK((dark ? here.green < next.green : here.green > next.green));
        }
        CHECK(greys.color(dark, 0.5) == greyScaleColor(dark, 0.5));
        CHECK(greyScaleColor(dark, 1) != sequentialColor(dark, 1));
    }
}

TEST_CASE("colour stops: their text gives them back, and other texts give the usual ones")
{
    ColorStops stops;
    stops.move(0, 0.1);
    stops.own[0] = Color{1, 2, 255};
    stops.own[3] = Color{160, 0, 16};
    CHECK(stops.text() == "0.100 0.500 0.750 0102ff - - a00010 -");
    CHECK(colorStopsOf(std::string_view(stops.text())) == stops);
    for (const char* wrong : {"0.1 0.5 0.7 0102ff", "0.1 0.5 0.7 - - - - 12345", "0.1 0.5 0.7 - - - - 12345g",
                              "0.1 0.5 0.7 - - - - -123456", "0.1 0.5 0.7 - - - - - -"})
        CHECK(colorStopsOf(std::string_view(wrong)) == ColorStops());
}

}  // namespace skein::color_stops_test
