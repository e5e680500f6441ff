// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/data/timeline_data.h"
