//! Quantities of one robot that are wanted again and again while its position moves: numbers in, numbers out.

use jourdain::kinematics;
use jourdain::model::Model;
use jourdain::quantity::{Path, Quantity};
use jourdain::spatial::Pose;
use jourdain::state::{Input, Inputs};
use jourdain::{State, Workspace};
use jourdain_kit::problem::Problem;
use serde_json::{Value, json};
use std::ops::Range;
use std::sync::Arc;

/// A plan. Its inputs and outputs stay where they are in memory as long as it lives.
pub struct Plan {
    model: Arc<Model<f64>>,
    names: Vec<String>,
    quantities: Vec<Quantity>,
    vectors: Vec<(Input, Range<usize>)>,
    inputs: Box<[f64]>,
    places: Vec<Range<usize>>,
    outputs: Box<[f64]>,
    poses: Vec<Pose<f64>>,
    workspace: Workspace<f64>,
    failures: Vec<(Option<usize>, Problem)>,
}

/// Numbers of a pose.
const POSE: usize = 16;

impl Plan {
    /// Prepares quantities of these names; the poses of all links come with them.
    ///
    /// # Errors
    /// A quantity that the robot does not have.
    pub fn new(model: Arc<Model<f64>>, names: &[String]) -> Result<Self, Problem> {
        let quantities: Vec<Quantity> =
            names.iter().map(|name| Quantity::parse(name, &model)).collect::<Result<_, _>>()?;
        let read = |input: &Input| {
            *input == Input::Position || quantities.iter().any(|quantity| quantity.reads().contains(*input))
        };
        let mut count = 0;
        let mut next = |length: usize| {
            count += length;
            count - length..count
        };
        let vectors: Vec<_> =
            Input::vectors().filter(read).filter_map(|input| Some((input, next(input.length(&model)?)))).collect();
        let inputs = vec![0.0; vectors.last().map_or(0, |(_, range)| range.end)].into_boxed_slice();
        let mut end = POSE * model.links().len();
        let mut places = Vec::with_capacity(quantities.len());
        for quantity in &quantities {
            let size = quantity.entry().shape.size(&model);
            places.push(end..end + size);
            end += size;
        }
        let mut plan = Self {
            names: names.to_vec(),
            quantities,
            vectors,
            inputs,
            places,
            outputs: vec![0.0; end].into_boxed_slice(),
            poses: vec![Pose::identity(); model.links().len()],
            workspace: Workspace::new(&model),
            failures: Vec::new(),
            model,
        };
        let neutral = plan.model.neutral::<f64>();
        plan.inputs[..neutral.len()].copy_from_slice(&neutral);
        Ok(plan)
    }

    /// The vectors it reads and what it gives, each with its place.
    #[must_use]
    pub fn facts(&self) -> Value {
        let inputs: Vec<Value> = self
            .vectors
            .iter()
            .map(|(input, range)| json!({ "name": input.key(), "length": range.len(), "offset": range.start }))
            .collect();
        let poses = json!({
            "name": "poses", "shape": [self.poses.len(), 4, 4], "offset": 0, "unit": "m", "symbol": "T", "latex": "T",
        });
        let quantities = self.quantities.iter().zip(&self.names).zip(&self.places).map(|((quantity, name), place)| {
            let [symbol, latex] = quantity.symbol();
            json!({
                "name": name, "shape": quantity.entry().shape.lengths(&self.model), "offset": place.start,
                "unit": quantity.unit_text(), "symbol": symbol, "latex": latex,
            })
        });
        json!({ "inputs": inputs, "outputs": std::iter::once(poses).chain(quantities).collect::<Vec<_>>() })
    }

    /// Where inputs are written; at first the position with every joint at zero.
    pub fn inputs_mut(&mut self) -> &mut [f64] {
        &mut self.inputs
    }

    /// Where outputs are read.
    #[must_use]
    pub fn outputs(&self) -> &[f64] {
        &self.outputs
    }

