// Partial derivatives of inverse and forward dynamics, and the inverse of the mass matrix.
#include "bench.hpp"
#include "pinocchio/algorithm/aba-derivatives.hpp"
#include "pinocchio/algorithm/aba.hpp"
#include "pinocchio/algorithm/rnea-derivatives.hpp"

namespace pin = pinocchio;

void add_derivatives(Bench & b)
{
  const Model & model = b.model;
  Data & data = b.data;
  b.add(
    "inverse_dynamics_partials", [&](const State & s) { pin::computeRNEADerivatives(model, data, s.q, s.v, s.a); },
    [&](const State &) { return joined(by_rows(data.dtau_dq), by_rows(data.dtau_dv)); });
  b.add(
    "mass_matrix_inverse", [&](const State & s) { pin::computeMinverse(model, data, s.q); },
    [&](const State &) { return by_rows(full(data.Minv)); });
  b.add(
    "forward_dynamics_partials", [&](const State & s) { pin::computeABADerivatives(model, data, s.q, s.v, s.tau); },
    [&](const State &) { return joined(by_rows(data.ddq_dq), by_rows(data.ddq_dv)); });
}
