// The regressor of inverse dynamics.
#include "bench.hpp"
#include "pinocchio/algorithm/regressor.hpp"

namespace pin = pinocchio;

void add_regressor(Bench & b)
{
  const Model & model = b.model;
  Data & data = b.data;
  // The columns are in another order than jourdain's, and fixed links have none; their product with the parameters is the
  // same.
  b.add(
    "regressor", [&](const State & s) { pin::computeJointTorqueRegressor(model, data, s.q, s.v, s.a); },
    [&](const State &) {
      VectorXd parameters(10 * (model.njoints - 1));
      for (int i = 1; i < model.njoints; ++i)
        parameters.segment<10>(10 * (i - 1)) = model.inertias[size_t(i)].toDynamicParameters();
      return VectorXd(data.jointTorqueRegressor * parameters);
    });
}
