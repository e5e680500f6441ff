// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/filter_menu.h"

#include "algorithms/comm/message_filter.h"
#include "core/base/units.h"
#include "core/definitions/location_attributes.h"
#include "core/select/filters.h"
#include "core/select/translate.h"
#include "views/common/scene/regions/region_groups.h"
#include "views/common/selection_model.h"
#include "views/common/table/region_text.h"

#include <QInputDialog>
#include <QMenu>
#include <QPointer>

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace skein {
namespace {

constexpr int kLongestMenuName = 40;
constexpr qsizetype kAttributesNamed = 16;

QString shortenedForMenu(const QString& text)
{
    if (text.size() <= kLongestMenuName) return text;
    return text.left(kLongestMenuName / 2) + "…" + text.right(kLongestMenuName / 2 - 1);
}

/// "MPI_Send", or "3 regions".
QString regionsName(const Session& session, const std::vector<RegionRef>& regions)
{
    std::set<std::string> names;
    for (const RegionRef& region : regions)
        if (exists(session, region))
            names.insert(session.experiments[region.experiment]->definitions.region(region.id).name);
    if (names.size() == 1) return shortenedForMenu(shortRegionName(*names.begin()));
    return QObject::tr("%1 regions").arg(names.size());
}

QString textOf(FilterEffect effect, const QString& what)
{
    const QString plain = QString(what).replace("&", "&&");
    return effect == FilterEffect::Hide ? QObject::tr("Hide %1").arg(plain)
                                        : QObject::tr("Show only %1").arg(plain);
}

bool anyMessages(const Session& session)
{
    return std::any_of(session.experiments.begin(), session.experiments.end(), [](const ExperimentPtr& each) {
        return each->trace && !each->trace->messages.empty();
    });
}

class FilterMenu {
public:
    FilterMenu(QMenu& menu, SelectionModel& selection, SessionPtr session, QWidget* window)
        : menu_(menu), selection_(selection), session_(std::move(session)), window_(window)
    {
    }

    void addRegions(const std::vector<RegionRef>& chosen)
    {
        if (chosen.empty()) return;
        const auto regions = namesakes(*session_, chosen);
        const QString what = regionsName(*session_, chosen);
        for (const FilterEffect effect : kEffects)
            add(textOf(effect, what), regionFilter(effect, what.toStdString(), regions));
        const RegionGroups groups(*session_, selection_.state().grouping);
        std::set<std::uint32_t> found;
        for (const RegionRef& region : chosen)
            if (exists(*session_, region)) found.insert(groups.of(region));
        if (found.size() == 1) addGroup(groups, *found.begin());
    }

    void addLocations(const std::vector<LocationRef>& locations, const QString& what)
    {
        if (locations.empty()) return;
        menu_.addSeparator();
        for (const FilterEffect effect : kEffects)
            add(textOf(effect, what), locationFilter(effect, what.toStdString(), locations));
    }

    void addSpan(const std::optional<TimeSpan>& span)
    {
        if (!span || span->empty()) return;
        menu_.addSeparator();
        const QString length = QString::fromStdString(formatDuration(static_cast<double>(span->lengthNs())));
        add(QObject::tr("Show only the marked %1").arg(length), spanFilter(*span));
    }

    void addPatterns()
    {
        menu_.addSeparator();
        addPattern({FilterEffect::Hide, Named::Regions}, QObject::tr("Hide Regions by Name…"));
        addPattern({FilterEffect::Keep, Named::Regions}, QObject::tr("Show Only Regions by Name…"));
        addPattern({FilterEffect::Hide, Named::Locations}, QObject::tr("Hide Locations by Name…"));
        addPattern({FilterEffect::Keep, Named::Locations}, QObject::tr("Show Only Locations by Name…"));
        addAttributes(FilterEffect::Hide, QObject::tr("Hide Locations by Attributes…"));
        addAttributes(FilterEffect::Keep, QObject::tr("Show Only Locations by Attributes…"));
        addMessages(FilterEffect::Hide, QObject::tr("Hide Messages by Attributes…"));
        addMessages(FilterEffect::Keep, QObject::tr("Show Only Messages by Attributes…"));
        if (selection_.state().filters.empty()) return;
        QObject::connect(menu_.addAction(QObject::tr("Remove All Filters")), &QAction::triggered, &selection_,
                         [&selection = selection_] { selection.setFilters({}, nullptr); });
    }

private:
    static constexpr FilterEffect kEffects[] = {FilterEffect::Hide, FilterEffect::Keep};

    void add(const QString& text, const Filter& filter)
    {
        QObject::connect(menu_.addAction(text), &QAction::triggered, &selection_,
                         [&selection = selection_, filter] { selection.addFilter(filter, nullptr); });
    }

    void addGroup(const RegionGroups& groups, std::uint32_t group)
    {
        const std::string& label = groups.list()[group].name;
        const auto regions = regionsOfGroup(groups, group);
        for (const FilterEffect effect : kEffects)
            add(textOf(effect, QObject::tr("all of %1").arg(QString::fromStdString(label))),
                regionFilter(effect, label, regions));
    }

    enum class Named { Regions, Locations };
    struct PatternFilter {
        FilterEffect effect;
        Named named;
    };

    void addPattern(PatternFilter asked, const QString& text)
    {
        QObject::connect(menu_.addAction(text), &QAction::triggered, &selection_,
                         [asked, text, &selection = selection_, session = session_, window = window_] {
                             askForPattern(asked, text, selection, session, window);
                         });
    }

    /// `title`: the text of the action that asks. `use` gets what was written, without blanks around it;
    /// nothing is used of an empty line.
    template <typename Use>
    static void ask(QWidget* window, QString title, const QString& question, SelectionModel& selection,
                    Use use)
    {
        auto* dialog = new QInputDialog(window);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setWindowTitle(title.remove("…"));
        dialog->setLabelText(question);
        QObject::connect(dialog, &QInputDialog::textValueSelected, &selection, [use](const QString& written) {
            if (const QString text = written.trimmed(); !text.isEmpty()) use(text.toStdString());
        });
        dialog->open();
    }

    static void askForPattern(PatternFilter asked, const QString& title, SelectionModel& selection,
                              const SessionPtr& session, QWidget* window)
    {
        ask(window, title, QObject::tr("Part of the name, or a pattern with * and ?"), selection,
            [asked, &selection, session](const std::string& pattern) {
                addMatching(asked, pattern, selection, *session);
            });
    }

    void addAttributes(FilterEffect effect, const QString& text)
    {
        QObject::connect(menu_.addAction(text), &QAction::triggered, &selection_,
                         [effect, text, &selection = selection_, session = session_, window = window_] {
                             askForAttributes(effect, text, selection, session, window);
                         });
    }

    static void askForAttributes(FilterEffect effect, const QString& title, SelectionModel& selection,
                                 const SessionPtr& session, QWidget* window)
    {
        ask(window, title,
            QObject::tr("Conditions, all of which have to hold: kind=CPU*; node=n1|n2; rank<8\n"
                        "Attributes are %1.")
                .arg(attributesOf(*session)),
            selection, [effect, &selection, session](const std::string& conditions) {
                addLike(effect, conditions, selection, *session);
            });
    }

    void addMessages(FilterEffect effect, const QString& text)
    {
        if (!anyMessages(*session_)) return;
        QObject::connect(menu_.addAction(text), &QAction::triggered, &selection_,
                         [effect, text, &selection = selection_, window = window_] {
                             askForMessages(effect, text, selection, window);
                         });
    }

    static void askForMessages(FilterEffect effect, const QString& title, SelectionModel& selection,
                               QWidget* window)
    {
        ask(window, title,
            QObject::tr("Conditions, all of which have to hold: tag=100|101; bytes>4096; within=exchange*\n"
                        "Attributes are %1.")
                .arg(QString::fromStdString(messageAttributesText())),
            selection, [effect, &selection](const std::string& conditions) {
                addMessagesLike(effect, conditions, selection);
            });
    }

    static void addMessagesLike(FilterEffect effect, const std::string& text, SelectionModel& selection)
    {
        auto conditions = parseAttributeConditions(text);
        if (!conditions) return selection.say(QString::fromStdString(conditions.error().text()));
        if (const auto known = checkMessageConditions(*conditions); !known)
            return selection.say(QString::fromStdString(known.error().text()));
        selection.addFilter(messageFilter(effect, std::move(*conditions)), nullptr);
    }

    static QString attributesOf(const Session& session)
    {
        QStringList names;
        for (const ExperimentPtr& experiment : session.experiments)
            for (const std::string& name : locationAttributeNames(experiment->definitions))
                if (const QString own = QString::fromStdString(name);
                    names.size() <= kAttributesNamed && !names.contains(own, Qt::CaseInsensitive))
                    names.append(own);
        if (names.size() > kAttributesNamed) names.back() = "…";
        return names.join(", ");
    }

    static void addLike(FilterEffect effect, const std::string& text, SelectionModel& selection,
                        const Session& session)
    {
        const auto conditions = parseAttributeConditions(text);
        if (!conditions) return selection.say(QString::fromStdString(conditions.error().text()));
        const auto found = locationsLike(session, *conditions);
        if (!found) return selection.say(QString::fromStdString(found.error().text()));
        const std::string what = fmt::format("“{}”", textOf(*conditions));
        if (found->empty())
            return selection.say(QObject::tr("No location is like %1").arg(QString::fromStdString(what)));
        selection.addFilter(locationFilter(effect, what, *found), nullptr);
    }

    static void addMatching(PatternFilter asked, const std::string& pattern, SelectionModel& selection,
                            const Session& session)
    {
        const std::string what = fmt::format("“{}”", pattern);
        const Filter filter = asked.named == Named::Regions
            ? regionFilter(asked.effect, what, regionsMatching(session, pattern))
            : locationFilter(asked.effect, what, locationsMatching(session, pattern));
        if (!filter.regions.empty() || !filter.locations.empty()) return selection.addFilter(filter, nullptr);
        const QString nothing = asked.named == Named::Regions ? QObject::tr("No region has a name like %1")
                                                              : QObject::tr("No location has a name like %1");
        selection.say(nothing.arg(QString::fromStdString(what)));
    }

    QMenu& menu_;
    SelectionModel& selection_;
    SessionPtr session_;
    QPointer<QWidget> window_;
};

}  // namespace

void addFilterActions(QMenu& menu, SelectionModel& selection, const SessionPtr& session,
                      const FilterSubject& subject, QWidget* window)
{
    if (!session) return;
    FilterMenu filters(menu, selection, session, window);
    filters.addRegions(subject.regions);
    filters.addLocations(subject.locations, subject.locationsName);
    filters.addSpan(subject.span);
    filters.addPatterns();
}

void addTreeExport(QMenu& menu, const QWidget& view)
{
    auto* action = view.window()->findChild<QAction*>("file.exportTree");
    if (action == nullptr) return;
    if (!menu.isEmpty()) menu.addSeparator();
    menu.addAction(action);
}

}  // namespace skein
