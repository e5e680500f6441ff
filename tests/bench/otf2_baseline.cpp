// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/otf2_baseline.h"

#include <atomic>
#include <memory>
#include <otf2/otf2.h>
#include <thread>
#include <vector>

namespace skein::bench {

namespace {

struct ReaderClose {
    void operator()(OTF2_Reader* reader) const { OTF2_Reader_Close(reader); }
};
using Reader = std::unique_ptr<OTF2_Reader, ReaderClose>;

/// One function for every kind of event: libotf2 decodes the record and calls it, and it does nothing.
template <class... Arguments>
OTF2_CallbackCode nothing(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void*, OTF2_AttributeList*,
                          Arguments...)
{
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode collectLocation(void* user, OTF2_LocationRef self, OTF2_StringRef, OTF2_LocationType,
                                  std::uint64_t, OTF2_LocationGroupRef)
{
    static_cast<std::vector<OTF2_LocationRef>*>(user)->push_back(self);
    return OTF2_CALLBACK_SUCCESS;
}

Reader openReader(const std::filesystem::path& anchor)
{
    Reader reader(OTF2_Reader_Open(anchor.c_str()));
    if (reader) OTF2_Reader_SetSerialCollectiveCallbacks(reader.get());
    return reader;
}

std::vector<OTF2_LocationRef> readDefinitions(OTF2_Reader* reader)
{
    std::vector<OTF2_LocationRef> locations;
    OTF2_GlobalDefReader* definitions = OTF2_Reader_GetGlobalDefReader(reader);
    OTF2_GlobalDefReaderCallbacks* callbacks = OTF2_GlobalDefReaderCallbacks_New();
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, collectLocation);
    OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, &locations);
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    std::uint64_t read = 0;
    OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &read);
    OTF2_Reader_CloseGlobalDefReader(reader, definitions);
    return locations;
}

void readLocalDefinitions(OTF2_Reader* reader, const std::vector<OTF2_LocationRef>& locations)
{
    if (OTF2_Reader_OpenDefFiles(reader) != OTF2_SUCCESS) return;
    for (const OTF2_LocationRef location : locations) {
        OTF2_DefReader* local = OTF2_Reader_GetDefReader(reader, location);
        if (!local) continue;
        std::uint64_t read = 0;
        OTF2_Reader_ReadAllLocalDefinitions(reader, local, &read);
        OTF2_Reader_CloseDefReader(reader, local);
    }
    OTF2_Reader_CloseDefFiles(reader);
}

std::unique_ptr<OTF2_EvtReaderCallbacks, void (*)(OTF2_EvtReaderCallbacks*)> emptyCallbacks()
{
    OTF2_EvtReaderCallbacks* out = OTF2_EvtReaderCallbacks_New();
    OTF2_EvtReaderCallbacks_SetEnterCallback(out, nothing);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(out, nothing);
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(out, nothing);
    OTF2_EvtReaderCallbacks_SetMpiIsendCallback(out, nothing);
    OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(out, nothing);
    OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(out, nothing);
    OTF2_EvtReaderCallbacks_SetMpiRecvCallback(out, nothing);
    OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(out, nothing);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(out, nothing);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(out, nothing);
    OTF2_EvtReaderCallbacks_SetMetricCallback(out, nothing);
    OTF2_EvtReaderCallbacks_SetParameterStringCallback(out, nothing);
    OTF2_EvtReaderCallbacks_SetParameterIntCallback(out, nothing);
    OTF2_EvtReaderCallbacks_SetParameterUnsignedIntCallback(out, nothing);
    OTF2_EvtReaderCallbacks_SetThreadForkCallback(out, nothing);
    OTF2_EvtReaderCallbacks_SetThreadJoinCallback(out, nothing);
    OTF2_EvtReaderCallbacks_SetThreadTeamBeginCallback(out, nothing);
    OTF2_EvtReaderCallbacks_SetThreadTeamEndCallback(out, nothing);
    OTF2_EvtReaderCallbacks_SetProgramBeginCallback(out, nothing);
    OTF2_EvtReaderCallbacks_SetProgramEndCallback(out, nothing);
    return {out, OTF2_EvtReaderCallbacks_Delete};
}

std::uint64_t readEvents(OTF2_Reader* reader, const std::vector<OTF2_LocationRef>& locations)
{
    if (OTF2_Reader_OpenEvtFiles(reader) != OTF2_SUCCESS) return 0;
    const auto callbacks = emptyCallbacks();
    std::uint64_t total = 0;
    for (const OTF2_LocationRef location : locations) {
        OTF2_EvtReader* events = OTF2_Reader_GetEvtReader(reader, location);
        if (!events) continue;
        OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks.get(), nullptr);
        std::uint64_t read = 0;
        OTF2_Reader_ReadAllLocalEvents(reader, events, &read);
        OTF2_Reader_CloseEvtReader(reader, events);
        total += read;
    }
    OTF2_Reader_CloseEvtFiles(reader);
    return total;
}

std::uint64_t readShare(const std::filesystem::path& anchor, unsigned thread, unsigned threads)
{
    const Reader reader = openReader(anchor);
    if (!reader) return 0;
    const std::vector<OTF2_LocationRef> all = readDefinitions(reader.get());
    std::vector<OTF2_LocationRef> share;
    for (std::size_t i = thread; i < all.size(); i += threads) share.push_back(all[i]);
    for (const OTF2_LocationRef location : share) OTF2_Reader_SelectLocation(reader.get(), location);
    readLocalDefinitions(reader.get(), share);
    return readEvents(reader.get(), share);
}

}  // namespace

std::uint64_t readIntoEmptyCallbacks(const std::filesystem::path& anchor, unsigned threads)
{
    std::atomic<std::uint64_t> total = 0;
    {
        std::vector<std::jthread> workers;
        for (unsigned thread = 0; thread < threads; ++thread)
            workers.emplace_back([&, thread] { total += readShare(anchor, thread, threads); });
    }
    return total;
}

}  // namespace skein::bench
