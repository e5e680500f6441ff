// SPDX-License-Identifier: GPL-3.0-or-later
// Who loads the selected links, as a table in groups.
#include "views/common/link_users_tree.h"

#include "tests/gui/support/wait_for.h"
#include "tests/support/catch.h"
#include "tests/support/gui_application.h"
#include "tests/support/machine_session.h"
#include "views/common/selection_model.h"
#include "views/common/table/table_text.h"
#include "views/common/task_runner.h"

#include <QHeaderView>
#include <QtTest>

namespace skein::link_users_tree_test {
namespace {

/// Sixteen ranks in a row on a mesh of 4 × 4, of which each sends the next one 100 bytes and its number.
struct Shown {
    QApplication& application = test::guiApplication();
    SelectionModel selection;
    TaskRunner tasks;
    LinkUsersTree tree{ViewContext{selection, tasks}, "users", nullptr};
    SessionPtr session;
    SessionCommunicationPtr communication;

    Shown()
    {
        std::vector<CommMatrix::Entry> entries;
        for (std::uint32_t rank = 0; rank < 16; ++rank)
            entries.push_back({rank, (rank + 1) % 16, 1, 1000 * (rank % 5) + 100});
        session = test::sessionOfSums(16, {entries});
        communication = test::communicationOn(session, "mesh:4x4");
        std::vector<LinkRef> links;
        for (std::uint32_t link = 0; link < communication->traffic.loads.size(); ++link)
            if (communication->traffic.loads[link] > 0) links.push_back({link});
        tree.resize(380, 600);
        tree.show(session, communication, links);
        REQUIRE(test::waitFor([this] { return tree.model()->rowCount() > 0; }, 10'000));
    }
    QModelIndex group(const char* title) const
    {
        for (int row = 0; row < tree.model()->rowCount(); ++row)
            if (tree.model()->index(row, 0).data().toString().startsWith(title))
                return tree.model()->index(row, 0);
        FAIL(title);
        return {};
    }
    void clickTitle(int column)
    {
        QHeaderView& header = *tree.header();
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {},
                          {header.sectionViewportPosition(column) + header.sectionSize(column) / 2, 8});
    }
    std::vector<double> amountsOf(const QModelIndex& group) const
    {
        std::vector<double> amounts;
        for (int row = 0; row < tree.model()->rowCount(group); ++row)
            amounts.push_back(exactText(tree.model()->index(row, 2, group)).toDouble());
        return amounts;
    }
};

}  // namespace

TEST_CASE("link users: the first click on amounts brings the greatest of each group to the top")
{
    Shown shown;
    REQUIRE(shown.tree.model()->rowCount() == 3);
    shown.clickTitle(2);
    for (const char* title : {"Links", "Routes", "Pairs of ranks"}) {
        INFO(title);
        const std::vector<double> amounts = shown.amountsOf(shown.group(title));
        REQUIRE(amounts.size() > 2);
        CHECK(std::is_sorted(amounts.rbegin(), amounts.rend()));
        CHECK(amounts.front() > amounts.back());
    }
    shown.clickTitle(2);
    const std::vector<double> amounts = shown.amountsOf(shown.group("Pairs of ranks"));
    CHECK(std::is_sorted(amounts.begin(), amounts.end()));
}

TEST_CASE("link users: pairs of ranks go by either rank")
{
    Shown shown;
    const QModelIndex pairs = shown.group("Pairs of ranks");
    REQUIRE(shown.tree.model()->rowCount(pairs) == 16);
    for (const int column : {0, 1}) {
        shown.clickTitle(column);
        for (int row = 0; row < 16; ++row)
            CHECK(shown.tree.model()->index(row, column, pairs).data().toString()
                  == QString("Rank %1").arg(row));
    }
}

TEST_CASE("link users: what is copied has a header and exact numbers")
{
    Shown shown;
    const QModelIndex pairs = shown.group("Pairs of ranks");
    shown.clickTitle(0);
    shown.tree.setCurrentIndex(shown.tree.model()->index(3, 0, pairs));
    const QStringList lines = selectedRowsText(shown.tree).split('\n');
    REQUIRE(lines.size() == 2);
    CHECK(lines[0] == "Over the selected links\tTo\tAmount [bytes]\t% of all");
    const QStringList cells = lines[1].split('\t');
    REQUIRE(cells.size() == 4);
    CHECK(cells[0] == "Rank 3");
    CHECK(cells[1] == "Rank 4");
    CHECK(cells[2] == "3100");
    double all = 0;
    for (std::uint32_t rank = 0; rank < 16; ++rank) all += 1000 * (rank % 5) + 100;
    CHECK(cells[3].toDouble() == Approx(100 * 3100 / all));
}

TEST_CASE("link users: a row that is selected stays so when the order changes")
{
    Shown shown;
    const QModelIndex pairs = shown.group("Pairs of ranks");
    shown.clickTitle(0);
    shown.tree.setCurrentIndex(shown.tree.model()->index(9, 0, pairs));
    shown.clickTitle(2);
    CHECK(shown.tree.currentIndex().data().toString() == "Rank 9");
    CHECK(shown.tree.currentIndex().parent().data() == pairs.data());
}

}  // namespace skein::link_users_tree_test
