// Reads the model that `jourdain-peers` writes (see rust/src/export.rs) into a Pinocchio model.
#pragma once
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "pinocchio/multibody.hpp"

// Pinocchio's own joint variant has 25 alternatives, and every algorithm is instantiated for each of them. These seven are
// all that the robots here need; with them the build takes minutes less and the calls are as fast.
template<typename S, int O> struct JointsTpl
{
  typedef S Scalar;
  static constexpr int Options = O;
  typedef boost::variant<
    pinocchio::JointModelRevoluteTpl<S, O, 0>, pinocchio::JointModelRevoluteTpl<S, O, 1>,
    pinocchio::JointModelRevoluteTpl<S, O, 2>, pinocchio::JointModelFreeFlyerTpl<S, O>,
    pinocchio::JointModelPrismaticTpl<S, O, 0>, pinocchio::JointModelPrismaticTpl<S, O, 1>,
    pinocchio::JointModelPrismaticTpl<S, O, 2>> JointModelVariant;
  typedef boost::variant<
    pinocchio::JointDataRevoluteTpl<S, O, 0>, pinocchio::JointDataRevoluteTpl<S, O, 1>,
    pinocchio::JointDataRevoluteTpl<S, O, 2>, pinocchio::JointDataFreeFlyerTpl<S, O>,
    pinocchio::JointDataPrismaticTpl<S, O, 0>, pinocchio::JointDataPrismaticTpl<S, O, 1>,
    pinocchio::JointDataPrismaticTpl<S, O, 2>> JointDataVariant;
};

typedef pinocchio::ModelTpl<double, 0, JointsTpl> Model;
typedef pinocchio::DataTpl<double, 0, JointsTpl> Data;

inline pinocchio::JointModelTpl<double, 0, JointsTpl> joint_of(const std::string & type)
{
  namespace pin = pinocchio;
  typedef pin::JointModelTpl<double, 0, JointsTpl> Joint;
  if (type == "RX") return Joint(pin::JointModelRevoluteTpl<double, 0, 0>());
  if (type == "RY") return Joint(pin::JointModelRevoluteTpl<double, 0, 1>());
  if (type == "RZ") return Joint(pin::JointModelRevoluteTpl<double, 0, 2>());
  if (type == "PX") return Joint(pin::JointModelPrismaticTpl<double, 0, 0>());
  if (type == "PY") return Joint(pin::JointModelPrismaticTpl<double, 0, 1>());
  if (type == "PZ") return Joint(pin::JointModelPrismaticTpl<double, 0, 2>());
  if (type == "FF") return Joint(pin::JointModelFreeFlyerTpl<double, 0>());
  throw std::runtime_error("joint type " + type);
}

inline Model read_model(const std::string & file)
{
  namespace pin = pinocchio;
  std::ifstream in(file);
  if (!in) throw std::runtime_error("cannot open " + file);
  Model model;
  std::string line, word, name, type;
  while (std::getline(in, line))
  {
    std::istringstream fields(line);
    fields >> word;
    if (word == "gravity")
    {
      for (int i = 0; i < 3; ++i) fields >> model.gravity.linear()[i];
      continue;
    }
    size_t parent;
    double x[22];
    fields >> name >> parent >> type;
    for (double & y : x)
      if (!(fields >> y)) throw std::runtime_error("bad line: " + line);
    Eigen::Matrix3d R, I;
    R << x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11];
    I << x[16], x[17], x[18], x[17], x[19], x[20], x[18], x[20], x[21];
    const auto id = model.addJoint(parent, joint_of(type), pin::SE3(R, Eigen::Vector3d(x[0], x[1], x[2])), name);
    model.appendBodyToJoint(id, pin::Inertia(x[12], Eigen::Vector3d(x[13], x[14], x[15]), pin::Symmetric3(I)), pin::SE3::Identity());
  }
  return model;
}
