// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/figures.h"

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

void addFigures(JsonObject& object, const std::vector<Figure>& figures)
{
    for (const Figure& figure : figures) object.add(figure.field.key, figure.value);
}

}  // namespace skein::cli
