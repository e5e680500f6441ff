// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tau/tau_names.h"
#include "tests/support/catch.h"

namespace skein::tau_names_test {

using namespace skein::tau;

TEST_CASE("the numbers of a TAU thread are the last three of its file's name")
{
    CHECK(threadKeyOfFileName("profile.12.0.3") == ThreadKey{12, 0, 3});
    CHECK(threadKeyOfFileName("my.run.1.2.3") == ThreadKey{1, 2, 3});
    CHECK(threadKeyOfFileName("tautrace.7.0.1.trc", ".trc") == ThreadKey{7, 0, 1});
    CHECK_FALSE(threadKeyOfFileName("tautrace.7.0.1.trc"));
    CHECK_FALSE(threadKeyOfFileName("profile.0.0"));
    CHECK_FALSE(threadKeyOfFileName("profile.0.0.-1"));
    CHECK_FALSE(threadKeyOfFileName("profile.0.0.99999999999"));
}

TEST_CASE("a TAU call path is split at its arrows and nowhere else")
{
    using Parts = std::vector<std::string_view>;
    CHECK(splitCallPath(".TAU application => MPI_Finalize()   => MPI_Info_create()")
          == Parts{".TAU application", "MPI_Finalize()", "MPI_Info_create()"});
    CHECK(splitCallPath("f(A<(b>=c)>) => operator=>()") == Parts{"f(A<(b>=c)>)", "operator=>()"});
    CHECK(splitCallPath(" =>  =>  => ").empty());
    CHECK_FALSE(isCallPath("operator=>()"));
}

TEST_CASE("a TAU timer's name gives its source position, paradigm and role")
{
    const Region function =
        makeRegion("CalcQ(Domain&, int) [{/opt/a b.cc} {1947,0}-{2001,1}]", {"TAU_DEFAULT"});
    CHECK(function.sourceFile == "/opt/a b.cc");
    CHECK(function.beginLine == 1947);
    CHECK(function.endLine == 2001);
    CHECK(function.paradigm == Paradigm::Compiler);
    CHECK(function.role == RegionRole::Function);
    CHECK(makeRegion("[SAMPLE] f [{/x.c} {27}]", {"TAU_SAMPLE"}).beginLine == 27);
    CHECK(makeRegion("[SAMPLE] f [{/x.c} {27}]", {"TAU_SAMPLE"}).role == RegionRole::Artificial);
    CHECK(makeRegion("MPI_Reduce_scatter()", {"MPI"}).role == RegionRole::CollectiveAllToAll);
    CHECK(makeRegion("MPI_Reduce()", {"MPI"}).role == RegionRole::CollectiveAllToOne);
    CHECK(makeRegion("MPI_Isend()", {"MPI"}).role == RegionRole::PointToPoint);
    CHECK(makeRegion("dgemm [{w.c} {5,1}-{11,1}]   [ <size> = <100> ]", {"TAU_USER"}).role
          == RegionRole::Artificial);
    CHECK(makeRegion("broken [{file", {}).sourceFile.empty());
    CHECK(makeRegion("broken [{file} {", {}).beginLine == 0);
}

TEST_CASE("user events tell their context and their partner")
{
    const auto known = [](std::string_view timer) {
        return timer == "main" || timer == "f(A::b)" || timer == "MPI_Isend()";
    };
    const EventName name =
        splitEventName("Message size sent to node 5 : main => f(A::b) => MPI_Isend()  ", known);
    CHECK(splitEventName("data : size", known).event == "data : size");
    CHECK(splitEventName("data : size : main", known).event == "data : size");
    CHECK(splitEventName("data : size : main", known).context == "main");
    CHECK(name.event == "Message size sent to node 5");
    CHECK(name.context == "main => f(A::b) => MPI_Isend()");
    CHECK(messageEvent("Message size sent to node 12")->partner == 12);
    CHECK(messageEvent("Message size received from node 3")->direction == MessageDirection::ReceivedFrom);
    CHECK_FALSE(messageEvent("Message size sent to all nodes"));
    CHECK_FALSE(messageEvent("Message size sent to node x"));
    CHECK_FALSE(messageEvent("Message size sent to node -1"));
}

TEST_CASE("TAU's time metrics become nanoseconds and the others keep their unit")
{
    CHECK(makeTimerMetric("TIME", "unknown").unit == "ns");
    CHECK(timerScale("P_WALL_CLOCK_TIME") == 1000.0);
    CHECK(makeTimerMetric("PAPI_TOT_CYC", "").unit == "#");
    CHECK(timerScale("PAPI_TOT_CYC") == 1.0);
    CHECK(timerScale("(PAPI_FP_OPS / TIME)") == 1.0);
    CHECK(makeTimerMetric("TAU_MPI_MESSAGE_SIZE", "").unit == "bytes");
}

TEST_CASE("the names of TAU's break-down rows tell call sites")
{
    const auto site = [](std::string_view timer) {
        const auto found = callSiteOf(timer);
        REQUIRE(found);
        return std::pair(found->sourceFile, found->line);
    };
    using Place = std::pair<std::string, std::uint32_t>;
    CHECK(site("[CALLSITE] MPI_Send()  [@] main [{/x/ring.c} {31}]") == Place{"/x/ring.c", 31});
    CHECK(site("[SAMPLE] CalcQ(Domain&) [{/x/lulesh.cc} {998}]") == Place{"/x/lulesh.cc", 998});
    CHECK(site("[CONTEXT]  CalcQ(Domain&) [{/x/lulesh.cc} {990,0}]") == Place{"/x/lulesh.cc", 990});
    CHECK(site("[UNWIND] /x/lulesh-init.cc.87 [@] main [{/x/lulesh.cc} {2716}]")
          == Place{"/x/lulesh.cc", 2716});
    CHECK(site("[UNWIND] /x/lulesh.cc.2716 [@] UNRESOLVED /usr/lib/libc.so.6")
          == Place{"/x/lulesh.cc", 2716});
    CHECK(site("[UNWIND] [/x/lulesh.cc.2716] [@] UNRESOLVED /usr/lib/libc.so.6")
          == Place{"/x/lulesh.cc", 2716});
    CHECK(site("[SAMPLE] UNRESOLVED /usr/lib/libc.so.6") == Place{"/usr/lib/libc.so.6", 0});
    CHECK(site("[CALLSITE] f [@] UNRESOLVED ADDR 0x4006d0") == Place{"", 0});
    for (const char* odd : {"[SAMPLE]", "[UNWIND] [", "[CALLSITE] ] [@", "[UNWIND] .5 [@]",
                            "[UNWIND] [UNRESOLVED] [@] UNRESOLVED"})
        CHECK(site(odd) == Place{"", 0});
    CHECK_FALSE(callSiteOf("main [{/x/ring.c} {3,0}]"));
    CHECK_FALSE(callSiteOf("MPI_Send()"));
}

TEST_CASE("a call site of TAU knows the region that is entered there")
{
    std::vector<Region> regions;
    for (const char* name :
         {"main() [{/x/ring.c} {3,0}]", "MPI_Send()", "[CALLSITE] MPI_Send()  [@] main [{/x/ring.c} {31}]",
          "[CALLSITE] main()  [@] start", "[CALLSITE] unknown [@] start", "[SAMPLE] main()"})
        regions.push_back(makeRegion(name, {}));
    std::vector<CallSiteId> siteOf(regions.size());
    for (std::uint32_t site = 0; site < 4; ++site) siteOf[site + 2] = CallSiteId(site);
    std::vector<CallSite> sites(4);
    linkCallSites(regions, siteOf, sites);
    CHECK(sites[0].enteredRegion == RegionId(1));
    CHECK(sites[1].enteredRegion == RegionId(0));
    CHECK_FALSE(sites[2].enteredRegion.valid());
    CHECK_FALSE(sites[3].enteredRegion.valid());
}

}  // namespace skein::tau_names_test
