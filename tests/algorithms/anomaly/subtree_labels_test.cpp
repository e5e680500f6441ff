// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/subtree_labels.h"
#include "tests/support/catch.h"
#include "tests/support/golden_json.h"
#include "tests/support/paths.h"

#include <map>
#include <random>
#include <set>
#include <string>

namespace skein::subtree_labels_test {

using Json = nlohmann::json;
using namespace skein::test;

/// A tree as a trace would hold it, and which vertex of the file stands where.
struct PreorderTree {
    std::vector<std::uint32_t> functions;
    std::vector<std::uint16_t> depths;
    std::vector<double> durations;
    std::vector<std::size_t> vertices;

    CallForest forest() const { return {functions, depths}; }
};

void appendPreorder(PreorderTree& out, const Json& tree, std::size_t vertex, std::uint16_t depth,
                    std::map<std::string, std::uint32_t>& names)
{
    const auto name = names.emplace(tree[vertex]["label"], static_cast<std::uint32_t>(names.size())).first;
    out.functions.push_back(name->second);
    out.depths.push_back(depth);
    out.durations.push_back(goldenNumber(tree[vertex]["duration"]));
    out.vertices.push_back(vertex);
    for (std::size_t i = 0; i < tree.size(); ++i)
        if (tree[i]["parent"].is_number() && tree[i]["parent"] == tree[vertex]["id"])
            appendPreorder(out, tree, i, static_cast<std::uint16_t>(depth + 1), names);
}

std::size_t rootOf(const Json& tree)
{
    for (std::size_t i = 0; i < tree.size(); ++i)
        if (tree[i]["parent"].is_null()) return i;
    return 0;
}

/// What the file's trees give, in its order.
struct LabelledGolden {
    Json json;
    std::vector<std::string> order;
    std::vector<PreorderTree> trees;
    std::vector<std::vector<std::vector<std::uint32_t>>> labels;
    SubtreeLabels dictionary{0};

