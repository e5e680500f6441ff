// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/shown_path.h"

#include "core/base/units.h"

namespace skein {

std::string namesLeftOut(std::size_t count)
{
    return "… " + formatGrouped(static_cast<std::int64_t>(count)) + " more …";
}

void OpenPath::enter(std::size_t depth, std::string name)
{
    open_.resize(depth);
    open_.push_back(std::move(name));
    gap_ = open_.size() > kMostShownNames ? namesLeftOut(open_.size() - 2 * kShownAtAnEnd) : std::string();
}

std::vector<std::string_view> OpenPath::names() const
{
    if (gap_.empty()) return {open_.begin(), open_.end()};
    std::vector<std::string_view> shown(open_.begin(), open_.begin() + kShownAtAnEnd);
    shown.push_back(gap_);
    shown.insert(shown.end(), open_.end() - kShownAtAnEnd, open_.end());
    return shown;
}

std::string OpenPath::joined(std::string_view separator) const
{
    std::string text;
    for (const std::string_view name : names()) (text += name) += separator;
    if (!text.empty()) text.resize(text.size() - separator.size());
    return text;
}

}  // namespace skein
