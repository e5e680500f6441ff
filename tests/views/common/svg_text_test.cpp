// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/drawing/svg_text.h"

#include "tests/support/catch.h"

#include <string>

namespace skein::svg_text_test {
namespace {

std::size_t countOf(const std::string& text, const std::string& part)
{
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

}  // namespace

TEST_CASE("an SVG has every shape of the list in its order")
{
    DrawList list;
    list.width = 100;
    list.height = 50;
    list.background = {255, 255, 255};
    list.fillRect({1, 2, 30, 4}, {255, 0, 0, 128});
    list.line({0, 0}, {10, 20}, {0, 0, 255}, 2);
    list.items.push_back(PolygonItem{{{0, 0}, {4, 0}, {2, 3}}, {0, 255, 0}, {0, 0, 0, 0}, 1, {}});
    list.text({0, 0, 60, 20}, "a < b & \"c\"\x01", {0, 0, 0}, FontStyle::Bold, Align::Right);
    const std::string svg = toSvg(list);
    CHECK(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100\" height=\"50\""));
    CHECK(svg.ends_with("</svg>\n"));
    CHECK(svg.find(R"(x="1" y="2" width="30" height="4")") != std::string::npos);
    CHECK(svg.find(R"(fill="#ff0000" fill-opacity="0.502")") != std::string::npos);
    CHECK(svg.find(R"(x2="10" y2="20" stroke-width="2" stroke="#0000ff")") != std::string::npos);
    CHECK(svg.find("points=\"0,0 4,0 2,3 \"") != std::string::npos);
    CHECK(svg.find(R"(x="60")") != std::string::npos);
    CHECK(svg.find("a &lt; b &amp; &quot;c&quot; </text>") != std::string::npos);
    CHECK(svg.find("text-anchor=\"end\"") != std::string::npos);
    CHECK(svg.find("<rect") < svg.find("<line"));
    CHECK(svg.find("id=") == std::string::npos);
}

TEST_CASE("runs of pixels of one colour become one path, and what is transparent none")
{
    DrawList list;
    list.width = 10;
    list.height = 10;
    const std::uint32_t red = 0xFFFF0000u, blue = 0xFF0000FFu;
    list.items.push_back(PixelItem{2, 3, 4, {5, 2}, {red, red, 0, blue, red, blue, blue, blue}, {}});
    const std::string svg = toSvg(list);
    CHECK(countOf(svg, "<path") == 2);
    CHECK(svg.find("d=\"M2 3h2v5h-2zM2 8h1v2h-1z\" fill=\"#ff0000\"") != std::string::npos);
    CHECK(svg.find("d=\"M5 3h1v5h-1zM3 8h3v2h-3z\" fill=\"#0000ff\"") != std::string::npos);
}

TEST_CASE("clips that are not ended, or ended twice, leave the SVG whole")
{
    DrawList list;
    list.width = list.height = 10;
    list.popClip();
    list.pushClip({1, 1, 5, 5});
    list.pushClip({2, 2, 0, -1});
    list.fillRect({0, 0, 9, 9}, {0, 0, 0});
    const std::string svg = toSvg(list);
    CHECK(countOf(svg, "<svg") == 3);
    CHECK(countOf(svg, "</svg>") == 3);
    CHECK(svg.find(R"(<svg x="1" y="1" width="5" height="5" viewBox="1 1 5 5">)") != std::string::npos);
}

TEST_CASE("tips lie over everything and have their lines")
{
    DrawList list;
    list.width = list.height = 10;
    const std::vector<SvgTip> tips{{{1, 2, 3, 4}, {"main<int>", "5 ms"}}};
    const std::string svg = toSvg(list, tips);
    CHECK(svg.find("<title>main&lt;int&gt;\n5 ms</title>") != std::string::npos);
    CHECK(toSvg(list).find("<title>") == std::string::npos);
}

}  // namespace skein::svg_text_test
