// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/figures.h"

#include <fmt/format.h>

namespace skein::cli {

void writeFigures(Sink& out, const std::vector<Figure>& figures)
{
    std::vector<Field> fields;
    std::vector<Cell> cells;
    for (const Figure& figure : figures) {
        fields.push_back(figure.field);
        cells.push_back(figure.value);
    }
    writeRecord(out, Format::Table, fields, cells);
    out.write("\n");
}

std::string openedJson(const std::vector<Figure>& figures)
{
    std::string text = "{";
    for (const Figure& figure : figures) {
        text += fmt::format("{}\n  \"{}\": ", text.size() > 1 ? "," : "", figure.field.key);
        appendJsonCell(text, figure.value);
    }
    return text;
}

}  // namespace skein::cli
