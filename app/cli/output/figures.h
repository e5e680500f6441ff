// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/output/records.h"

#include <vector>

/// Reports that begin with single figures, before any list.
namespace skein::cli {

/// A field with its only value.
struct Figure {
    Field field;
    Cell value;
};

/// As a table: a line a figure, then an empty line.
void writeFigures(Sink& out, const std::vector<Figure>& figures);

/// As members of a JSON object.
void addFigures(JsonObject& object, const std::vector<Figure>& figures);

}  // namespace skein::cli
