// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/color/region_shades.h"

#include "core/io/importer.h"
#include "core/session/dominant_regions.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"
#include "tests/support/small_session.h"
#include "views/common/scene/color/color_bands.h"
#include "views/common/scene/regions/region_groups.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>

namespace skein::region_shades_test {

namespace {

struct Lab {
    double lightness, a, b;
};

double linearOf(int value)
{
    const double part = value / 255.0;
    return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
}

Lab labOfLinear(double red, double green, double blue)
{
    const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
    const double x = f((0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047);
    const double y = f(0.2126729 * red + 0.7151522 * green + 0.0721750 * blue);
    const double z = f((0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

/// Which cones an eye is without.
enum class Eye { Usual, Protanope, Deuteranope, Tritanope };
constexpr std::array kBlindEyes{Eye::Protanope, Eye::Deuteranope, Eye::Tritanope};

/// Machado, Oliveira, Fernandes 2009, severity 1; in linear light.
Lab seenBy(Eye eye, Color color)
{
    static constexpr std::array<std::array<double, 9>, 4> kMatrices{
        {{1, 0, 0, 0, 1, 0, 0, 0, 1},
         {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
         {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
         {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900}}};
    const auto& m = kMatrices[static_cast<std::size_t>(eye)];
    const double red = linearOf(color.red), green = linearOf(color.green), blue = linearOf(color.blue);
    const auto row = [&](std::size_t first) {
        return std::clamp(m[first] * red + m[first + 1] * green + m[first + 2] * blue, 0.0, 1.0);
    };
    return labOfLinear(row(0), row(3), row(6));
}

double degrees(double b, double a)
{
    if (a == 0 && b == 0) return 0;
    const double angle = std::atan2(b, a) * 180 / std::numbers::pi;
    return angle < 0 ? angle + 360 : angle;
}

/// CIEDE2000 (Sharma, Wu, Dalal 2005).
double difference(Lab one, Lab two)
{
    const double mean = (std::hypot(one.a, one.b) + std::hypot(two.a, two.b)) / 2;
    const double factor = 1 + 0.5 * (1 - std::sqrt(std::pow(mean, 7) / (std::pow(mean, 7) + 6103515625.0)));
    const double a1 = factor * one.a, a2 = factor * two.a;
    const double c1 = std::hypot(a1, one.b), c2 = std::hypot(a2, two.b);
    const double h1 = degrees(one.b, a1), h2 = degrees(two.b, a2);
    const bool grey = c1 * c2 == 0;
    double turn = grey ? 0 : h2 - h1;
    if (turn > 180) turn -= 360;
    if (turn < -180) turn += 360;
    const auto cosine = [](double angle) { return std::cos(angle * std::numbers::pi / 180); };
    const double dL = two.lightness - one.lightness, dC = c2 - c1;
    const double dH = 2 * std::sqrt(c1 * c2) * std::sin(turn / 2 * std::numbers::pi / 180);
    const double light = (one.lightness + two.lightness) / 2, chroma = (c1 + c2) / 2;
    double hue = h1 + h2;
    if (!grey) hue = std::abs(h1 - h2) <= 180 ? hue / 2 : (hue < 360 ? hue + 360 : hue - 360) / 2;
    const double t = 1 - 0.17 * cosine(hue - 30) + 0.24 * cosine(2 * hue) + 0.32 * cosine(3 * hue + 6)
        - 0.20 * cosine(4 * hue - 63);
    const double around = 30 * std::exp(-std::pow((hue - 275) / 25, 2));
    const double rc = 2 * std::sqrt(std::pow(chroma, 7) / (std::pow(chroma, 7) + 6103515625.0));
    const double sL = 1 + 0.015 * std::pow(light - 50, 2) / std::sqrt(20 + std::pow(light - 50, 2));
    const double sC = 1 + 0.045 * chroma, sH = 1 + 0.015 * chroma * t;
    const double rt = -std::sin(2 * around * std::numbers::pi / 180) * rc;
    return std::sqrt(std::pow(dL / sL, 2) + std::pow(dC / sC, 2) + std::pow(dH / sH, 2)
                     + rt * dC / sC * dH / sH);
}

double leastToBlindEyes(Color one, Color two)
{
    double least = 1e9;
    for (const Eye eye : kBlindEyes) least = std::min(least, difference(seenBy(eye, one), seenBy(eye, two)));
    return least;
}

struct NamedColor {
    std::string name;
    Color color;
};

Color colorOf(const Lch& shade) { return fromLch(shade.lightness, shade.chroma, shade.hueDegrees); }

/// All shades of all roles, and the colours of groups.
std::vector<NamedColor> allShades(bool dark)
{
    std::vector<NamedColor> colors;
    const auto add = [&](std::uint32_t band, MpiKind kind, const std::string& of) {
        for (const Lch& shade : shadesOf(band, kind))
            colors.push_back({of + " " + std::to_string(colors.size()), colorOf(shade)});
    };
    for (const PaletteGroup group : {PaletteGroup::User, PaletteGroup::Threading, PaletteGroup::Accelerator,
                                     PaletteGroup::Memory, PaletteGroup::Io})
        add(static_cast<std::uint32_t>(group), MpiKind::Setup, std::string(name(group)));
    for (std::size_t kind = 0; kind < kMpiKinds; ++kind)
        add(static_cast<std::uint32_t>(PaletteGroup::Mpi), static_cast<MpiKind>(kind),
            std::string(name(static_cast<MpiKind>(kind))));
    for (const PaletteGroup group : {PaletteGroup::User, PaletteGroup::Mpi, PaletteGroup::Measurement})
        colors.push_back(
            {"group " + std::string(name(group)), groupColor(group, dark ? darkTheme() : lightTheme())});
    return colors;
}

}  // namespace

TEST_CASE("differences of colours are those of the published examples")
{
    // Sharma, Wu, Dalal 2005, table 1: pairs 1, 7, 16, 21, 34.
    CHECK(difference({50, 2.6772, -79.7751}, {50, 0, -82.7485}) == Approx(2.0425).margin(1e-4));
    CHECK(difference({50, 0, 0}, {50, -1, 2}) == Approx(2.3669).margin(1e-4));
    CHECK(difference({50, 2.5, 0}, {50, 0, -2.5}) == Approx(4.3065).margin(1e-4));
    CHECK(difference({50, 2.5, 0}, {50, 3.1736, 0.5854}) == Approx(1.0).margin(1e-4));
    CHECK(difference({2.0776, 0.0795, -1.135}, {0.9033, -0.0636, -0.5514}) == Approx(0.9082).margin(1e-4));
}

TEST_CASE("shades of all roles are told apart by all eyes, and text is read on each of them")
{
    for (const bool dark : {false, true}) {
        const auto colors = allShades(dark);
        REQUIRE(colors.size() > 35);
        for (std::size_t one = 0; one < colors.size(); ++one) {
            INFO(colors[one].name);
            CHECK(contrast(colors[one].color, textColorOn(colors[one].color)) >= 4.5);
            for (std::size_t two = 0; two < one; ++two) {
                INFO(colors[two].name);
                CHECK(difference(seenBy(Eye::Usual, colors[one].color), seenBy(Eye::Usual, colors[two].color))
                      >= 10);
                CHECK(leastToBlindEyes(colors[one].color, colors[two].color) >= 6);
            }
        }
    }
}

TEST_CASE("MPI is darker than all of the application")
{
    double darkest = 100;
    for (const Lch& shade : shadesOf(static_cast<std::uint32_t>(PaletteGroup::User), MpiKind::Setup))
        darkest = std::min(darkest, lightness(colorOf(shade)));
    for (std::size_t kind = 0; kind < kMpiKinds; ++kind)
        for (const Lch& shade :
             shadesOf(static_cast<std::uint32_t>(PaletteGroup::Mpi), static_cast<MpiKind>(kind)))
            CHECK(lightness(colorOf(shade)) < darkest - 5);
}

TEST_CASE("operations of MPI are of the kind that their names tell")
{
    const auto kinds = [](MpiKind kind, const std::vector<std::string>& names) {
        for (const std::string& name : names) {
            INFO(name);
            CHECK(mpiKindOf(name) == kind);
        }
    };
    kinds(MpiKind::PointToPoint,
          {"MPI_Send", "MPI_Isend()", "MPI_Recv", "mpi_irecv_", "PMPI_Sendrecv", "MPI_Improbe",
           "MPI_Startall"});
    kinds(MpiKind::Request, {"MPI_Wait", "MPI_Waitall()", "MPI_Waitany", "MPI_Testsome"});
    kinds(MpiKind::Collective,
          {"MPI_Barrier", "MPI_Ibarrier", "MPI_Allreduce()", "MPI_Ireduce_scatter_block", "MPI_Alltoallv",
           "MPI Collective Sync", "MPI_Neighbor_alltoall"});
    kinds(MpiKind::OneSided, {"MPI_Put", "MPI_Get", "MPI_Rget_accumulate", "MPI_Win_fence", "shmem_put64"});
    kinds(MpiKind::Setup,
          {"MPI_Init()", "MPI_Finalize", "MPI_Comm_split", "MPI_Get_count", "MPI_Info_create",
           "MPI_Cart_create"});
}

TEST_CASE("a region keeps the shade of its name, and gives way only to regions that dominate more")
{
    const auto user = static_cast<std::uint32_t>(PaletteGroup::User);
    const auto shades = shadesOf(user, MpiKind::Setup);
    std::vector<ShadeChoice::Dominant> dominant;
    for (std::size_t i = 0; i < shades.size(); ++i) dominant.push_back({"region " + std::to_string(i), user});
    const ShadeChoice choice(dominant);
    CHECK(choice.of("region 0", shades) == ShadeChoice().of("region 0", shades));
    std::set<std::size_t> used;
    for (const auto& region : dominant) used.insert(choice.of(region.name, shades));
    CHECK(used.size() == shades.size());
    CHECK(choice.of("another", shades) == ShadeChoice().of("another", shades));
}

TEST_CASE("dominant regions are those of most time of their own, by name")
{
    const ExperimentPtr experiment =
        test::ExperimentBuilder("run")
            .process("n", {{0, 100, "main", 0}, {10, 40, "work", 1}, {20, 30, "sum", 2}, {50, 95, "work", 1}})
            .process("n", {{0, 100, "main", 0}, {0, 60, "sum", 1}})
            .finish();
    // sum 10 + 60, work 20 + 45, main 25 + 40.
    CHECK(*dominantRegions(*experiment) == std::vector<std::string>{"sum", "main", "work"});
    CHECK(dominantRegions(*experiment) == dominantRegions(*experiment));
}

TEST_CASE("the dominant regions of the examples have colours that all eyes tell apart")
{
    for (const char* example : {"lulesh-8/trace-otf2", "heatflow-16x2/trace-otf2"}) {
        const auto opened = openExperiment(test::sourcePath(std::string("examples/") + example), Task());
        REQUIRE(opened);
        const Session session{{*opened}};
        const DominantRegions names = dominantRegions(**opened);
        for (const RegionGrouping grouping : {RegionGrouping::Role, RegionGrouping::Recorded})
            for (const bool dark : {false, true}) {
                const RegionPalette palette =
                    regionPalette(RegionGroups(session, grouping), 0, dark ? darkTheme() : lightTheme());
                std::vector<NamedColor> colors;
                for (std::uint32_t id = 0; id < (*opened)->definitions.regions.size(); ++id) {
                    const std::string shown = displayName((*opened)->definitions.regions[id]);
                    const auto place = std::find(names->begin(), names->begin() + 10, shown);
                    const bool known =
                        std::any_of(colors.begin(), colors.end(),
                                    [&](const NamedColor& color) { return color.name == shown; });
                    if (place != names->begin() + 10 && !known)
                        colors.push_back({shown, palette.color(RegionId(id))});
                }
                REQUIRE(colors.size() == 10);
                for (std::size_t one = 0; one < colors.size(); ++one)
                    for (std::size_t two = 0; two < one; ++two) {
                        INFO(colors[one].name << " and " << colors[two].name);
                        CHECK(difference(seenBy(Eye::Usual, colors[one].color),
                                         seenBy(Eye::Usual, colors[two].color))
                              >= 10);
                        CHECK(leastToBlindEyes(colors[one].color, colors[two].color) >= 6);
                    }
            }
    }
}

}  // namespace skein::region_shades_test
