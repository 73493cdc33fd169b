//! Lists of targets: JSON, lines of JSON, CSV and Parquet.
//!
//! Columns are `x`, `y`, `z` with `qw`, `qx`, `qy`, `qz`, or `roll`, `pitch`, `yaw`, or `dx`, `dy`, `dz` (where an axis points); or `m11` … `m34`, the pose row by
//! row. `position1`, `quaternion1`, `rpy1`, `direction1` and `pose11` count the same numbers. Others are left alone.

use super::target::{Form, Path, bad, matrix_shape, parse, read_json};
use crate::host::Host;
use crate::limits;
use crate::problem::Problem;
use crate::read::{self, What};
use crate::states::{InputFormat, table_problem};
use jourdain::formats::table::{Lines, RowParser, Table, TableError};
use jourdain::spatial::Vector;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};

/// What the columns of a table are.
pub(crate) const GROUPS: [(&str, &[&str]); 4] = [
    ("position", &["x", "y", "z"]),
    ("quaternion", &["qw", "qx", "qy", "qz"]),
    ("rpy", &["roll", "pitch", "yaw"]),
    ("direction", &["dx", "dy", "dz"]),
];

/// The words of a document that no table has.
pub(crate) const DOCUMENT: [&str; 8] =
    ["matrix", "path", "points", "rotation", "target", "target_pose", "targets", "xyz"];

const MATRIX: [&str; 12] = ["m11", "m12", "m13", "m14", "m21", "m22", "m23", "m24", "m31", "m32", "m33", "m34"];

/// One target or several.
pub enum Targets {
    /// Asked for on its own: the answer is, too.
    One(Path),
    /// A list, even of one.
    Many(Path),
}

/// Reads what `--target` says.
pub fn read(argument: &str, axis: Vector<f64>, host: &dyn Host) -> Result<Targets, Problem> {
    if let Some(table) = host.table(argument) {
        return Ok(Targets::Many(read_table(table, argument, axis)?));
    }
    if InputFormat::of(argument) != InputFormat::Json {
        return Ok(Targets::Many(read_file(argument, "--target", axis, host)?));
    }
    let value = read_json(argument, "--target", host)?;
    if let Some(items) = items(&value) {
        return Ok(Targets::Many(path(items.iter(), axis, |index| format!("target {index}"))?));
    }
    let (target, form) = parse(&value, axis).map_err(|message| bad(&message))?;
    Ok(Targets::One(Path { targets: vec![target], form }))
}

/// Reads what `--path` says: a list, or an object with it under `points`.
pub fn read_path(argument: &str, axis: Vector<f64>, host: &dyn Host) -> Result<Path, Problem> {
    if let Some(table) = host.table(argument) {
        return read_table(table, argument, axis);
    }
    if InputFormat::of(argument) != InputFormat::Json {
        return read_file(argument, "--path", axis, host);
    }
    let value = read_json(argument, "--path", host)?;
    let list = wrapped(&value).unwrap_or(&value);
    let Some(items) = list.as_array() else { return Err(bad("the path is not a list of targets")) };
    path(items.iter(), axis, |index| format!("point {index}"))
}

/// The list in an object.
fn wrapped(value: &Value) -> Option<&Value> {
    ["points", "targets", "path"].iter().find_map(|key| value.get(*key))
}

/// The targets of a list; `None` if it is one target, which may be a list as well.
fn items(value: &Value) -> Option<&Vec<Value>> {
    if let Some(list) = wrapped(value) {
        return list.as_array();
    }
    let items = value.as_array()?;
    let single = items.is_empty() || items.iter().any(|item| !item.is_array() && !item.is_object());
    let is_one = single || matrix_shape(items);
    (!is_one).then_some(items)
}

/// Targets of one form; `place` says which one is wrong.
fn path<'v>(
    items: impl ExactSizeIterator<Item = &'v Value>,
    axis: Vector<f64>,
    place: impl Fn(usize) -> String,
) -> Result<Path, Problem> {
    let mut path = Path { targets: Vec::with_capacity(items.len()), form: Form::Pose };
    for (index, item) in items.enumerate() {
        add(&mut path, item, axis, || place(index))?;
    }
    finished(path)
}

fn add(path: &mut Path, item: &Value, axis: Vector<f64>, place: impl Fn() -> String) -> Result<(), Problem> {
    let (target, form) = parse(item, axis).map_err(|message| bad(&format!("{}: {message}", place())))?;
    if !path.targets.is_empty() && form != path.form {
        return Err(bad(&format!("{} has another form than those before", place())));
    }
    limits::IK_TARGETS.check("the list", path.targets.len() + 1)?;
    path.form = form;
    path.targets.push(target);
    Ok(())
}

fn finished(path: Path) -> Result<Path, Problem> {
    if path.targets.is_empty() { Err(bad("the list of targets is empty")) } else { Ok(path) }
}

