// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/checks/layers.h"

namespace skein::checks {

int layerOf(std::string_view path)
{
    const std::string_view top = path.substr(0, path.find('/'));
    if (top == "core") return 0;
    if (top == "algorithms") return 1;
    if (top == "views") return 2;
    if (top == "app") return 3;
    if (top == "python") return 4;
    return kNoLayer;
}

bool isScene(std::string_view path)
{
    if (path.starts_with("views/common/scene/")) return true;
    return path.starts_with("views/") && (path.ends_with("_scene.cpp") || path.ends_with("_scene.h"));
}

bool mustBeFreeOfQt(std::string_view path)
{
    return layerOf(path) <= 1 || isScene(path) || path.starts_with("app/cli/") || path.starts_with("python/");
}

}  // namespace skein::checks
