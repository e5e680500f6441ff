/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exchange [ROUNDS]: every rank sends much to the one half the ranks away, different amounts each, and a little to the next. */
#include <mpi.h>
#include <stdlib.h>

enum { kMost = 1 << 20 };

static char out[kMost], in[kMost];

static void exchangeWith(int bytes, int to, int from)
{
    MPI_Sendrecv(out, bytes, MPI_CHAR, to, 0, in, kMost, MPI_CHAR, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    int rank = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int rounds = argc > 1 ? atoi(argv[1]) : 1;
    const int opposite = (rank + ranks / 2) % ranks;
    for (int i = 0; i < rounds; ++i) {
        exchangeWith(50000 + 1000 * rank, opposite, (rank + ranks - ranks / 2) % ranks);
        exchangeWith(200 + rank, (rank + 1) % ranks, (rank + ranks - 1) % ranks);
    }
    MPI_Finalize();
    return 0;
}
