//! The state of a module: files, robots that are open, and plans.

use crate::plan::Plan;
use jourdain::model::Model;
use jourdain::simulate::Trajectory;
use jourdain_kit::files::Memory;
use jourdain_kit::host::Host;
use jourdain_kit::operation;
use jourdain_kit::operations::scene;
use jourdain_kit::problem::Problem;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a page holds. Robots and plans are known by a number that is not used twice.
#[derive(Default)]
pub struct Engine {
    page: Page,
    robots: BTreeMap<u32, Arc<Model<f64>>>,
    plans: BTreeMap<u32, Plan>,
    last: u32,
    samples: Vec<u8>,
}

/// The page as the host of operations: its files are in memory.
#[derive(Default)]
struct Page {
    files: Memory,
}

impl Host for Page {
    fn memory(&self) -> Option<&Memory> {
        Some(&self.files)
    }
}

impl Engine {
    /// Carries out an operation of the kit: `{"report": …, "exit": n}`.
    ///
    /// # Errors
    /// What the operation refuses.
    pub fn handle(&mut self, operation: &str, request: &str) -> Result<Value, Problem> {
        self.samples.clear();
        let report = operation::handle(operation, parsed(request)?, &self.page)?;
        if let Some(motion) = report.samples() {
            self.samples = packed(motion);
        }
        Ok(json!({ "report": report.to_json()?, "exit": report.exit_code() }))
    }

    /// The samples of the motion that the last operation gave; nothing if it gave none. Two numbers of four bytes: the length of
    /// the names and the number of rows; the names of the columns as a JSON list, filled up with spaces to a multiple of eight
    /// bytes; the rows, eight bytes for each number. All least byte first.
    #[must_use]
    pub fn samples(&self) -> &[u8] {
        &self.samples
    }

    /// Keeps a file, which requests can name from now on.
    pub fn put_file(&mut self, name: &str, bytes: &[u8]) {
        self.page.files.put(name, bytes);
    }

    /// The bytes of a file that was put or written.
    ///
    /// # Errors
    /// There is none of that name.
    pub fn file(&self, name: &str) -> Result<Arc<[u8]>, Problem> {
        let missing = || Problem::new("cannot-read", "there is no such file").file(name);
        self.page.files.get(name).ok_or_else(missing)
    }

    /// The names of all files.
    #[must_use]
    pub fn file_names(&self) -> Vec<String> {
        self.page.files.names()
    }

    /// Forgets all files.
    pub fn remove_files(&mut self) {
        self.page.files.clear();
    }

    /// Opens a robot: `{"id": n, "scene": …}`. The request is that of `scene`.
    ///
    /// # Errors
    /// What `scene` refuses.
    pub fn open(&mut self, request: &str) -> Result<Value, Problem> {
        let (model, report) = scene::open(parsed(request)?, &self.page)?;
        let scene = report.to_json()?;
        let id = self.next();
        self.robots.insert(id, Arc::new(model));
        Ok(json!({ "id": id, "scene": scene }))
    }

    /// Forgets a robot; plans for it stay.
    pub fn close(&mut self, id: u32) {
        self.robots.remove(&id);
    }

    /// Prepares quantities of a robot for a position that moves. The number of the plan, and what it says of itself but for the
    /// places in memory.
    ///
    /// # Errors
    /// No such robot, or a quantity that it does not have.
    pub fn plan(&mut self, id: u32, names: &str) -> Result<(u32, Value), Problem> {
        let missing = || Problem::new("bad-request", format!("no robot {id} is open"));
        let model = Arc::clone(self.robots.get(&id).ok_or_else(missing)?);
        let names: Vec<String> = serde_json::from_str(names)
            .map_err(|error| Problem::new("bad-request", format!("quantities are a list of names: {error}")))?;
        let plan = Plan::new(model, &names)?;
        let (number, facts) = (self.next(), plan.facts());
        self.plans.insert(number, plan);
        Ok((number, facts))
    }

