// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/profile.h"

namespace skein {

Result<std::shared_ptr<const Profile>> withColumn(std::shared_ptr<const Profile> profile, std::size_t column,
                                                  const Task& task)
{
    const bool absent = profile->source && column < profile->callPaths.inclusive.size()
        && profile->callPaths.rows() > 0 && profile->callPaths.inclusive[column].empty();
    if (!absent) return profile;
    auto read = profile->source->read(column, task);
    if (!read) return Unexpected(std::move(read.error()));
    auto filled = std::make_shared<Profile>(*profile);
    filled->callPaths.inclusive[column] = std::move(read->callPathsInclusive);
    filled->callPaths.exclusive[column] = std::move(read->callPathsExclusive);
    filled->regions.inclusive[column] = std::move(read->regionsInclusive);
    filled->regions.exclusive[column] = std::move(read->regionsExclusive);
    return filled;
}

}  // namespace skein
