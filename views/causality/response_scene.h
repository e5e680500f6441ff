// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/data/session_causality.h"
#include "views/common/scene/drawing/draw_list.h"
#include "views/common/scene/drawing/scene_style.h"

#include <string>
#include <utility>
#include <vector>

/// How a metric answers to a shock in another one: what ResponseChart shows, as shapes.
namespace skein {

/// "sent-bytes after a shock in wait".
std::string responseTitle(const SessionCausality& causality, const CausalLink& link);

/// The least and the greatest of an answer's values that are known, and of 0; never the same.
std::pair<double, double> responseRange(const std::vector<double>& answer);

/// Title, axes in steps and in the answering metric's unit, the line of 0 and the answer; steps without a
/// value break it. O(steps).
DrawList responseScene(const SessionCausality& causality, const CausalLink& link, const Canvas& canvas);

}  // namespace skein
