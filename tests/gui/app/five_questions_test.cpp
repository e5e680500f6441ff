// SPDX-License-Identifier: GPL-3.0-or-later
// docs/FIVE_QUESTIONS.md: what the window answers is what skein-cli answers, and what the page says.
#include "app/gui/window/dock_host.h"
#include "tests/gui/support/window_fixture.h"
#include "tests/support/cli.h"
#include "views/balance/balance_canvas.h"
#include "views/common/scope_head.h"
#include "views/common/table/table_delegate.h"
#include "views/waits/wait_model.h"
#include "views/waits/waits_view.h"

#include <QComboBox>
#include <QTreeView>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace skein::five_questions_test {

using nlohmann::json;
using namespace skein::gui;

namespace {

constexpr TimeSpan kFirstPhase{1'000'000'000, 1'500'000'000};
constexpr TimeSpan kSecondPhase{1'500'000'000, 2'000'000'000};

std::string archive() { return test::sourcePath("examples/heatflow-16x2/trace-otf2").string(); }

json printed(std::vector<std::string> words)
{
    words.insert(words.begin() + 1, archive());
    words.insert(words.end(), {"--format", "json"});
    const test::CliResult result = test::runCli(words);
    INFO(result.err);
    REQUIRE(result.exitCode == 0);
    return json::parse(result.out);
}

std::string shortName(const std::string& name)
{
    Region region;
    region.name = name;
    return displayName(region);
}

struct Window : test::WindowFixture {
    Window()
    {
        open({test::example("heatflow-16x2/trace-otf2")});
        show(kFirstPhase);
    }
    void show(TimeSpan phase)
    {
        window->selection().setVisible(phase, nullptr);
        settleAll();
    }
    void settleAll()
    {
        settle();
        QTest::qWait(80);
        settle();
    }
    View& view(const char* id)
    {
        window->docks().focusView(id);
        settleAll();
        return *window->docks().find(id)->view;
    }
    const QAbstractItemModel& modelOf(const char* id) { return *view(id).findChild<QTreeView*>()->model(); }
};

int columnOf(const QAbstractItemModel& model, const char* title)
{
    for (int column = 0; column < model.columnCount(); ++column)
        if (model.headerData(column, Qt::Horizontal).toString() == title) return column;
    FAIL("no column " << title);
    return -1;
}

/// The row of a name below any row; invalid where there is none.
QModelIndex rowOf(const QAbstractItemModel& model, const QString& name, const QModelIndex& below = {})
{
    for (int row = 0; row < model.rowCount(below); ++row) {
        const QModelIndex index = model.index(row, 0, below);
        if (index.data().toString() == name) return index;
        if (const QModelIndex found = rowOf(model, name, index); found.isValid()) return found;
    }
    return {};
}

double number(const QModelIndex& row, const char* column)
{
    return row.siblingAtColumn(columnOf(*row.model(), column)).data(kSortRole).toDouble();
}

/// Of all rows of a name together: a region has several call paths.
double sumOf(const QAbstractItemModel& model, const QString& name, const char* column,
             const QModelIndex& below = {})
{
    double sum = 0;
    for (int row = 0; row < model.rowCount(below); ++row) {
        const QModelIndex index = model.index(row, 0, below);
        if (index.data().toString() == name) sum += number(index, column);
        sum += sumOf(model, name, column, index);
    }
    return sum;
}

double sumOf(const json& rows, const std::string& name, const char* field)
{
    double sum = 0;
    for (const json& row : rows)
        if (shortName(row.at("name").get<std::string>()) == name) sum += row.at(field).get<double>();
    return sum;
}

/// The row of the command line that has the short name.
const json& line(const json& rows, const std::string& name)
{
    for (const json& row : rows)
        if (shortName(row.at("name").get<std::string>()) == name) return row;
    FAIL("no row " << name);
    return rows;
}

std::string page()
{
    std::ifstream file(test::sourcePath("docs/FIVE_QUESTIONS.md"));
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

void checkTimes(const QAbstractItemModel& model, const json& rows)
{
    for (const char* name : {"apply_flux", "compute_tile", "MPI_Waitall()", "MPI_Allreduce()"}) {
        INFO(name);
        CHECK(sumOf(rows, name, "calls") > 0);
        CHECK(sumOf(model, name, "Exclusive") == Approx(sumOf(rows, name, "exclusive_ns")).epsilon(1e-12));
        CHECK(sumOf(model, name, "Inclusive") == Approx(sumOf(rows, name, "inclusive_ns")).epsilon(1e-12));
        CHECK(sumOf(model, name, "Calls") == sumOf(rows, name, "calls"));
    }
}

}  // namespace

TEST_CASE("where: the call tree and the function summary of a window are skein-cli profile's")
{
    Window window;
    const json paths = printed({"profile", "--by", "callpath", "--window", "1s:1500ms"});
    checkTimes(window.modelOf("call_tree"), paths);
    const json regions = printed({"profile", "--by", "region", "--window", "1s:1500ms"});
    checkTimes(window.modelOf("function_summary"), regions);
    const QAbstractItemModel& summary = window.modelOf("function_summary");
    const QString text = QString::fromStdString(page());
    for (const char* name : {"apply_flux", "MPI Collective Sync", "compute_tile", "MPI_Waitall()"}) {
        INFO(name);
        const QModelIndex row = rowOf(summary, name);
        REQUIRE(row.isValid());
        CHECK(text.contains(row.siblingAtColumn(columnOf(summary, "Exclusive")).data().toString()));
    }
}

TEST_CASE("balanced: columns and efficiencies of a window are those of skein-cli")
{
    Window window;
    const QAbstractItemModel& model = window.modelOf("function_summary");
    const json regions = printed({"profile", "--by", "region", "--window", "1s:1500ms"});
    for (const char* name : {"compute_tile", "MPI_Waitall()", "apply_flux"}) {
        INFO(name);
        const json& row = line(regions, name);
        CHECK(number(rowOf(model, name), "Max/mean by location")
              == Approx(row.at("imbalance").get<double>()).margin(1e-5));
        CHECK(number(rowOf(model, name), "Lost by location")
              == Approx(row.at("lost_ns").get<double>()).margin(1));
    }
    const json efficiency = printed({"efficiency", "--window", "1s:1500ms"});
    const json& whole = efficiency.is_array() ? efficiency.at(0) : efficiency;
    const auto* canvas = window.view("balance").findChild<BalanceCanvas*>();
    REQUIRE(test::waitFor([&] { return canvas->picture() != nullptr; }, 30000));
    const auto& told = canvas->picture()->matrix.efficiencies.at(0);
    REQUIRE(told.has_value());
    CHECK(told->parallelEfficiency() == Approx(whole.at("parallel_efficiency").get<double>()).margin(1e-5));
    CHECK(told->loadBalance() == Approx(whole.at("load_balance").get<double>()).margin(1e-5));
    CHECK(told->communicationEfficiency()
          == Approx(whole.at("communication_efficiency").get<double>()).margin(1e-5));
    CHECK(page().find("52.3 % = load balance 85.5 % × communication efficiency 61.1 %") != std::string::npos);
    CHECK(told->parallelEfficiency() == Approx(0.523).margin(0.0005));
}

TEST_CASE("who waits for whom: the panel's causes are those of skein-cli waits")
{
    Window window;
    View& view = window.view("waits");
    auto* grouping = window.child<QComboBox>("waits.grouping");
    REQUIRE(grouping);
    grouping->setCurrentIndex(grouping->findText("By cause"));
    window.settleAll();
    const auto& model = dynamic_cast<const WaitsView&>(view).model();
    const json causes = printed({"waits", "--by", "cause", "--window", "1s:1500ms"});
    const auto& rows = model.rows().rows;
    REQUIRE(rows.size() == causes.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        CHECK(rows[row].name == causes[row].at("cause").get<std::string>());
        CHECK(static_cast<double>(rows[row].sum.totalNs) == causes[row].at("wait_ns").get<double>());
        CHECK(rows[row].sum.count == causes[row].at("count").get<std::uint64_t>());
    }
    CHECK(rows.front().name == "Rank 14");
    CHECK(page().find("765.3 ms for Rank 14, in 148 calls") != std::string::npos);
    CHECK(rows.front().sum.totalNs / 100'000 == 7653);
}

TEST_CASE("what differs: a pinned panel and one that follows tell of two windows as skein-cli does")
{
    Window window;
    View& pinned = window.view("function_summary");
    ScopeHead::of(pinned)->pinTo(ScopeHead::Pin::Kept);
    window.show(kSecondPhase);
    checkTimes(window.modelOf("function_summary"),
               printed({"profile", "--by", "region", "--window", "1s:1500ms"}));
    checkTimes(window.modelOf("call_tree"),
               printed({"profile", "--by", "callpath", "--window", "1500ms:2s"}));
}

TEST_CASE("which ranks: the worst location of a region is the first of its row in the matrix")
{
    Window window;
    const QAbstractItemModel& model = window.modelOf("function_summary");
    const json cells = printed({"profile", "--by", "region-location", "--window", "1s:1500ms"});
    const json regions = printed({"profile", "--by", "region", "--window", "1s:1500ms"});
    for (const char* name : {"compute_tile", "MPI_Waitall()"}) {
        INFO(name);
        double most = -1;
        std::string worst;
        for (const json& row : cells)
            if (shortName(row.at("name").get<std::string>()) == name
                && row.at("inclusive_ns").get<double>() > most) {
                most = row.at("inclusive_ns").get<double>();
                worst = row.at("location").get<std::string>();
            }
        CHECK(worst == line(regions, name).at("max_location").get<std::string>());
        const QModelIndex row = rowOf(model, name);
        CHECK(row.siblingAtColumn(columnOf(model, "Worst")).data().toString().toStdString() == worst);
    }
    CHECK(page().find("Of `compute_tile` Rank 0 took 188 ms") != std::string::npos);
}

}  // namespace skein::five_questions_test
