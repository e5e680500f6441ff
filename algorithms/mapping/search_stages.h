// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/search_course.h"

#include <vector>

namespace skein {

/// The seconds, or swaps, at which the stages of a search end. After 2, 10, 60 and 600 seconds a search begins anew, with more
/// time for everything, from the best until then: a run that may take longer does first what a shorter one does, so it
/// is never worse. Swaps stand for seconds at the usual rate of two cores. The last stage ends with the clock; it is the
/// only one where not `staged`.
std::vector<double> stageEnds(const SearchClock& clock, bool staged);

/// Searches in stages for lower hop-bytes; methods that go on from what they have take a single one. Errors: those of runCourse.
Result<CourseOutcome> searchInStages(SearchState& state, const SearchClock& clock, const Task& task);

}  // namespace skein
