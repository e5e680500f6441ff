// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/task_archive.h"

#include "tests/support/otf2_archive_builder.h"

#include <memory>

namespace skein::test {
namespace {

struct DeleteList {
    void operator()(OTF2_AttributeList* list) const { OTF2_AttributeList_Delete(list); }
};
using ListOfTask = std::unique_ptr<OTF2_AttributeList, DeleteList>;

ListOfTask listOf(std::uint64_t guid, std::uint64_t parent)
{
    ListOfTask list(OTF2_AttributeList_New());
    OTF2_AttributeList_AddUint64(list.get(), 0, guid);
    OTF2_AttributeList_AddUint64(list.get(), 1, parent);
    return list;
}

}  // namespace

std::filesystem::path writeTaskArchive(const std::filesystem::path& folder)
{
    Otf2ArchiveBuilder builder(folder, 2);
    const auto own = builder.text("GUID"), parent = builder.text("Parent GUID"),
               bytes = builder.text("bytes");
    builder.definitions([=](OTF2_GlobalDefWriter* out) {
        OTF2_GlobalDefWriter_WriteAttribute(out, 0, own, own, OTF2_TYPE_UINT64);
        OTF2_GlobalDefWriter_WriteAttribute(out, 1, parent, parent, OTF2_TYPE_UINT64);
        OTF2_GlobalDefWriter_WriteAttribute(out, 2, bytes, bytes, OTF2_TYPE_UINT32);
    });
    const auto start = builder.region("start"), wait = builder.region("wait"), work = builder.region("work"),
               stop = builder.region("stop");
    builder.events(0, [=](OTF2_EvtWriter* out) {
        OTF2_EvtWriter_Enter(out, listOf(1, 0).get(), 0, start);
        OTF2_EvtWriter_Leave(out, listOf(1, 0).get(), 10, stop);
        OTF2_EvtWriter_Enter(out, listOf(1, 0).get(), 500, wait);
        OTF2_EvtWriter_Leave(out, listOf(1, 0).get(), 900, wait);
    });
    builder.events(1, [=](OTF2_EvtWriter* out) {
        OTF2_EvtWriter_Enter(out, listOf(2, 1).get(), 100, work);
        const ListOfTask inside(OTF2_AttributeList_New());
        OTF2_AttributeList_AddUint32(inside.get(), 2, 4096);
        OTF2_EvtWriter_ThreadCreate(out, inside.get(), 150, 0, 1);
        OTF2_EvtWriter_Leave(out, listOf(2, 1).get(), 200, stop);
        OTF2_EvtWriter_Enter(out, listOf(3, 2).get(), 600, work);
        OTF2_EvtWriter_Leave(out, listOf(3, 2).get(), 700, work);
    });
    return builder.finish();
}

}  // namespace skein::test
