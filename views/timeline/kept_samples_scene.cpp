// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/kept_samples_scene.h"

#include <utility>

namespace skein {

KeptSamples::RowPtr KeptSamples::find(std::span<const LocationRef> locations, bool byTreeOfItsOwn,
                                      const PictureDetail& detail) const
{
    const auto found = rows_.find({locations.begin(), locations.end()});
    const bool fits = found != rows_.end() && found->second->byTreeOfItsOwn == byTreeOfItsOwn
        && found->second->detail.servesFor(detail);
    return fits ? found->second : nullptr;
}

void KeptSamples::add(std::size_t number, std::span<const LocationRef> locations, RowPtr row)
{
    const std::size_t columnBytes = columns_ * sizeof(ColumnSample);
    const std::size_t beside = row->outliers.size() * sizeof(RowOutlier) + locations.size_bytes();
    if ((number + 1) * 2 * columnBytes > kMostBytes || beside > columnBytes) return;
    const std::lock_guard lock(adding_);
    rows_.insert_or_assign({locations.begin(), locations.end()}, std::move(row));
}

}  // namespace skein