    /// A plan.
    ///
    /// # Errors
    /// There is none of that number.
    pub fn plan_mut(&mut self, number: u32) -> Result<&mut Plan, Problem> {
        let missing = || Problem::new("bad-request", format!("there is no plan {number}"));
        self.plans.get_mut(&number).ok_or_else(missing)
    }

    /// Forgets a plan.
    pub fn drop_plan(&mut self, number: u32) {
        self.plans.remove(&number);
    }

    fn next(&mut self) -> u32 {
        self.last += 1;
        self.last
    }
}

fn parsed(request: &str) -> Result<Value, Problem> {
    serde_json::from_str(request)
        .map_err(|error| Problem::new("bad-request", format!("the request is no JSON: {error}")))
}

fn packed(motion: &Trajectory) -> Vec<u8> {
    let names: Vec<String> = motion.columns().iter().map(ToString::to_string).collect();
    let mut names = json!(names).to_string().into_bytes();
    names.resize(names.len().next_multiple_of(8), b' ');
    let rows: Vec<f64> = motion.rows().flatten().collect();
    let count = rows.len() / motion.columns().len().max(1);
    let mut bytes = Vec::with_capacity(8 + names.len() + 8 * rows.len());
    for number in [names.len(), count] {
        bytes.extend(u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes());
    }
    bytes.extend(names);
    rows.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_those_of_the_kit() {
        let mut engine = Engine::default();
        let answer = engine.handle("info", r#"{"robot": "iiwa14"}"#).unwrap();
        assert_eq!((&answer["report"]["dof"], &answer["exit"]), (&json!(7), &json!(0)));
        assert_eq!(engine.handle("inform", "{}").unwrap_err().kind(), "unknown-operation");
        assert_eq!(engine.handle("info", "{").unwrap_err().kind(), "bad-request");
    }

    #[test]
    fn a_robot_that_was_dropped_is_read_and_a_file_of_the_machine_is_not() {
        let mut engine = Engine::default();
        let text =
            "name = \"rod\"\n[[link]]\nname = \"rod\"\nmass = 1.5\njoint = { type = \"continuous\", axis = [0, 1, 0] }";
        engine.put_file("drop/rod.toml", text.as_bytes());
        let opened = engine.open(r#"{"robot": "drop/rod.toml", "floating": false}"#).unwrap();
        assert_eq!(opened["scene"]["links"][0]["mass"], 1.5);
        assert_eq!(engine.open(r#"{"robot": "Cargo.toml"}"#).unwrap_err().kind(), "cannot-read");
        assert_eq!(engine.open(r#"{"robto": "iiwa14"}"#).unwrap_err().kind(), "bad-request");
        engine.remove_files();
        assert!(engine.open(r#"{"robot": "drop/rod.toml"}"#).is_err());
    }

    #[test]
    fn what_an_operation_writes_can_be_fetched_and_its_samples_as_numbers() {
        let mut engine = Engine::default();
        engine.handle("simulate", r#"{"robot": "planar2r", "duration": 0.1, "out": "motion.csv"}"#).unwrap();
        let csv = String::from_utf8(engine.file("motion.csv").unwrap().to_vec()).unwrap();
        let bytes = engine.samples().to_vec();
        let length = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        let names: Vec<String> = serde_json::from_slice(&bytes[8..8 + length(0)]).unwrap();
        assert_eq!(length(4), csv.lines().count() - 1);
        assert_eq!(bytes.len(), 8 + length(0) + 8 * names.len() * length(4));
        let first = csv.lines().nth(1).unwrap().split(',').map(|cell| cell.parse::<f64>().unwrap());
        let numbers = bytes[8 + length(0)..].chunks(8).map(|chunk| f64::from_le_bytes(chunk.try_into().unwrap()));
        assert!(first.eq(numbers.take(names.len())));
        engine.handle("robots", "{}").unwrap();
        assert!(engine.samples().is_empty());
        assert_eq!(engine.file("else.csv").unwrap_err().kind(), "cannot-read");
    }
}
