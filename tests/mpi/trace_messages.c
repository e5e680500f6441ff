/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Linked into an MPI program, writes an OTF2 archive of its MPI_Sendrecv calls to $SKEIN_TRACE_FOLDER: a measurement tool as
 * small as can be, on the profiling interface of MPI. Every host is a node of the system tree. */
#include <mpi.h>
#include <otf2/otf2.h>

#include <otf2/OTF2_MPI_Collectives.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { kHostLength = 64, kRegion = 0, kLocations = 0, kRanks = 1, kFirstHost = 1 };
enum { kEmpty, kMachine, kMachineClass, kNodeClass, kWorld, kSendrecv, kFirstText };

static OTF2_Archive* archive;
static OTF2_EvtWriter* events;
static int rank, ranks;
static uint64_t begin;

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static OTF2_FlushType flush(void* user, OTF2_FileType file, OTF2_LocationRef location, void* caller, bool final)
{
    (void)user, (void)file, (void)location, (void)caller, (void)final;
    return OTF2_FLUSH;
}
static OTF2_TimeStamp flushed(void* user, OTF2_FileType file, OTF2_LocationRef location)
{
    (void)user, (void)file, (void)location;
    return now();
}

int MPI_Init(int* argc, char*** argv)
{
    const int result = PMPI_Init(argc, argv);
    static const OTF2_FlushCallbacks callbacks = {flush, flushed};
    const char* folder = getenv("SKEIN_TRACE_FOLDER");
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    archive = OTF2_Archive_Open(folder ? folder : "trace", "traces", OTF2_FILEMODE_WRITE, 1 << 20, 1 << 20, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    OTF2_Archive_SetFlushCallbacks(archive, &callbacks, NULL);
    OTF2_MPI_Archive_SetCollectiveCallbacks(archive, MPI_COMM_WORLD, MPI_COMM_NULL);
    OTF2_Archive_OpenEvtFiles(archive);
    events = OTF2_Archive_GetEvtWriter(archive, (OTF2_LocationRef)rank);
    begin = now();
    return result;
}

static uint64_t bytesOf(int count, MPI_Datatype type)
{
    int size = 0;
    PMPI_Type_size(type, &size);
    return (uint64_t)count * (uint64_t)size;
}

int MPI_Sendrecv(const void* out, int outCount, MPI_Datatype outType, int to, int outTag, void* in, int inCount, MPI_Datatype inType,
                 int from, int inTag, MPI_Comm comm, MPI_Status* status)
{
    MPI_Status told;
    int count = 0;
    OTF2_EvtWriter_Enter(events, NULL, now(), kRegion);
    OTF2_EvtWriter_MpiSend(events, NULL, now(), (uint32_t)to, 0, (uint32_t)outTag, bytesOf(outCount, outType));
    const int result = PMPI_Sendrecv(out, outCount, outType, to, outTag, in, inCount, inType, from, inTag, comm, &told);
    PMPI_Get_count(&told, inType, &count);
    OTF2_EvtWriter_MpiRecv(events, NULL, now(), (uint32_t)told.MPI_SOURCE, 0, (uint32_t)told.MPI_TAG, bytesOf(count, inType));
    OTF2_EvtWriter_Leave(events, NULL, now(), kRegion);
    if (status != MPI_STATUS_IGNORE) *status = told;
    return result;
}

static int hostNumber(const char (*hosts)[kHostLength], int ofRank)
{
    int number = 0;
    while (strcmp(hosts[number], hosts[ofRank]) != 0) ++number;
    return number;
}

static void writeTexts(OTF2_GlobalDefWriter* writer, const char (*hosts)[kHostLength])
{
    static const char* const common[] = {"", "machine", "machine", "node", "MPI_COMM_WORLD", "MPI_Sendrecv"};
    char name[32];
    for (uint32_t i = 0; i < kFirstText; ++i) OTF2_GlobalDefWriter_WriteString(writer, i, common[i]);
    for (int i = 0; i < ranks; ++i) {
        snprintf(name, sizeof name, "MPI Rank %d", i);
        OTF2_GlobalDefWriter_WriteString(writer, (uint32_t)(kFirstText + 2 * i), name);
        OTF2_GlobalDefWriter_WriteString(writer, (uint32_t)(kFirstText + 2 * i + 1), hosts[i]);
    }
}

static void writePlaces(OTF2_GlobalDefWriter* writer, const char (*hosts)[kHostLength], const uint64_t* counts)
{
    OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 0, kMachine, kMachineClass, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    for (int i = 0; i < ranks; ++i) {
        const uint32_t text = (uint32_t)(kFirstText + 2 * i), host = (uint32_t)(kFirstHost + hostNumber(hosts, i)), number = (uint32_t)i;
        if (hostNumber(hosts, i) == i) OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, host, text + 1, kNodeClass, 0);
        OTF2_GlobalDefWriter_WriteLocationGroup(writer, number, text, OTF2_LOCATION_GROUP_TYPE_PROCESS, host, OTF2_UNDEFINED_LOCATION_GROUP);
        OTF2_GlobalDefWriter_WriteLocation(writer, number, text, OTF2_LOCATION_TYPE_CPU_THREAD, counts[i], number);
    }
}

