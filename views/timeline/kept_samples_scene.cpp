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
    if ((number + 1) * columns_ * sizeof(ColumnSample) > kMostBytes) return;
    const std::lock_guard lock(adding_);
    rows_.insert_or_assign({locations.begin(), locations.end()}, std::move(row));
}

}  // namespace skein
