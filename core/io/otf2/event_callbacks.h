// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <otf2/otf2.h>

namespace skein::otf2 {

struct DeleteEventCallbacks {
    void operator()(OTF2_EvtReaderCallbacks* set) const { OTF2_EvtReaderCallbacks_Delete(set); }
};
using EventCallbacksHandle = std::unique_ptr<OTF2_EvtReaderCallbacks, DeleteEventCallbacks>;

/// Callbacks for every event that libotf2 3.0 knows; their user data is a LocationEvents. Null when out of
/// memory.
EventCallbacksHandle eventCallbacks();

// Parts of eventCallbacks(), by subject.
void setCallCallbacks(OTF2_EvtReaderCallbacks* set);
void setMessageCallbacks(OTF2_EvtReaderCallbacks* set);
void setMetricCallbacks(OTF2_EvtReaderCallbacks* set);
void setIoCallbacks(OTF2_EvtReaderCallbacks* set);
void setRmaCallbacks(OTF2_EvtReaderCallbacks* set);
void setThreadCallbacks(OTF2_EvtReaderCallbacks* set);

}  // namespace skein::otf2