    /// Computes everything at the inputs and returns how many quantities could not be had: their numbers are NaN, and
    /// [`failures`](Self::failures) says why. Wrenches, and derivatives of the position above the fourth, are zero.
    pub fn run(&mut self) -> usize {
        self.failures.clear();
        let mut inputs = Inputs::default();
        self.vectors.iter().for_each(|(input, range)| inputs.set(*input, &self.inputs[range.clone()]));
        let state = match inputs.state(&self.model, 0, 1) {
            Ok(state) => state,
            Err(error) => {
                self.outputs.fill(f64::NAN);
                self.failures.push((None, Problem::new("bad-state", error.to_string())));
                return 1;
            }
        };
        kinematics::poses_into(&self.model, &state.q, &mut self.poses);
        for (pose, out) in self.poses.iter().zip(self.outputs.chunks_mut(POSE)) {
            out.copy_from_slice(pose.to_matrix().as_flattened());
        }
        for number in 0..self.quantities.len() {
            self.fill(number, &state);
        }
        self.failures.len()
    }

    fn fill(&mut self, number: usize, state: &State<f64>) {
        let out = &mut self.outputs[self.places[number].clone()];
        match self.quantities[number].evaluate(Path::Fast, &self.model, state, &mut self.workspace) {
            Ok(numbers) => out.copy_from_slice(&numbers),
            Err(error) => {
                out.fill(f64::NAN);
                self.failures.push((Some(number), error.into()));
            }
        }
    }

    /// What could not be had in the last run, and why: `[{"quantity": name, "error": …}]`; the name is null if it is the state.
    #[must_use]
    pub fn failures(&self) -> Value {
        let failure = |(number, problem): &(Option<usize>, Problem)| json!({ "quantity": number.map(|number| &self.names[number]), "error": problem.to_json()["error"] });
        self.failures.iter().map(failure).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jourdain::robots;

    fn plan(robot: &str, names: &[&str]) -> Plan {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        Plan::new(Arc::new(robots::load(robot).unwrap()), &names).unwrap()
    }

    #[test]
    fn outputs_are_the_numbers_of_the_library() {
        for robot in robots::ALL {
            let mut plan = plan(robot.name, &["M", "gravity", "inverse_dynamics"]);
            let model = Arc::clone(&plan.model);
            let mut q = model.neutral::<f64>();
            let turn: Vec<f64> = (0..model.nv()).map(|i| (1.0 + i as f64).sin()).collect();
            model.retract(&mut q, &turn);
            plan.inputs_mut()[..q.len()].copy_from_slice(&q);
            for (place, x) in plan.inputs_mut()[q.len()..].iter_mut().enumerate() {
                *x = (0.3 * place as f64).cos();
            }
            assert_eq!(plan.run(), 0, "{}", robot.name);
            let (nq, nv) = (model.nq(), model.nv());
            let at = Inputs {
                q: &plan.inputs[..nq],
                qd: &plan.inputs[nq..nq + nv],
                qdd: &plan.inputs[nq + nv..],
                ..Inputs::default()
            };
            let mut evaluator = jourdain::Evaluator::new(&model);
            let poses = kinematics::poses(&model, &at.state(&model, 0, 1).unwrap().q);
            let mut expected: Vec<f64> =
                poses.iter().flat_map(|pose| pose.to_matrix().as_flattened().to_vec()).collect();
            for name in ["mass_matrix", "gravity", "inverse_dynamics"] {
                expected.extend(evaluator.evaluate(name, &at).unwrap());
            }
            assert_eq!(plan.outputs(), expected, "{}", robot.name);
        }
    }

    #[test]
    fn a_quantity_that_cannot_be_had_leaves_the_others() {
        let mut plan = plan("planar2r", &["gravity", "mass_matrix_inverse"]);
        let facts = plan.facts();
        assert_eq!(facts["inputs"], json!([{ "name": "q", "length": 2, "offset": 0 }]));
        assert_eq!(facts["outputs"][2]["shape"], json!([2, 2]));
        assert_eq!(plan.run(), 0);
        plan.inputs_mut()[0] = f64::NAN;
        assert_eq!(plan.run(), 1);
        assert_eq!(plan.failures()[0]["error"]["kind"], "bad-state");
        let massless = "name = \"m\"\n[[link]]\nname = \"a\"\njoint = { type = \"revolute\" }";
        let model: Model = massless.parse().unwrap();
        let mut plan = Plan::new(Arc::new(model), &["gravity".to_owned(), "mass_matrix_inverse".to_owned()]).unwrap();
        assert_eq!(plan.run(), 1);
        assert_eq!(plan.failures()[0]["quantity"], "mass_matrix_inverse");
        assert!(plan.outputs()[16] == 0.0 && plan.outputs()[17].is_nan());
    }
}
