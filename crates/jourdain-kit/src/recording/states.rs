//! The joint states of a recording as rows of a log: time, positions, velocities if there are any, torques.
//!
//! Joints are found by their names, in whatever order messages have them. Joints of others, a gripper's say, are left alone, and so are
//! messages that do not have all of the robot's; both are said. Time is that of the message's heading; of a recording whose messages have
//! none it is that of their arrival, which is said too. It counts from the first message, so that digits suffice.

use super::cdr::{self, JointState};
use super::records::{Record, Records};
use crate::problem::Problem;
use jourdain::Model;
use jourdain::formats::table::{TIME, Table, headings};
use std::collections::BTreeMap;
use std::io::Read;

/// The schema of joint states, in both spellings that are about.
const SCHEMAS: [&str; 2] = ["sensor_msgs/msg/JointState", "sensor_msgs/JointState"];
/// How messages are laid out.
const ENCODING: &str = "cdr";

/// A recording whose joint states are read as tables.
pub struct JointStates<R> {
    records: Records<R>,
    file: String,
    /// The joints of the robot, in the order of its coordinates.
    joints: Vec<String>,
    columns: Vec<String>,
    /// The topic that was asked for, or the first that was found.
    topic: Option<String>,
    asked: bool,
    schemas: BTreeMap<u16, String>,
    /// Channels of joint states: topic and encoding.
    channels: BTreeMap<u16, (String, String)>,
    state: JointState,
    /// The names of the last message, and where each of the robot's joints stands among them; `None` if one is missing.
    names: Vec<String>,
    places: Option<Vec<usize>>,
    shape: Option<Shape>,
    /// Messages with all joints, and without.
    rows: u64,
    partial: u64,
}

/// What the first message with all joints tells of the others.
#[derive(Clone, Copy)]
struct Shape {
    has_velocities: bool,
    stamped: bool,
    begin: i128,
}

impl<R: Read> JointStates<R> {
    /// The joint states of a robot, of one topic if several have such.
    ///
    /// # Errors
    /// No recording, or a robot with joints that joint states have no place for.
    pub fn new(source: R, file: &str, model: &Model<f64>, topic: Option<&str>) -> Result<Self, Problem> {
        if let Some(link) = model.links().iter().find(|link| link.joint.nq() > 1 || link.joint.nv() > 1) {
            let message =
                format!("joint `{}` has several numbers, and joint states have one per joint", link.joint_name);
            return Err(Problem::new("unsupported-joint", message).file(file).hint("give the log as CSV or Parquet"));
        }
        let joints = model.coordinates().iter().map(|coordinate| coordinate.joint.clone()).collect();
        let mut columns = vec![TIME.to_owned()];
        for letters in ["q", "tau", "qd"] {
            let coordinates = if letters == "q" { model.coordinates() } else { model.velocities() };
            columns.extend(headings(letters, &coordinates));
        }
        Ok(Self {
            records: Records::new(source).map_err(|message| broken(file, &message))?,
            file: file.to_owned(),
            joints,
            columns,
            topic: topic.map(str::to_owned),
            asked: topic.is_some(),
            schemas: BTreeMap::new(),
            channels: BTreeMap::new(),
            state: JointState::default(),
            names: Vec::new(),
            places: None,
            shape: None,
            rows: 0,
            partial: 0,
        })
    }

    /// The next rows, at most so many; `None` at the end.
    ///
    /// # Errors
    /// A recording that is not complete, messages that are none, or none of the robot.
    pub fn next_table(&mut self, most: usize) -> Result<Option<Table>, Problem> {
        let mut columns: Vec<Vec<f64>> = Vec::new();
        let mut rows = 0;
        while rows < most && self.next_row()? {
            let (state, n) = (&self.state, self.joints.len());
            let (Some(shape), Some(places)) = (&self.shape, &self.places) else { continue };
            let count = 1 + n * if shape.has_velocities { 3 } else { 2 };
            columns.resize_with(count, || Vec::with_capacity(most.min(1 << 16)));
            let time = (state.stamp - shape.begin) as f64 / 1e9;
            let of = |list: &'_ [f64]| places.iter().map(|place| list[*place]).collect::<Vec<f64>>();
            let velocities = if shape.has_velocities { of(&state.velocity) } else { Vec::new() };
            let numbers = [time].into_iter().chain(of(&state.position)).chain(of(&state.effort)).chain(velocities);
            columns.iter_mut().zip(numbers).for_each(|(column, number)| column.push(number));
            rows += 1;
        }
        if rows == 0 {
            return if self.rows == 0 { Err(self.nothing()) } else { Ok(None) };
        }
        let table = Table::new(self.columns.iter().cloned().zip(columns).collect());
        table.map(Some).map_err(|error| broken(&self.file, &error))
    }

