// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "views/common/view.h"

class QComboBox;

namespace skein {

class BehaviorCanvas;
class BehaviorModel;
class ScopeHead;

/// When did behaviour change, and who behaves alike? A metric over time, a line an entity.
class BehaviorView : public View {
    Q_OBJECT

public:
    explicit BehaviorView(const ViewContext& context, QWidget* parent = nullptr);

    void setSession(SessionPtr session) override;
    std::vector<KeyHint> keyHints() const override;
    std::optional<DrawList> drawnPicture(int width, int height) const override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    QComboBox* addChoice(const char* name, const QString& label, const QStringList& items);
    void fillWhenLookedAt();
    void fillChoices();
    void ask();
    void fillRegions();
    void present();

    SessionPtr session_;
    bool filled_ = false;  ///< the choices are those of the session
    BehaviorModel& model_;
    ScopeHead* head_ = nullptr;
    BehaviorCanvas* canvas_ = nullptr;
    QComboBox* metric_ = nullptr;
    QComboBox* per_ = nullptr;
    QComboBox* bins_ = nullptr;
    QComboBox* clusters_ = nullptr;
    QComboBox* alpha_ = nullptr;
};

}  // namespace skein