/// Lines of JSON, CSV or Parquet.
fn read_file(file: &str, option: &'static str, axis: Vector<f64>, host: &dyn Host) -> Result<Path, Problem> {
    let mut path = Path { targets: Vec::new(), form: Form::Pose };
    let hint = "targets are a .json, .jsonl, .csv or .parquet file, - for standard input, or the JSON itself";
    let what = What { name: "the targets", option, hint };
    let open = || -> Result<Box<dyn BufRead>, Problem> {
        let (source, _) = read::open(file, host).map_err(|error| read::cannot_read(file, what, &error))?;
        Ok(Box::new(BufReader::new(source)))
    };
    let broken = |error: TableError| table_problem(&error, file);
    match InputFormat::of(file) {
        InputFormat::Json => return Err(bad("a list of targets is no single file of JSON")),
        InputFormat::Jsonl => {
            let (mut lines, mut text) = (Lines::new(open()?), Vec::new());
            while lines.next_into(&mut text).map_err(broken)? {
                let line = lines.line();
                let value: Value = serde_json::from_slice(&text).map_err(|error| {
                    Problem::new("bad-json", format!("line {line} is no JSON: {error}")).file(file).at(line, 1)
                })?;
                add(&mut path, &value, axis, || format!("line {line}"))
                    .map_err(|problem| problem.file(file).at(line, 1))?;
            }
        }
        InputFormat::Csv => {
            let mut lines = Lines::new(open()?);
            let mut parser = RowParser::new(&mut lines).map_err(broken)?;
            let headings = parser.headings().to_vec();
            let layout = Layout::new(&headings).map_err(|problem| problem.file(file))?;
            parser.want(layout.columns());
            let (mut text, mut values) = (Vec::new(), vec![0.0; headings.len()]);
            while lines.next_into(&mut text).map_err(broken)? {
                let line = lines.line();
                parser.parse(&text, line, &mut values).map_err(broken)?;
                add(&mut path, &layout.target(|column| values[column]), axis, || format!("line {line}"))
                    .map_err(|problem| problem.file(file).at(line, 1))?;
            }
        }
        #[cfg(not(feature = "parquet"))]
        InputFormat::Parquet => return Err(Problem::new("unsupported", "this build reads no Parquet")),
        #[cfg(feature = "parquet")]
        InputFormat::Parquet => {
            let mut layout = None;
            let choose = |headings: &[String]| -> Result<Vec<usize>, Problem> {
                Ok(layout.insert(Layout::new(headings)?).columns().collect())
            };
            let (columns, rows) = crate::states::read_columns(file, choose, host)?;
            let layout = layout.ok_or_else(|| bad("the file has no columns"))?;
            for row in 0..rows {
                let place = || format!("row {}", row + 1);
                add(&mut path, &layout.target(|column| columns[column][row]), axis, place)
                    .map_err(|problem| problem.file(file).at(row as u64 + 1, 1))?;
            }
        }
    }
    finished(path).map_err(|problem| problem.file(file))
}

/// Targets that are in memory.
fn read_table(table: &Table, name: &str, axis: Vector<f64>) -> Result<Path, Problem> {
    let mut path = Path { targets: Vec::new(), form: Form::Pose };
    let layout = Layout::new(table.headings()).map_err(|problem| problem.file(name))?;
    for row in 0..table.rows() {
        layout
            .columns()
            .try_for_each(|column| table.number(column, row).map(drop))
            .map_err(|error| table_problem(&error, name))?;
        let number = |column| table.number(column, row).unwrap_or_default();
        add(&mut path, &layout.target(number), axis, || format!("row {}", row + 1))
            .map_err(|problem| problem.file(name).at(row as u64 + 1, 1))?;
    }
    finished(path).map_err(|problem| problem.file(name))
}

