// SPDX-License-Identifier: GPL-3.0-or-later
// Which functions are tried, and how likely each is before anything was measured.
#include "algorithms/scaling/scaling_design.h"
#include "algorithms/scaling/small_fit.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>

namespace skein {
namespace {

/// Before anything was measured: that nothing depends on the parameters; that what grows has a constant part
/// too; that there is a jump at all.
constexpr double kConstantPrior = 0.3;
constexpr double kWithConstantPrior = 0.4;
constexpr double kJumpPrior = 0.1;
constexpr double kOverheadPrior = 0.002;
/// Each parameter more in a product.
constexpr double kFactorPrior = 0.5;
/// Terms from this plainness on are tried beside a falling one.
constexpr double kPlain = 0.45;
constexpr std::size_t kLeastBesideAJump = 2;

ScalingShape constantShape()
{
    ScalingShape shape;
    shape.logPrior = std::log(kConstantPrior);
    return shape;
}

double plainnessOf(const TermProduct& product)
{
    double plainness = 1.0;
    for (const std::uint8_t term : product)
        if (term != 0) plainness *= performanceTerms()[term - 1u].plainness();
    return plainness;
}

/// With and without a constant; `share` is how likely the summands are.
void appendBoth(ScalingShape shape, double share, std::vector<ScalingShape>& out)
{
    const double prior = (1.0 - kConstantPrior) * share;
    shape.constant = true;
    shape.logPrior = std::log(prior * kWithConstantPrior);
    if (shape.columns() <= SmallFit::kMostColumns) out.push_back(shape);
    shape.constant = false;
    shape.logPrior = std::log(prior * (1.0 - kWithConstantPrior));
    out.push_back(shape);
}

/// Every choice of one of `terms` or none for each parameter of the set, which has all of its parameters.
void chooseTerms(std::span<const std::vector<std::uint8_t>> terms, std::vector<TermProduct>& choices)
{
    choices.assign(1, TermProduct{});
    for (std::size_t parameter = 0; parameter < terms.size(); ++parameter) {
        std::vector<TermProduct> longer;
        for (const TermProduct& choice : choices)
            for (const std::uint8_t term : terms[parameter]) {
                TermProduct next = choice;
                next[parameter] = static_cast<std::uint8_t>(term + 1);
                longer.push_back(next);
            }
        choices = std::move(longer);
    }
}

TermProduct masked(const TermProduct& product, unsigned mask)
{
    TermProduct part{};
    for (std::size_t parameter = 0; parameter < product.size(); ++parameter)
        if (mask >> parameter & 1u) part[parameter] = product[parameter];
    return part;
}

/// The sets of parameters whose products are summed: of two parameters all there are, of more the single
/// products, sums of two, and the sum of all parameters alone.
std::vector<std::vector<unsigned>> sumsOfProducts(std::size_t parameters)
{
    const unsigned all = (1u << parameters) - 1u;
    std::vector<std::vector<unsigned>> sums;
    for (unsigned a = 1; a <= all; ++a) {
        sums.push_back({a});
        for (unsigned b = a + 1; b <= all; ++b) sums.push_back({a, b});
    }
    if (parameters == 2) sums.push_back({1u, 2u, 3u});
    if (parameters == 3) sums.push_back({1u, 2u, 4u});
    return sums;
}

}  // namespace

std::vector<ScalingShape> shapesOfOneParameter()
{
    double whole = 0.0;
    for (const PerformanceTerm& term : performanceTerms()) whole += term.plainness();
    std::vector<ScalingShape> shapes{constantShape()};
    for (std::size_t term = 0; term < performanceTerms().size(); ++term) {
        ScalingShape shape;
        shape.products = 1;
        shape.product[0][0] = static_cast<std::uint8_t>(term + 1);
        appendBoth(shape, performanceTerms()[term].plainness() / whole, shapes);
    }
    return shapes;
}

std::vector<ScalingShape> shapesWithOverhead()
{
    const auto terms = performanceTerms();
    std::vector<ScalingShape> shapes;
    for (std::size_t falling = growingTerms(); falling < terms.size(); ++falling)
        for (std::size_t growing = 0; growing < growingTerms(); ++growing) {
            if (terms[growing].plainness() < kPlain) continue;
            ScalingShape shape;
            shape.products = 2;
            shape.product[0][0] = static_cast<std::uint8_t>(falling + 1);
            shape.product[1][0] = static_cast<std::uint8_t>(growing + 1);
            appendBoth(shape, kOverheadPrior * terms[falling].plainness() * terms[growing].plainness(),
                       shapes);
        }
    return shapes;
}

std::vector<ScalingShape> shapesOfParameters(std::span<const std::vector<std::uint8_t>> terms)
{
    std::vector<TermProduct> choices;
    chooseTerms(terms, choices);
    const auto sums = sumsOfProducts(terms.size());
    std::vector<ScalingShape> shapes{constantShape()};
    for (const std::vector<unsigned>& sum : sums) {
        const unsigned used = std::accumulate(sum.begin(), sum.end(), 0u, std::bit_or<>());
        double whole = 0.0;
        std::vector<TermProduct> distinct;
        for (const TermProduct& choice : choices) {
            const TermProduct part = masked(choice, used);
            if (std::find(distinct.begin(), distinct.end(), part) != distinct.end()) continue;
            distinct.push_back(part);
            whole += plainnessOf(part);
        }
        for (const TermProduct& choice : distinct) {
            ScalingShape shape;
            for (const unsigned mask : sum) shape.product[shape.products++] = masked(choice, mask);
            int factors = 0;
            for (const unsigned mask : sum) factors += std::popcount(mask);
            const double share = plainnessOf(choice) / whole / static_cast<double>(sums.size())
                * std::pow(kFactorPrior, factors - 1);
            appendBoth(shape, share, shapes);
        }
    }
    return shapes;
}

void appendJumps(const ScalingShape& shape, const ScalingDesign& design, std::vector<ScalingShape>& out)
{
    for (std::size_t parameter = 0; parameter < design.parameters(); ++parameter) {
        const auto levels = design.levels(parameter);
        if (levels.size() < 2 * kLeastBesideAJump) continue;
        const std::size_t places = levels.size() + 1 - 2 * kLeastBesideAJump;
        for (std::size_t place = 0; place < places; ++place)
            for (const JumpForm form : {JumpForm::Shift, JumpForm::Factor, JumpForm::Both}) {
                ScalingShape jumping = shape;
                jumping.form = form;
                jumping.jumpParameter = static_cast<std::uint8_t>(parameter);
                jumping.below = levels[place + kLeastBesideAJump - 1];
                jumping.logPrior += std::log(kJumpPrior / static_cast<double>(places));
                // Without terms there is nothing that a factor could change; without a constant both are one.
                const bool same = form == JumpForm::Factor ? shape.products == 0
                                                           : form == JumpForm::Both && !shape.constant;
                const bool twice = form == JumpForm::Both && shape.products == 0;
                if (!same && !twice && jumping.columns() <= SmallFit::kMostColumns) out.push_back(jumping);
            }
    }
}

}  // namespace skein
