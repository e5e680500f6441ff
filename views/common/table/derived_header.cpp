// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/table/derived_header.h"

#include "views/common/utf8_text.h"

#include <QCoreApplication>

namespace skein {

QString derivedTitle(const DerivedColumn& column)
{
    const QString expression = toQString(column.expression);
    return column.unit.empty() || column.unit == "ns"
        ? expression
        : QString("%1 [%2]").arg(expression, toQString(column.unit));
}

QString derivedHint(const DerivedColumn& column)
{
    if (!column.problem.empty()) return toQString(column.problem);
    return QCoreApplication::translate("skein::DerivedColumn", "A metric by expression: %1")
        .arg(toQString(column.expression));
}

}  // namespace skein