/// Which column is what.
struct Layout {
    /// A key of a target and its columns; no key for a matrix or a point of the plane.
    groups: Vec<(Option<&'static str>, Vec<usize>)>,
}

impl Layout {
    fn new(headings: &[String]) -> Result<Self, Problem> {
        let place = |name: &str| headings.iter().position(|heading| heading.trim().eq_ignore_ascii_case(name));
        let all = |names: &[&str]| names.iter().map(|name| place(name)).collect::<Option<Vec<usize>>>();
        // A matrix, or a vector, whose numbers are counted: `pose11`, `position1`.
        let counted = |word: &str, numbers: &[String]| {
            numbers.iter().map(|number| place(&format!("{word}{number}"))).collect::<Option<Vec<usize>>>()
        };
        let elements: Vec<String> = MATRIX.iter().map(|name| name.trim_start_matches('m').to_owned()).collect();
        if let Some(matrix) = all(&MATRIX).or_else(|| counted("pose", &elements)) {
            return Ok(Self { groups: vec![(None, matrix)] });
        }
        let mut groups = Vec::new();
        for (key, names) in GROUPS {
            let found = names.iter().filter(|name| place(name).is_some()).count();
            let numbers: Vec<String> = (1..=names.len()).map(|number| number.to_string()).collect();
            match all(names).or_else(|| counted(key, &numbers)) {
                Some(columns) => groups.push((Some(key), columns)),
                None if key == "position" && found == 2 && place("z").is_none() => {
                    groups.push((None, all(&["x", "y"]).unwrap_or_default()));
                }
                None if found > 0 => {
                    let missing: Vec<&str> = names.iter().copied().filter(|name| place(name).is_none()).collect();
                    let message = format!("the columns of `{key}` are not complete: {} is missing", missing.join(", "));
                    return Err(Problem::new("missing-column", message).hint(HEADINGS));
                }
                None => {}
            }
        }
        let turned = groups.iter().filter(|(key, _)| key.is_some_and(|key| key != "position")).count();
        let flat = groups.iter().any(|(key, _)| key.is_none());
        if groups.is_empty() || turned > 1 || (flat && turned > 0) {
            let message = match (groups.is_empty(), flat) {
                (true, _) => "no column is part of a target",
                (_, true) => "an orientation needs all of x, y and z",
                _ => "an orientation is given in two ways",
            };
            return Err(Problem::new("missing-column", message).hint(HEADINGS));
        }
        Ok(Self { groups })
    }

    fn columns(&self) -> impl Iterator<Item = usize> + '_ {
        self.groups.iter().flat_map(|(_, columns)| columns.iter().copied())
    }

    /// A row as the target that one would write.
    fn target(&self, number: impl Fn(usize) -> f64) -> Value {
        let numbers = |columns: &[usize]| columns.iter().map(|&column| number(column)).collect::<Vec<f64>>();
        match &self.groups[..] {
            [(None, columns)] if columns.len() == 2 => json!(numbers(columns)),
            [(None, columns)] => json!(columns.chunks(4).map(numbers).collect::<Vec<_>>()),
            groups => {
                groups.iter().filter_map(|(key, columns)| Some(((*key)?.to_owned(), json!(numbers(columns))))).collect()
            }
        }
    }
}

/// What headings there are, as a hint.
const HEADINGS: &str = "name the columns x, y, z and, for an orientation, qw, qx, qy, qz or roll, pitch, yaw or dx, dy, dz; or m11, m12, \
                        …, m34 for a whole pose";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_target_is_told_from_a_list() {
        let count = |text: &str| items(&serde_json::from_str(text).unwrap()).map(Vec::len);
        for one in ["[1, 2]", "[1, 2, 3]", "[[1,0,0,1],[0,1,0,2],[0,0,1,3],[0,0,0,1]]", "{\"position\": [1, 2, 3]}"] {
            assert_eq!(count(one), None, "{one}");
        }
        assert_eq!(count("[[1, 2], [3, 4], [5, 6]]"), Some(3));
        assert_eq!(count("[[1, 2, 3]]"), Some(1));
        assert_eq!(count("[{\"position\": [1, 2, 3]}]"), Some(1));
        assert_eq!(count("[[[1,0,0,1],[0,1,0,2],[0,0,1,3]]]"), Some(1));
        assert_eq!(count("{\"targets\": [[1, 2, 3], [1, 2, 4]]}"), Some(2));
    }

    #[test]
    fn headings_are_understood_or_refused() {
        let form = |headings: &str| {
            let headings: Vec<String> = headings.split(',').map(str::to_owned).collect();
            let layout = Layout::new(&headings)?;
            // 1, 0, 0, 0 … is a quaternion and, by rows of four, close to no rotation.
            let value = layout
                .target(|column| if headings[column] == "m11" { 1.0 } else { f64::from(u8::from(column % 5 == 0)) });
            Ok::<_, Problem>(parse(&value, Vector([0.0, 0.0, 1.0])).map(|(_, form)| form))
        };
        assert_eq!(form("x,y").unwrap(), Ok(Form::Plane));
        assert_eq!(form("t,x,y,z").unwrap(), Ok(Form::Position));
        assert_eq!(form("qw,qx,qy,qz,z,y,x").unwrap(), Ok(Form::Pose));
        assert_eq!(form("x,y,z,roll,pitch,yaw").unwrap(), Ok(Form::Pose));
        assert_eq!(form("dx,dy,dz").unwrap(), Ok(Form::Direction));
        assert_eq!(form(&MATRIX.join(",")).unwrap(), Ok(Form::Pose));
        for bad in ["a,b", "x,z", "x,y,z,qw,qx", "x,y,z,roll,pitch,yaw,qw,qx,qy,qz", "x,y,roll,pitch,yaw"] {
            assert_eq!(form(bad).unwrap_err().kind(), "missing-column", "{bad}");
        }
    }
}
