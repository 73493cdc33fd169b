//! Targets and paths as the user writes them.

use crate::host::Host;
use crate::problem::Problem;
use crate::read::{self, What};
use jourdain::spatial::{Pose, Quaternion, Rotation, Vector};
use serde_json::Value;

/// What a target's form says about the task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Position and orientation.
    Pose,
    /// x, y, z.
    Position,
    /// x, y.
    Plane,
    /// Where an axis points.
    Direction,
    /// x, y, z and where an axis points.
    PositionDirection,
}

/// Targets of one form.
pub struct Path {
    /// In their order.
    pub targets: Vec<Pose<f64>>,
    /// The form of all of them.
    pub form: Form,
}

/// The paper's path: a square, a hundred segments on each side, counterclockwise from the upper left.
pub const CHANG: &str = "chang";

/// The paper's start, degrees.
pub const CHANG_START: [f64; 3] = [-40.5006, 141.6408, 78.4169];

/// JSON from a file, from standard input, or from the argument itself; `option` is what gave it.
pub fn read_json(argument: &str, option: &'static str, host: &dyn Host) -> Result<Value, Problem> {
    let hint = "give a JSON file, - for standard input, or the JSON itself";
    let given = read::given(argument, What { name: option, option, hint }, host)?;
    serde_json::from_str(&given.text).map_err(|error| {
        let problem = Problem::new("bad-json", format!("{option} is no JSON: {error}"));
        given.file.into_iter().fold(problem, Problem::file)
    })
}

/// A finite number, or a text that is one.
pub fn scalar(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    number.filter(|x: &f64| x.is_finite())
}

/// A list of finite numbers.
pub fn flat(value: &Value) -> Option<Vec<f64>> {
    value.as_array()?.iter().map(scalar).collect()
}

pub fn bad(message: &str) -> Problem {
    Problem::new("bad-target", message).hint(
        "a target is a 4x4 pose, [x, y, z], [x, y], or {\"position\", \"quaternion\" (w, x, y, z) | \"rpy\" | \"rotation\" | \
         \"direction\"}",
    )
}

/// The path as targets.
pub fn chang_square() -> Path {
    // The command that reproduces the printed angles: x is 0.004 mm more than printed.
    const CORNERS: [[f64; 2]; 4] = [[446.004, 91.514], [446.004, -8.4866], [546.004, -8.4866], [546.004, 91.514]];
    let mut targets = Vec::with_capacity(401);
    for side in 0..4 {
        let (a, b) = (CORNERS[side], CORNERS[(side + 1) % 4]);
        for i in 0..100 {
            let share = f64::from(i) / 100.0;
            let at = |k: usize| (a[k] + (b[k] - a[k]) * share) / 1000.0;
            targets.push(Pose::translation(Vector([at(0), at(1), 0.0])));
        }
    }
    targets.push(targets[0]);
    Path { targets, form: Form::Plane }
}

/// Reads one target.
pub fn parse(value: &Value, axis: Vector<f64>) -> Result<(Pose<f64>, Form), String> {
    match value {
        Value::Object(map) => {
            if let Some(pose) = ["pose", "matrix", "target", "target_pose"].iter().find_map(|key| map.get(*key)) {
                return parse(pose, axis);
            }
            let triple = |key: &str| -> Result<Option<[f64; 3]>, String> {
                let Some(value) = map.get(key) else { return Ok(None) };
                let numbers = flat(value).and_then(|numbers| <[f64; 3]>::try_from(numbers).ok());
                numbers.map(Some).ok_or(format!("`{key}` must be three finite numbers"))
            };
            let known = ["position", "xyz", "quaternion", "rpy", "rotation", "direction"];
            if let Some(unknown) = map.keys().find(|key| !known.contains(&key.as_str())) {
                return Err(format!("`{unknown}` is not known in a target"));
            }
            let position = match triple("position")? {
                Some(position) => Some(position),
                None => triple("xyz")?,
            };
            let translation = Vector(position.unwrap_or([0.0; 3]));
            if let Some(direction) = triple("direction")? {
                let rotation = turn_onto(axis, Vector(direction)).ok_or("`direction` has no length")?;
                let form = if position.is_some() { Form::PositionDirection } else { Form::Direction };
                return Ok((Pose { rotation, translation }, form));
            }
            let rotation = if let Some(value) = map.get("quaternion") {
                let numbers = flat(value).and_then(|numbers| <[f64; 4]>::try_from(numbers).ok());
                let quaternion = Quaternion::new(numbers.ok_or("`quaternion` must be four finite numbers")?);
                if quaternion.norm_squared() < 1e-12 {
                    return Err("`quaternion` has no length".to_owned());
                }
                Some(quaternion.normalized().to_rotation())
            } else if let Some([roll, pitch, yaw]) = triple("rpy")? {
                Some(Rotation::from_rpy(roll, pitch, yaw))
            } else if let Some(value) = map.get("rotation") {
                let rows: Option<Vec<Vec<f64>>> = value.as_array().and_then(|rows| rows.iter().map(flat).collect());
                Some(rotation(&rows.ok_or("`rotation` must be a 3x3 matrix")?)?)
            } else {
                None
            };
            match (position, rotation) {
                (None, None) => Err("neither position nor orientation is given".to_owned()),
                (_, None) => Ok((Pose::translation(translation), Form::Position)),
                (_, Some(rotation)) => Ok((Pose { rotation, translation }, Form::Pose)),
            }
        }
        Value::Array(items) if items.iter().all(Value::is_array) && !items.is_empty() => {
            let rows: Vec<Vec<f64>> = items
                .iter()
                .map(flat)
                .collect::<Option<_>>()
                .ok_or("the matrix has an element that is no finite number")?;
            matrix(&rows)
        }
        Value::Array(_) => {
            let numbers = flat(value).ok_or("the target has an element that is no finite number")?;
            match numbers[..] {
                [x, y] => Ok((Pose::translation(Vector([x, y, 0.0])), Form::Plane)),
                [x, y, z] => Ok((Pose::translation(Vector([x, y, z])), Form::Position)),
                [x, y, z, a, b, c, d] => {
                    let quaternion = Quaternion::new([a, b, c, d]);
                    if quaternion.norm_squared() < 1e-12 {
                        return Err("the quaternion has no length".to_owned());
                    }
                    let rotation = quaternion.normalized().to_rotation();
                    Ok((Pose { rotation, translation: Vector([x, y, z]) }, Form::Pose))
                }
                _ if numbers.len() == 16 => matrix(&numbers.chunks(4).map(<[f64]>::to_vec).collect::<Vec<_>>()),
                _ => Err(format!("{} numbers are no target", numbers.len())),
            }
        }
        _ => Err("the target is neither a list nor an object".to_owned()),
    }
}

