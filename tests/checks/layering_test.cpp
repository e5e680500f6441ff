// SPDX-License-Identifier: GPL-3.0-or-later
// python → app → views → algorithms → core: never back, never from one view into another, and no Qt where
// none belongs.
#include "tests/checks/layers.h"
#include "tests/checks/source_tree.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <map>

namespace skein::checks {

namespace {

std::string_view topFolder(std::string_view path) { return path.substr(0, path.find('/')); }

/// "views/timeline/x.h" → "timeline"; empty for what is not in a view's folder.
std::string_view viewOf(std::string_view path)
{
    if (!path.starts_with("views/")) return {};
    path.remove_prefix(6);
    const std::size_t slash = path.find('/');
    return slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash);
}

bool isQtHeader(std::string_view name)
{
    return name.starts_with("Qt")
        || (name.size() > 1 && name[0] == 'Q' && std::isupper(static_cast<unsigned char>(name[1])));
}

/// Rooms of algorithms/mapping from below; -1 for what is in none. Rooms of one number do not know each
/// other.
int roomOf(std::string_view path)
{
    static const std::map<std::string_view, int> rooms{
        {"base", 0},    {"problem", 1},   {"constraints", 2}, {"qap", 2},    {"annealing", 3},
        {"folding", 3}, {"partition", 3}, {"moves", 4},       {"search", 5}, {"report", 5}};
    constexpr std::string_view kMapping = "algorithms/mapping/";
    if (!path.starts_with(kMapping)) return -1;
    path.remove_prefix(kMapping.size());
    const auto found = rooms.find(topFolder(path));
    return found == rooms.end() ? -1 : found->second;
}

/// "core/trace/x.h" → "trace"; empty outside core.
std::string_view coreFolderOf(std::string_view path)
{
    if (!path.starts_with("core/")) return {};
    path.remove_prefix(5);
    return topFolder(path);
}

/// Rooms of core from below; -1 outside. Rooms of one number do not know each other. Those below `session`
/// are the data model.
int coreRoomOf(std::string_view path)
{
    static const std::map<std::string_view, int> rooms{
        {"base", 0},    {"definitions", 1}, {"profile", 1}, {"series", 1}, {"trace", 2},  {"comm", 2},
        {"machine", 2}, {"session", 3},     {"clocks", 4},  {"io", 4},     {"select", 4}, {"index", 5}};
    const auto found = rooms.find(coreFolderOf(path));
    return found == rooms.end() ? -1 : found->second;
}

std::string_view folderOf(std::string_view path) { return path.substr(0, path.rfind('/')); }

std::string wrongInclude(std::string_view from, std::string_view to)
{
    const bool rooms = roomOf(from) >= 0 && roomOf(to) >= 0 && folderOf(from) != folderOf(to);
    if (rooms && roomOf(to) >= roomOf(from))
        return "goes up or sideways among the rooms of algorithms/mapping";
    const bool coreRooms = coreRoomOf(from) >= 0 && coreRoomOf(to) >= 0;
    if (coreRooms && coreFolderOf(from) != coreFolderOf(to) && coreRoomOf(to) >= coreRoomOf(from))
        return "goes up or sideways among the rooms of core";
    if (layerOf(to) > layerOf(from)) return "goes against python → app → views → algorithms → core";
    const std::string_view fromView = viewOf(from);
    const std::string_view toView = viewOf(to);
    if (!fromView.empty() && !toView.empty() && toView != "common" && toView != fromView)
        return "joins two views";
    if (isScene(from) && to.starts_with("views/") && !isScene(to) && !to.ends_with("_layout.h"))
        return "brings a widget into a scene";
    if (from.starts_with("app/cli/") && to.starts_with("app/gui/"))
        return "brings the window into the command line";
    if (from.starts_with("python/") && to.starts_with("app/gui/")) return "brings the window into Python";
    return {};
}

}  // namespace

TEST_CASE("no include goes the wrong way or from one view into another")
{
    for (const SourceFile& file : sourceFiles(test::sourcePath(""))) {
        if (layerOf(file.path) == kNoLayer) continue;
        for (const std::string& include : quotedIncludes(file.text)) {
            INFO(file.path << " includes " << include << ": name it from the root of the project");
            CHECK(include.find('/') != std::string::npos);
            const std::string wrong = wrongInclude(file.path, include);
            INFO("this " << wrong);
            CHECK(wrong.empty());
        }
    }
}

TEST_CASE("every source of core is in one of its rooms")
{
    for (const SourceFile& file : sourceFiles(test::sourcePath(""))) {
        INFO(file.path);
        CHECK((!file.path.starts_with("core/") || coreRoomOf(file.path) >= 0));
    }
}

TEST_CASE("every source of algorithms/mapping is in one of its rooms")
{
    for (const SourceFile& file : sourceFiles(test::sourcePath(""))) {
        INFO(file.path);
        CHECK((!file.path.starts_with("algorithms/mapping/") || roomOf(file.path) >= 0));
    }
}

TEST_CASE("core, algorithms, scenes, the command line and the module for Python include no Qt")
{
    for (const SourceFile& file : sourceFiles(test::sourcePath(""))) {
        if (!mustBeFreeOfQt(file.path)) continue;
        for (const std::string& include : systemIncludes(file.text)) {
            INFO(file.path << " includes <" << include << ">");
            CHECK_FALSE(isQtHeader(include));
        }
    }
}

}  // namespace skein::checks
