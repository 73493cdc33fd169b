//! Gradients and Hessians against differences, on arms, trees, coupled and quaternion joints.

use super::*;
use crate::formats::{Format, read_str};
use crate::ik::chain::Geometry;
use crate::ik::task::{Equations, Task};
use crate::model::Model;
use crate::random::Random;
use crate::robots;
use crate::spatial::Vector;

const COUPLED: &str = r#"
name = "coupled"
[[link]]
name = "a"
joint = { type = "revolute", axis = [0, 0, 1], limits = [-3, 3] }
[[link]]
name = "b"
origin = { xyz = [0.3, 0, 0.1] }
joint = { type = "prismatic", axis = [1, 0, 0], limits = [-2, 2] }
[[link]]
name = "c"
origin = { xyz = [0.3, 0, 0] }
joint = { type = "revolute", axis = [0, 1, 0], mimic = { joint = "a", multiplier = -0.7, offset = 0.2 } }
[[link]]
name = "d"
origin = { xyz = [0.2, 0.1, 0] }
joint = { type = "helical", axis = [0, 0, 1], pitch = 0.1, limits = [-4, 4] }
[[link]]
name = "e"
origin = { xyz = [0.2, 0, 0.1] }
joint = { type = "universal" }
"#;

fn coupled() -> Model<f64> {
    Model::from_description(&read_str(COUPLED, Format::Toml).description.unwrap()).unwrap()
}

fn check(model: &Model<f64>, task: Task, make: &dyn Fn(&Chain) -> Box<dyn Criterion>, seed: u64, what: &str) {
    let chain = Chain::new(model, task.link, task.point);
    let n = chain.variables().len();
    let mut random = Random(seed);
    let mut q: Vec<f64> = model.neutral();
    model.retract(&mut q, &random.vector(model.nv()));
    for variable in chain.variables() {
        if let (Some(position), [low, high]) = (variable.position, variable.limits)
            && (high - low).is_finite()
        {
            q[position] = 0.5 * (low + high) + 0.4 * (high - low) * random.signed();
        }
    }
    let equations = Equations::new(task, chain.tip(&q), 0.5);
    let mut criterion = make(&chain);
    let mut geometry = Geometry::new(&chain);
    let mut at = |q: &[f64], hessian: &mut [f64]| {
        chain.evaluate(q, &mut geometry);
        let point = Point { q, chain: &chain, geometry: &geometry, rows: &equations.rows, m: equations.m };
        let value = criterion.value(&point);
        let mut gradient = vec![0.0; n];
        criterion.gradient(&point, &mut gradient);
        (value, gradient, criterion.hessian(&point, hessian))
    };
    let mut hessian = vec![0.0; n * n];
    let (value, gradient, closed) = at(&q, &mut hessian);
    assert!(value.is_finite(), "{what}");
    let scale = hessian.iter().chain(&gradient).fold(1.0_f64, |s, x| s.max(x.abs()));
    let step = 1e-5;
    for j in 0..n {
        let mut ends = [1.0, -1.0].map(|sign| {
            let mut moved = q.clone();
            let mut delta = vec![0.0; n];
            delta[j] = sign * step;
            chain.retract(model, &mut moved, &delta);
            at(&moved, &mut vec![0.0; n * n])
        });
        let slope = (ends[0].0 - ends[1].0) / (2.0 * step);
        assert!((slope - gradient[j]).abs() < 1e-7 * scale, "{what}, seed {seed}: {slope} {}", gradient[j]);
        if closed {
            let [plus, minus] = &mut ends;
            for i in 0..n {
                let slope = (plus.1[i] - minus.1[i]) / (2.0 * step);
                let found = hessian[i * n + j];
                assert!((slope - found).abs() < 1e-6 * scale, "{what}, seed {seed}: [{i}][{j}] {slope} {found}");
            }
        }
    }
}

#[test]
fn derivatives_of_every_criterion_are_those_of_differences() {
    let obstacle =
        |exponent: f64| Obstacle { center: Vector([1.5, 1.5, 2.0]), radii: Vector([0.3, 0.5, 0.4]), exponent };
    type Make = Box<dyn Fn(&Chain) -> Box<dyn Criterion>>;
    let makes: Vec<(&str, Make)> = vec![
        ("manipulability", Box::new(|_: &Chain| Box::new(Manipulability::default()))),
        ("volume", Box::new(|_: &Chain| Box::new(Manipulability::new(Measure::NegativeVolume)))),
        ("mid-range", Box::new(|chain: &Chain| Box::new(Joints::mid_range(chain)))),
        ("barrier", Box::new(|chain: &Chain| Box::new(Joints::limit_barrier(chain)))),
        (
            "obstacles",
            Box::new(move |chain: &Chain| {
                Box::new(Obstacles::new(chain, vec![obstacle(2.0), obstacle(4.0), obstacle(3.0)], 3))
            }),
        ),
        (
            "sum",
            Box::new(|chain: &Chain| {
                let sum = WeightedSum::default().with(0.3, Box::new(Manipulability::default()));
                Box::new(sum.with(2.0, Box::new(Joints::mid_range(chain))))
            }),
        ),
    ];
    for name in ["iiwa14", "kuka_lwr", "stanford", "humanoid25", "coupled", "floating_humanoid25"] {
        let model = if name == "coupled" { coupled() } else { robots::load(name).unwrap() };
        let link = model.links().len() - 1;
        let few = model.chain(link).count() < 6 || name == "stanford";
        let tasks = [
            Task::position(link),
            Task::pointing(link, Vector([0.0, 1.0, 1.0])),
            if few { Task::position_xy(link) } else { Task::rows(link, [1.0, 2.0, 0.0, 1.0, 0.0, 0.5]) },
        ];
        for (what, make) in &makes {
            for (t, task) in tasks.iter().enumerate() {
                if *what == "barrier" && name == "floating_humanoid25" {
                    continue;
                }
                for seed in 0..3 {
                    check(&model, *task, make, seed, &format!("{what} of {name}, task {t}"));
                }
            }
        }
        let home: Vec<f64> = model.neutral();
        check(
            &model,
            tasks[0],
            &|chain| Box::new(Joints::home(&model, chain, &home, &[])),
            4,
            &format!("home of {name}"),
        );
    }
}

#[test]
fn manipulability_of_a_whole_pose_has_the_closed_hessian() {
    for name in ["panda", "iiwa14", "kuka_lwr"] {
        let model = robots::load(name).unwrap();
        let link = model.links().len() - 1;
        for seed in 0..5 {
            check(&model, Task::pose(link), &|_| Box::new(Manipulability::default()), seed, name);
        }
    }
}
