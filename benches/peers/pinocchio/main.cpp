// Pinocchio's side of the comparison: a server on standard input, so that the two libraries take turns.
//
//   pinocchio-bench MODEL STATES          MODEL and STATES as `jourdain-peers export` writes them
//
//   check NAME I            prints the numbers of the quantity at state I
//   time NAME BATCHES US    runs batches of at least US microseconds, prints the smallest time per call, ns
//
// Another form, `pinocchio-bench MODEL STATES NAME N`, makes N calls and ends: what ../count.cpp looks at.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "bench.hpp"

using Clock = std::chrono::steady_clock;

static VectorXd read_vector(std::istream & in, int n)
{
  VectorXd v(n);
  for (int i = 0; i < n; ++i)
    if (!(in >> v[i])) throw std::runtime_error("too few numbers in the file of states");
  return v;
}

static std::vector<State> read_states(const std::string & file, const Model & model)
{
  std::ifstream in(file);
  size_t count;
  if (!(in >> count)) throw std::runtime_error("cannot read " + file);
  std::vector<State> states;
  for (size_t i = 0; i < count; ++i)
  {
    State s;
    s.q = read_vector(in, model.nq);
    s.v = read_vector(in, model.nv);
    s.a = read_vector(in, model.nv);
    s.tau = read_vector(in, model.nv);
    for (int derivative = 3; derivative <= 4; ++derivative) read_vector(in, model.nv); // of q, for other peers
    states.push_back(s);
  }
  return states;
}

static const Quantity & find(const Bench & bench, const std::string & name)
{
  for (const Quantity & quantity : bench.quantities)
    if (quantity.name == name) return quantity;
  throw std::runtime_error("no quantity " + name);
}

static double nanoseconds(const Quantity & quantity, size_t states, size_t rounds)
{
  const auto start = Clock::now();
  for (size_t r = 0; r < rounds; ++r) quantity.loop(states);
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

static double fastest(const Quantity & quantity, size_t states, size_t batches, double microseconds)
{
  quantity.loop(states);
  const double once = std::max(nanoseconds(quantity, states, 1), 1.0);
  const size_t rounds = 1 + size_t(1e3 * microseconds / once);
  double best = 1e300;
  for (size_t b = 0; b < batches; ++b)
    best = std::min(best, nanoseconds(quantity, states, rounds) / double(rounds * states));
  return best;
}

static void call(const Bench & bench, const Quantity & quantity, size_t calls)
{
  for (size_t left = calls; left > 0;)
  {
    const size_t n = std::min(left, bench.states.size());
    quantity.loop(n);
    left -= n;
  }
}

static int serve(int argc, char ** argv)
{
  if (argc != 3 && argc != 5) throw std::runtime_error("usage: pinocchio-bench MODEL STATES [NAME CALLS]");
  const Model model = read_model(argv[1]);
  Bench bench{model, Data(model), {}, {}};
  bench.states = read_states(argv[2], bench.model);
  add_matrices(bench);
  add_derivatives(bench);
  add_regressor(bench);
  if (argc == 5)
  {
    const Quantity & quantity = find(bench, argv[3]);
    call(bench, quantity, 1);
    std::puts("begin");
    std::fflush(stdout);
    call(bench, quantity, std::strtoul(argv[4], nullptr, 10));
    std::_Exit(0); // without the clean-up, which is longer than a call
  }
  std::string command, name;
  while (std::cin >> command >> name)
  {
    const Quantity & quantity = find(bench, name);
    if (command == "check")
    {
      size_t index = 0;
      std::cin >> index;
      const VectorXd numbers = quantity.check(index);
      for (int i = 0; i < numbers.size(); ++i) std::printf("%.17g ", numbers[i]);
    }
    else if (command == "time")
    {
      size_t batches = 0;
      double microseconds = 0;
      std::cin >> batches >> microseconds;
      std::printf("%.3f", fastest(quantity, bench.states.size(), batches, microseconds));
    }
    else throw std::runtime_error("no command " + command);
    std::printf("\n");
    std::fflush(stdout);
  }
  return 0;
}

int main(int argc, char ** argv)
{
  try
  {
    return serve(argc, argv);
  }
  catch (const std::exception & error)
  {
    std::fprintf(stderr, "pinocchio-bench: %s\n", error.what());
    return 1;
  }
}
