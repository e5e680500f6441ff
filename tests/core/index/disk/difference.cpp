// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/index/disk/difference.h"

namespace skein::test {
namespace {

/// Of parts that may be missing.
template <typename T, typename Compare>
std::string part(const char* name, const std::shared_ptr<const T>& a, const std::shared_ptr<const T>& b,
                 Compare compare)
{
    if (!a || !b) return !a == !b ? "" : fmt::format("{} is missing in one; ", name);
    const std::string found = compare(*a, *b);
    return found.empty() ? "" : fmt::format("{}{}; ", name, found);
}

std::string differenceOfTrees(const CallTree& a, const CallTree& b)
{
    return difference(a.parents(), b.parents()) + difference(a.regions(), b.regions())
        + difference(a.callSites(), b.callSites());
}

std::string differenceOfMatrices(const CommMatrix& a, const CommMatrix& b)
{
    std::string found = difference(a.ranks(), b.ranks()) + difference(a.entries(), b.entries());
    for (std::uint32_t rank = 0; found.empty() && rank < a.ranks(); ++rank)
        found = difference(a.row(rank), b.row(rank));
    return found;
}

}  // namespace

std::string differenceOf(const Experiment& a, const Experiment& b)
{
    std::string found;
    if (a.name != b.name) found += fmt::format("name {} and {}; ", a.name, b.name);
    if (a.path != b.path) found += fmt::format("path {} and {}; ", a.path.string(), b.path.string());
    if (a.format != b.format || a.importer != b.importer) found += "format; ";
    if (const auto definitions = difference(a.definitions, b.definitions); !definitions.empty())
        found += "definitions" + definitions + "; ";
    if (const auto report = difference(a.report.issues(), b.report.issues()); !report.empty())
        found += "report" + report + "; ";
    found += part("call tree", a.callTree, b.callTree, differenceOfTrees);
    found += part("trace", a.trace, b.trace, difference<Trace>);
    found += part("profile", a.profile, b.profile, difference<Profile>);
    found += part("matrix", a.commMatrix, b.commMatrix, differenceOfMatrices);
    found += part("routes", a.routes, b.routes,
                  [](const RouteSet&, const RouteSet&) { return std::string(" are not saved"); });
    return found;
}

}  // namespace skein::test
