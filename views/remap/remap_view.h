// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "views/common/view.h"
#include "views/remap/remap_scene.h"

#include <QTimer>

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLayout;
class QLineEdit;
class QListWidget;
class QListWidgetItem;
class QPushButton;
class QSpinBox;

namespace skein {

class CandidateList;
class CellTable;
class ElidedLabel;
class RemapCanvas;

/// Finds a better placement: says first whether it is worth it, searches on another thread while the best is
/// drawn against time, is stopped and goes on, keeps several candidates by name, tells before and after, and
/// writes the launcher's file.
class RemapView : public View {
    Q_OBJECT

public:
    explicit RemapView(const ViewContext& context, QWidget* parent = nullptr);
    ~RemapView() override;

    void setSession(SessionPtr session) override;
    std::optional<DrawList> drawnPicture(int width, int height) const override;
    /// The candidates that were kept, the newest last. They are part of the session.
    const std::vector<RemapCandidatePtr>& candidates() const;

protected:
    void showEvent(QShowEvent* event) override;

private:
    /// What the searching thread tells; read by the timer.
    struct Live {
        std::mutex mutex;
        std::vector<MappingProgress> curve;
        std::vector<std::uint32_t> better;  ///< the best placement that no view has been told of; empty: none
        std::stop_source stop;
    };
    enum class From { Placement, Candidate };

    QWidget* makeForm();
    struct RankFieldTexts {
        QString label, meaning, example;
        QString nothing = tr("No rank is selected in any view.");
    };
    QLineEdit* addRanks(QFormLayout& form, const char* name, const RankFieldTexts& texts,
                        const std::function<QString(const QString&)>& add);
    void addCandidates(QFormLayout& form);
    QLayout* makeBar();
    void layOut();
    QString selectedRanks() const;
    std::optional<QString> otherRanks() const;
    QString selectedNodes() const;
    Result<RemapRequest> request() const;
    void compute();
    void takeWorth(const RemapWorth& worth);
    void search(From from);
    void take(Result<RemapCandidatePtr> candidate);
    void takeFoundLate();
    void listCandidates();
    void listCandidate(const RemapCandidate& candidate, int row);
    void rename(QListWidgetItem* item);
    void pick(std::size_t point);
    void showLive();
    void tellTrial(const std::string& name, std::vector<std::uint32_t> slotOfRank);
    void showCandidate();
    void showFigures();
    void say(const QString& problem);
    void writeMap();
    RemapCandidatePtr chosen() const;
    void enable();

    SessionPtr session_;
    std::uint32_t experiment_ = 0;
    SessionCommunicationPtr communication_;
    std::optional<RemapWorth> worth_;
    CandidateList* candidates_ = nullptr;
    QString unfit_;  ///< which candidate of the session does not fit, and why
    std::shared_ptr<Live> live_;
    RemapCandidatePtr foundLate_;             ///< while the panels were between two sessions
    std::weak_ptr<const CallTree> searched_;  ///< of the run that is or was searched
    ElidedLabel* head_ = nullptr;
    QLabel* worthWords_ = nullptr;
    QLabel* problem_ = nullptr;
    QComboBox* objective_ = nullptr;
    QDoubleSpinBox* seconds_ = nullptr;
    QSpinBox* seed_ = nullptr;
    QLineEdit* pinned_ = nullptr;
    QLineEdit* together_ = nullptr;
    QLineEdit* apart_ = nullptr;
    QLineEdit* freeNodes_ = nullptr;
    QSpinBox* capacity_ = nullptr;
    QSpinBox* maxMoved_ = nullptr;
    QComboBox* nodes_ = nullptr;
    QPushButton* start_ = nullptr;
    QPushButton* stop_ = nullptr;
    QPushButton* goOn_ = nullptr;
    QPushButton* write_ = nullptr;
    QListWidget* list_ = nullptr;
    QComboBox* compared_ = nullptr;
    CellTable* figures_ = nullptr;
    bool figuresOfCandidate_ = false;  ///< else of the placement as it is alone
    RemapCanvas* canvas_ = nullptr;
    QTimer delay_;
    bool stale_ = false;  ///< something changed that nobody has seen yet
    QTimer tick_;
};

}  // namespace skein
