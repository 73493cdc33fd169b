// Inverse dynamics, mass matrix, Coriolis matrix, gravity, forward dynamics.
#include "bench.hpp"
#include "pinocchio/algorithm/aba.hpp"
#include "pinocchio/algorithm/cholesky.hpp"
#include "pinocchio/algorithm/crba.hpp"
#include "pinocchio/algorithm/rnea.hpp"

namespace pin = pinocchio;

void add_matrices(Bench & b)
{
  const Model & model = b.model;
  Data & data = b.data;
  b.add(
    "inverse_dynamics", [&](const State & s) { pin::rnea(model, data, s.q, s.v, s.a); },
    [&](const State &) { return data.tau; });
  b.add(
    "mass_matrix", [&](const State & s) { pin::crba(model, data, s.q); },
    [&](const State &) { return by_rows(full(data.M)); });
  b.add(
    "gravity", [&](const State & s) { pin::computeGeneralizedGravity(model, data, s.q); },
    [&](const State &) { return data.g; });
  // Factorisations of the Coriolis forces differ between libraries; their product with the velocity does not.
  b.add(
    "coriolis_matrix", [&](const State & s) { pin::computeCoriolisMatrix(model, data, s.q, s.v); },
    [&](const State & s) { return data.C * s.v; });
  b.add(
    "dynamic_matrices",
    [&](const State & s) {
      pin::crba(model, data, s.q);
      pin::computeCoriolisMatrix(model, data, s.q, s.v);
      pin::computeGeneralizedGravity(model, data, s.q);
    },
    [&](const State & s) { return joined(by_rows(full(data.M)), joined(data.C * s.v, data.g)); });
  b.add(
    "articulated_body", [&](const State & s) { pin::aba(model, data, s.q, s.v, s.tau); },
    [&](const State &) { return data.ddq; });
  b.add(
    "forward_dynamics",
    [&](const State & s) {
      pin::nonLinearEffects(model, data, s.q, s.v);
      pin::crba(model, data, s.q);
      data.ddq = s.tau - data.nle;
      pin::cholesky::decompose(model, data);
      pin::cholesky::solve(model, data, data.ddq);
    },
    [&](const State &) { return data.ddq; });
}
