// What the parts of the Pinocchio side share. Each part is compiled on its own: together they would need several minutes
// and gigabytes in one translation unit.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "model.hpp"

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct State
{
  VectorXd q, v, a, tau;
};

/// A quantity: `run` computes it at one state, `read` gives the numbers to compare, row by row.
struct Quantity
{
  std::string name;
  std::function<void(size_t)> loop;
  std::function<VectorXd(size_t)> check;
};

struct Bench
{
  Model model;
  Data data;
  std::vector<State> states;
  std::vector<Quantity> quantities;

  /// The call is inlined into the loop over states, so that std::function costs once per round and not per call.
  template<class Run, class Read> void add(const char * name, Run run, Read read)
  {
    quantities.push_back(
      {name,
       [this, run](size_t n) {
         for (size_t i = 0; i < n; ++i)
         {
           run(states[i]);
           asm volatile("" : : "g"(&data) : "memory");
         }
       },
       [this, run, read](size_t i) {
         run(states[i]);
         return VectorXd(read(states[i]));
       }});
  }
};

inline VectorXd by_rows(const MatrixXd & m)
{
  const MatrixXd t = m.transpose();
  return Eigen::Map<const VectorXd>(t.data(), t.size());
}

inline VectorXd joined(const VectorXd & a, const VectorXd & b)
{
  VectorXd both(a.size() + b.size());
  both << a, b;
  return both;
}

/// Pinocchio fills the upper triangle only.
inline MatrixXd full(const MatrixXd & upper)
{
  return upper.selfadjointView<Eigen::Upper>();
}

void add_matrices(Bench &);
void add_derivatives(Bench &);
void add_regressor(Bench &);
