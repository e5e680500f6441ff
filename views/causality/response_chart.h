// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QChartView>

#include "views/common/scene/data/session_causality.h"

class QAbstractAxis;

namespace skein {

/// How a metric answers to a shock in another one, step by step.
class ResponseChart : public QChartView {
    Q_OBJECT

public:
    explicit ResponseChart(QWidget* parent);

    void show(const SessionCausality& causality, const CausalLink& link);
    void clear();
    QSize sizeHint() const override { return {320, 200}; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void addAxis(const QString& title, double low, double high, Qt::Alignment side);
    void style();
};

}  // namespace skein
