// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/cube_facts.h"

#include "tests/support/catch.h"

#include <fstream>

namespace skein::test {
namespace {

std::vector<std::string> fieldsOf(const std::string& line)
{
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (const char letter : line) {
        if (letter == '"') quoted = !quoted;
        else if (letter == ',' && !quoted) fields.emplace_back();
        else if (letter != '\r') fields.back() += letter;
    }
    return fields;
}

}  // namespace

std::vector<CubeFact> readCubeFacts(const std::filesystem::path& file)
{
    std::ifstream stream(file);
    std::vector<CubeFact> facts;
    std::string line;
    std::getline(stream, line);
    REQUIRE(line.find("file,metric,unit,stored,path,cnode,inclusive,exclusive") == 0);
    while (std::getline(stream, line)) {
        const std::vector<std::string> fields = fieldsOf(line);
        REQUIRE(fields.size() == 8);
        facts.push_back({fields[0], fields[1], fields[2], fields[3], fields[4], std::stoull(fields[5]),
                         std::stod(fields[6]), std::stod(fields[7])});
    }
    return facts;
}

std::string factPath(const Experiment& experiment, CallPathId path)
{
    std::string text;
    for (; path.valid(); path = experiment.callTree->parent(path)) {
        std::string name;
        for (const char letter : experiment.definitions.region(experiment.callTree->region(path)).name) {
            if (letter == '/') name += '\\';
            name += letter;
        }
        text = text.empty() ? name : name + "/" + text;
    }
    return text;
}

CallPathSums callPathSums(const Experiment& experiment, std::size_t column)
{
    const auto profile = withColumn(experiment.profile, column, Task());
    REQUIRE(profile);
    const MetricCube& cube = (*profile)->callPaths;
    CallPathSums sums{std::vector<double>(experiment.callTree->size()),
                      std::vector<double>(experiment.callTree->size())};
    for (std::size_t row = 0; row < cube.rows(); ++row) {
        sums.inclusive[cube.items[row]] += cube.inclusive[column][row];
        sums.exclusive[cube.items[row]] += cube.exclusive[column][row];
    }
    return sums;
}

}  // namespace skein::test