/// True if lists have the shape of a pose: three or four of four numbers.
pub fn matrix_shape(rows: &[Value]) -> bool {
    let four = |row: &Value| row.as_array().is_some_and(|row| row.len() == 4 && !row.iter().any(Value::is_array));
    matches!(rows.len(), 3 | 4) && rows.iter().all(four)
}

fn matrix(rows: &[Vec<f64>]) -> Result<(Pose<f64>, Form), String> {
    let shape = (rows.len(), rows.first().map_or(0, Vec::len));
    if !matches!(shape, (3 | 4, 4)) || rows.iter().any(|row| row.len() != 4) {
        return Err("a pose is a 4x4 matrix".to_owned());
    }
    if rows.len() == 4 && rows[3].iter().zip([0.0, 0.0, 0.0, 1.0]).any(|(x, y)| (x - y).abs() > 1e-9) {
        return Err("the last row of a pose is 0, 0, 0, 1".to_owned());
    }
    let rotation = rotation(&rows[..3].iter().map(|row| row[..3].to_vec()).collect::<Vec<_>>())?;
    Ok((Pose { rotation, translation: Vector([rows[0][3], rows[1][3], rows[2][3]]) }, Form::Pose))
}

/// A rotation matrix, rounding in its digits repaired.
fn rotation(rows: &[Vec<f64>]) -> Result<Rotation<f64>, String> {
    if rows.len() != 3 || rows.iter().any(|row| row.len() != 3) {
        return Err("a rotation is a 3x3 matrix".to_owned());
    }
    let given = Rotation(std::array::from_fn(|i| std::array::from_fn(|j| rows[i][j])));
    let error = given.orthogonality_error();
    if error < 1e-14 {
        Ok(given)
    } else if error < 1e-3 {
        Ok(Quaternion::from_rotation(&given).normalized().to_rotation())
    } else {
        Err(format!("the rotation is off an orthogonal matrix by {error:.2e}"))
    }
}

/// A rotation that takes `axis` to `direction`.
fn turn_onto(axis: Vector<f64>, direction: Vector<f64>) -> Option<Rotation<f64>> {
    let (a, d) = (axis.norm(), direction.norm());
    if a == 0.0 || d == 0.0 {
        return None;
    }
    let (a, d) = (axis.times(1.0 / a), direction.times(1.0 / d));
    let across = a.cross(d);
    let (sin, cos) = (across.norm(), a.dot(d));
    if sin > 1e-12 {
        return Some(Rotation::exp(across.times(sin.atan2(cos) / sin)));
    }
    if cos > 0.0 {
        return Some(Rotation::identity());
    }
    let far = (0..3).fold(0, |far, i| if a[i].abs() < a[far].abs() { i } else { far });
    let turn = a.cross(Vector::unit(far));
    Some(Rotation::exp(turn.times(std::f64::consts::PI / turn.norm())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const Z: Vector<f64> = Vector([0.0, 0.0, 1.0]);

    #[test]
    fn every_form_of_a_target_is_read() {
        let form = |value: Value| parse(&value, Z).unwrap().1;
        assert_eq!(form(json!([1, 2])), Form::Plane);
        assert_eq!(form(json!([1, "2.5", 3])), Form::Position);
        assert_eq!(form(json!([[1, 0, 0, 1], [0, 1, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]])), Form::Pose);
        assert_eq!(form(json!([1, 2, 3, 1, 0, 0, 0])), Form::Pose);
        assert_eq!(form(json!({"position": [1, 2, 3]})), Form::Position);
        assert_eq!(form(json!({"position": [1, 2, 3], "rpy": [0, 0, 1]})), Form::Pose);
        assert_eq!(form(json!({"direction": [1, 0, 0]})), Form::Direction);
        let (pose, form) = parse(&json!({"position": [1, 2, 3], "direction": [0, 0, -2]}), Z).unwrap();
        assert_eq!(form, Form::PositionDirection);
        assert!((pose.rotation.apply(Z) + Z).norm() < 1e-15);
    }

    #[test]
    fn what_is_no_target_is_refused() {
        for value in [
            json!([1]),
            json!("x"),
            json!([1, "NaN"]),
            json!([1, 2, null]),
            json!([[1, 0, 0, 1], [0, 2, 0, 2], [0, 0, 1, 3]]),
            json!([[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
            json!({"position": [1, 2]}),
            json!({"positoin": [1, 2, 3]}),
            json!({"position": [1, 2, 3], "quaternion": [0, 0, 0, 0]}),
            json!({"direction": [0, 0, 0]}),
        ] {
            assert!(parse(&value, Z).is_err(), "{value}");
        }
    }
}
