/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every rank prints "rank host core": where the launcher has really put it. */
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <stdio.h>

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char host[MPI_MAX_PROCESSOR_NAME];
    int length = 0;
    MPI_Get_processor_name(host, &length);
    cpu_set_t cores;
    sched_getaffinity(0, sizeof cores, &cores);
    int core = 0;
    while (core < CPU_SETSIZE && !CPU_ISSET(core, &cores)) ++core;
    printf("%d %s %d\n", rank, host, core);
    MPI_Finalize();
    return 0;
}