static void writeDefinitions(const char (*hosts)[kHostLength], const uint64_t* counts, uint64_t first, uint64_t last)
{
    OTF2_GlobalDefWriter* writer = OTF2_Archive_GetGlobalDefWriter(archive);
    uint64_t* members = calloc((size_t)ranks, sizeof *members);
    for (int i = 0; i < ranks; ++i) members[i] = (uint64_t)i;
    OTF2_GlobalDefWriter_WriteClockProperties(writer, 1000000000u, first, last - first + 1, OTF2_UNDEFINED_TIMESTAMP);
    writeTexts(writer, hosts);
    writePlaces(writer, hosts, counts);
    OTF2_GlobalDefWriter_WriteRegion(writer, kRegion, kSendrecv, kSendrecv, kEmpty, OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE, kEmpty, 0, 0);
    OTF2_GlobalDefWriter_WriteGroup(writer, kLocations, kEmpty, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, (uint32_t)ranks, members);
    OTF2_GlobalDefWriter_WriteGroup(writer, kRanks, kEmpty, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, (uint32_t)ranks, members);
    OTF2_GlobalDefWriter_WriteComm(writer, 0, kWorld, kRanks, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
    free(members);
    OTF2_Archive_CloseGlobalDefWriter(archive, writer);
}

int MPI_Finalize(void)
{
    const uint64_t end = now();
    char host[kHostLength] = "";
    char processor[MPI_MAX_PROCESSOR_NAME];
    int length = 0;
    uint64_t count = 0, first = 0, last = 0;
    char (*hosts)[kHostLength] = calloc((size_t)ranks, sizeof *hosts);
    uint64_t* counts = calloc((size_t)ranks, sizeof *counts);
    PMPI_Get_processor_name(processor, &length);
    snprintf(host, sizeof host, "%.*s", kHostLength - 1, processor);
    OTF2_EvtWriter_GetNumberOfEvents(events, &count);
    OTF2_Archive_CloseEvtWriter(archive, events);
    OTF2_Archive_CloseEvtFiles(archive);
    OTF2_Archive_OpenDefFiles(archive);
    OTF2_Archive_CloseDefWriter(archive, OTF2_Archive_GetDefWriter(archive, (OTF2_LocationRef)rank));
    OTF2_Archive_CloseDefFiles(archive);
    PMPI_Gather(host, kHostLength, MPI_CHAR, hosts, kHostLength, MPI_CHAR, 0, MPI_COMM_WORLD);
    PMPI_Gather(&count, 1, MPI_UINT64_T, counts, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    PMPI_Reduce(&begin, &first, 1, MPI_UINT64_T, MPI_MIN, 0, MPI_COMM_WORLD);
    PMPI_Reduce(&end, &last, 1, MPI_UINT64_T, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) writeDefinitions((const char (*)[kHostLength])hosts, counts, first, last);
    OTF2_Archive_Close(archive);
    free(counts);
    free(hosts);
    return PMPI_Finalize();
}
