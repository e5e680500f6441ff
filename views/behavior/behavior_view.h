// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "views/common/behavior_model.h"

class QComboBox;
class QToolButton;

namespace skein {

class BehaviorCanvas;
class ChangeChoices;
class ScopeHead;

/// When did behaviour change, and who behaves alike? A metric over time, a line an entity.
class BehaviorView : public View {
    Q_OBJECT

public:
    explicit BehaviorView(const ViewContext& context, QWidget* parent = nullptr);

    void setSession(SessionPtr session) override;
    BehaviorModel& model() { return model_; }
    std::vector<KeyHint> keyHints() const override;
    std::optional<DrawList> drawnPicture(int width, int height) const override;

protected:
    BehaviorView(const ViewContext& context, BehaviorPlace place, QWidget* parent);
    void showEvent(QShowEvent* event) override;

private:
    std::vector<QComboBox*> choices() const;
    QComboBox* addChoice(const QString& name, const QString& label, const QStringList& items);
    void addFirstChoices();
    void addFindingsChoice();
    void layOut();
    bool isSecond() const { return place_ == BehaviorPlace::Second; }
    QString named(const char* choice) const;
    void fillWhenLookedAt();
    void fillChoices();
    void ask();
    void askFirst();
    void fillEntities();
    void fillRegions();
    void presentOpened();
    void fillSecond();
    void present();

    SessionPtr session_;
    BehaviorPlace place_;
    bool filled_ = false;  ///< the choices are those of the session
    BehaviorModel& model_;
    ScopeHead* head_ = nullptr;
    BehaviorCanvas* canvas_ = nullptr;
    QComboBox* metric_ = nullptr;
    QComboBox* findings_ = nullptr;  ///< of the second alone
    QComboBox* per_ = nullptr;       ///< this and what follows: of the first alone
    QToolButton* out_ = nullptr;
    QComboBox* bins_ = nullptr;
    QComboBox* clusters_ = nullptr;
    ChangeChoices* changes_ = nullptr;
};

}  // namespace skein
