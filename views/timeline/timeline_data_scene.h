// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/timeline_data.h"