    explicit LabelledGolden(const std::filesystem::path& file) : json(readGolden(file))
    {
        dictionary = SubtreeLabels(json["iterations"].get<std::size_t>());
        std::map<std::string, std::uint32_t> names;
        for (const Json& name : json["tree_order"]) {
            order.push_back(name);
            const Json& tree = json["trees"][order.back()];
            appendPreorder(trees.emplace_back(), tree, rootOf(tree), 0, names);
            labels.push_back(dictionary.label(trees.back().forest()));
        }
    }
    std::vector<SubtreeFeatures> features(bool durations) const
    {
        std::vector<SubtreeFeatures> out;
        for (std::size_t t = 0; t < trees.size(); ++t)
            out.push_back(subtreeFeatures(labels[t], 0, trees[t].functions.size(),
                                          durations ? std::span<const double>(trees[t].durations)
                                                    : std::span<const double>()));
        return out;
    }
};

TEST_CASE("subtree labels: two vertices share one exactly if the golden file's canonical trees are equal")
{
    SKEIN_SHARED_OR_SKIP(file, "golden/wl_kernel/wl.json");
    LabelledGolden golden(file);
    for (std::size_t h = 0; h <= golden.dictionary.height(); ++h) {
        std::map<std::string, std::uint32_t> labelOf;
        std::set<std::uint32_t> used;
        for (std::size_t t = 0; t < golden.trees.size(); ++t)
            for (std::size_t i = 0; i < golden.trees[t].vertices.size(); ++i) {
                const std::string name =
                    golden.json["vertex_classes"][golden.order[t]][h][golden.trees[t].vertices[i]];
                const std::uint32_t label = golden.labels[t][h][i];
                CHECK(labelOf.emplace(name, label).first->second == label);
                used.insert(label);
            }
        CHECK(used.size() == labelOf.size());
        CHECK(golden.dictionary.labelCount(h) == labelOf.size());
        CHECK(golden.json["number_of_distinct_features_per_h"][h].get<std::size_t>() == labelOf.size());
    }
}

void checkFeatures(const LabelledGolden& golden, const std::string& kind)
{
    const std::vector<SubtreeFeatures> features = golden.features(kind == "duration");
    std::map<std::string, std::uint64_t> featureOf;
    for (std::size_t t = 0; t < golden.trees.size(); ++t)
        for (std::size_t h = 0; h < golden.labels[t].size(); ++h)
            for (std::size_t i = 0; i < golden.trees[t].vertices.size(); ++i)
                featureOf[std::to_string(h) + ":"
                          + golden.json["vertex_classes"][golden.order[t]][h][golden.trees[t].vertices[i]]
                                .get<std::string>()] = std::uint64_t{h} << 32 | golden.labels[t][h][i];
    for (std::size_t t = 0; t < golden.trees.size(); ++t) {
        const Json& expected = golden.json["features"][golden.order[t]][kind];
        CHECK(features[t].size() == expected.size());
        const std::map<std::uint64_t, double> found(features[t].begin(), features[t].end());
        for (const auto& [name, value] : expected.items())
            CHECK(found.at(featureOf.at(name)) == Approx(goldenNumber(value)).epsilon(1e-12));
    }
    for (std::size_t a = 0; a < features.size(); ++a)
        for (std::size_t b = 0; b < features.size(); ++b) {
            CHECK(subtreeKernel(features[a], features[b])
                  == Approx(goldenNumber(golden.json["kernel_" + kind][a][b])).epsilon(1e-12));
            CHECK(
                normalisedSubtreeKernel(features[a], features[b])
                == Approx(goldenNumber(golden.json["kernel_" + kind + "_normalised"][a][b])).epsilon(1e-12));
        }
}

TEST_CASE("subtree features: bags, kernels and normalised kernels are the golden file's")
{
    SKEIN_SHARED_OR_SKIP(file, "golden/wl_kernel/wl.json");
    LabelledGolden golden(file);
    checkFeatures(golden, "duration");
    checkFeatures(golden, "count");
    // Trees that go no deeper than the height are isomorphic exactly if their roots share the top label.
    SubtreeLabels deep(64);
    std::vector<std::uint32_t> roots;
    for (const PreorderTree& tree : golden.trees) roots.push_back(deep.labelTop(tree.forest()).front());
    for (std::size_t a = 0; a < roots.size(); ++a)
        for (std::size_t b = 0; b < roots.size(); ++b)
            CHECK((roots[a] == roots[b]) == golden.json["is_isomorphic"][a][b].get<bool>());
}

TEST_CASE("subtree labels: the order of callees is of no matter, a forest is labelled as its trees are")
{
    SubtreeLabels labels(3);
    const std::vector<std::uint32_t> functions{1, 2, 3, 3, 4, /**/ 1, 4, 2, 3, 3, /**/ 1, 4, 2, 3};
    const std::vector<std::uint16_t> depths{5, 6, 7, 7, 6, /**/ 5, 6, 6, 7, 7, /**/ 5, 6, 6, 7};
    const auto all = labels.label({functions, depths});
    for (std::size_t h = 0; h <= 3; ++h) CHECK(all[h][0] == all[h][5]);
    CHECK(all[1][0] == all[1][10]);
    CHECK(all[2][0] != all[2][10]);
    const std::vector<std::uint32_t> alone{1, 4, 2, 3};
    const std::vector<std::uint16_t> aloneDepths{0, 1, 1, 2};
    CHECK(labels.label({alone, aloneDepths})[3]
          == std::vector<std::uint32_t>(all[3].begin() + 10, all[3].end()));
    CHECK(labels.labelTop({alone, aloneDepths}) == labels.label({alone, aloneDepths})[3]);
    CHECK(labels.label({{}, {}})[3].empty());
}

TEST_CASE("subtree features: zero durations have a kernel of zero")
{
    SubtreeLabels labels(2);
    const std::vector<std::uint32_t> functions{1, 2};
    const std::vector<std::uint16_t> depths{0, 1};
    const std::vector<double> none{0.0, 0.0};
    const SubtreeFeatures bag = subtreeFeatures(labels.label({functions, depths}), 0, 2, none);
    CHECK(bag.size() == 6);
    CHECK(normalisedSubtreeKernel(bag, bag) == 0.0);
}

TEST_CASE("sequence numbers: equal sequences, and only those, have one number")
{
    std::mt19937 random(7);
    SequenceNumbers numbers;
    std::map<std::vector<std::uint32_t>, std::uint32_t> known;
    for (int i = 0; i < 20000; ++i) {
        std::vector<std::uint32_t> sequence(random() % 5);
        for (std::uint32_t& value : sequence) value = static_cast<std::uint32_t>(random() % 6);
        const std::uint32_t number = numbers.numberOf(sequence);
        CHECK(known.emplace(sequence, static_cast<std::uint32_t>(known.size())).first->second == number);
    }
    CHECK(numbers.size() == known.size());
}

}  // namespace skein::subtree_labels_test
