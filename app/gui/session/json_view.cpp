// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/json_view.h"

#include <cmath>
#include <limits>

namespace skein::gui {

std::int64_t JsonView::whole(std::int64_t otherwise) const
{
    if (!value_ || !value_->is_number()) return otherwise;
    if (value_->is_number_float()) {
        const double number = value_->get<double>();
        const bool fits = std::fabs(number) < 9.2e18 && number == std::floor(number);
        return fits ? static_cast<std::int64_t>(number) : otherwise;
    }
    if (!value_->is_number_unsigned()) return value_->get<std::int64_t>();
    const auto number = value_->get<std::uint64_t>();
    const bool fits = number <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return fits ? static_cast<std::int64_t>(number) : otherwise;
}

}  // namespace skein::gui