    /// What is worth knowing of a recording that was read to its end.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        let topic = self.topic.as_deref().unwrap_or_default();
        let others: Vec<&str> =
            self.names.iter().map(String::as_str).filter(|name| !self.joints.iter().any(|own| own == name)).collect();
        if !others.is_empty() {
            remarks.push(format!(
                "{}: joints that the robot does not have are left out: {}",
                self.file,
                others.join(", ")
            ));
        }
        if self.partial > 0 {
            let (messages, file) = (self.partial, &self.file);
            remarks.push(format!("{file}: {messages} messages of {topic} do not have all joints and are left out"));
        }
        if self.shape.is_some_and(|shape| !shape.stamped) {
            remarks.push(format!("{}: messages have no time stamps; the time of their arrival is taken", self.file));
        }
        remarks
    }

    /// Reads the next message with all joints into memory; false at the end.
    fn next_row(&mut self) -> Result<bool, Problem> {
        loop {
            let record = self.records.next().map_err(|message| broken(&self.file, &message))?;
            let Some(record) = record else { return Ok(false) };
            let log_time = match record {
                Record::Schema { id, name } => {
                    self.schemas.insert(id, name);
                    continue;
                }
                Record::Channel { id, schema, topic, encoding } => {
                    if self.schemas.get(&schema).is_some_and(|name| SCHEMAS.contains(&name.as_str())) {
                        self.channels.insert(id, (topic, encoding));
                    }
                    continue;
                }
                Record::Message { channel, log_time, data } => {
                    let Some((topic, encoding)) = self.channels.get(&channel) else { continue };
                    if self.topic.as_ref().is_some_and(|wanted| wanted != topic) {
                        if !self.asked {
                            return Err(self.several());
                        }
                        continue;
                    }
                    if encoding != ENCODING {
                        let message = format!("messages of {topic} are in `{encoding}`, not in `{ENCODING}`");
                        let hint = "recordings of ROS 2 are; convert those of ROS 1";
                        return Err(Problem::new("unsupported-recording", message).file(&self.file).hint(hint));
                    }
                    if self.topic.is_none() {
                        self.topic = Some(topic.clone());
                    }
                    let topic = topic.clone();
                    cdr::read(data, &mut self.state).map_err(|message| {
                        let number = self.rows + self.partial + 1;
                        broken(&self.file, &format!("message {number} of {topic} is no joint state: {message}"))
                    })?;
                    log_time
                }
            };
            if self.take(log_time)? {
                return Ok(true);
            }
        }
    }

    /// Sees whether the message in memory has all joints.
    fn take(&mut self, log_time: u64) -> Result<bool, Problem> {
        if self.state.names != self.names || self.rows + self.partial == 0 {
            self.names.clone_from(&self.state.names);
            let place = |joint: &String| self.names.iter().position(|name| name == joint);
            self.places = self.joints.iter().map(place).collect();
        }
        let Some(places) = &self.places else {
            self.partial += 1;
            return Ok(false);
        };
        let state = &self.state;
        let number = self.rows + 1;
        let missing = |what: &str| {
            let topic = self.topic.as_deref().unwrap_or_default();
            let problem = Problem::new("missing-value", format!("row {number}: the message of {topic} has no {what}"));
            problem.file(&self.file).at(number, 1)
        };
        if state.position.is_empty() {
            return Err(missing("positions"));
        }
        if state.effort.is_empty() {
            return Err(missing("efforts").hint("parameters are identified from torques: record a topic that has them"));
        }
        let first = self.shape.is_none();
        let shape = *self.shape.get_or_insert_with(|| {
            let velocities = places.iter().map(|place| state.velocity.get(*place));
            // Drivers write NaN where they have nothing to tell.
            let has_velocities = velocities.clone().all(|v| v.is_some_and(|v| !v.is_nan())) && !places.is_empty();
            let stamped = state.stamp != 0;
            Shape { has_velocities, stamped, begin: if stamped { state.stamp } else { i128::from(log_time) } }
        });
        if shape.has_velocities && state.velocity.is_empty() {
            return Err(missing("velocities, which earlier ones have"));
        }
        if !shape.stamped {
            self.state.stamp = i128::from(log_time);
        } else if self.state.stamp == 0 && !first {
            return Err(missing("time stamp, which earlier ones have"));
        }
        self.rows += 1;
        Ok(true)
    }

    /// That there are joint states of several topics.
    fn several(&self) -> Problem {
        let mut topics: Vec<&str> = self.channels.values().map(|(topic, _)| topic.as_str()).collect();
        topics.sort_unstable();
        topics.dedup();
        let message = format!("the recording has joint states of several topics: {}", topics.join(", "));
        let hint = format!("say which one: --topic {}", topics.first().unwrap_or(&"/joint_states"));
        Problem::new("several-topics", message).file(&self.file).hint(hint)
    }

    /// That there is no row at all.
    fn nothing(&self) -> Problem {
        let topics: Vec<&str> = self.channels.values().map(|(topic, _)| topic.as_str()).collect();
        let problem = if self.partial > 0 {
            let missing: Vec<&str> =
                self.joints.iter().filter(|joint| !self.names.contains(joint)).map(String::as_str).collect();
            let message = format!(
                "no message has all joints of the robot: {} is not among {}",
                missing.join(", "),
                self.names.join(", ")
            );
            Problem::new("missing-joint", message)
                .hint("joints are known by their names: rename those of the robot file")
        } else if topics.is_empty() {
            Problem::new("no-joint-states", format!("the recording has no messages of {}", SCHEMAS[0]))
                .hint("record the topic of joint states, /joint_states as a rule")
        } else {
            let wanted = self.topic.as_deref().unwrap_or("any topic");
            let message = format!("the recording has no joint states of {wanted}; it has {}", topics.join(", "));
            Problem::new("no-joint-states", message).hint("say which one: --topic NAME")
        };
        problem.file(&self.file)
    }
}

/// That a recording cannot be read.
fn broken(file: &str, message: &dyn std::fmt::Display) -> Problem {
    let hint = "is it an MCAP file, and complete? `mcap recover` saves what is left of a broken one";
    Problem::new("bad-recording", format!("cannot read the recording: {message}")).file(file).hint(hint)
}
