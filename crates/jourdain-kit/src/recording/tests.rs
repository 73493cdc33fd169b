//! Recordings made by hand: every compression, every ill. One that other programs wrote is read by the tests of the command.

use super::states::JointStates;
use super::{MAGIC, cdr};
use jourdain::formats::table::Table;
use jourdain::robots;
use std::io::Write as _;

/// A message that is to be written; joints are those of planar2r unless it says otherwise.
#[derive(Clone)]
struct Message {
    stamp: [u32; 2],
    names: Vec<&'static str>,
    lists: [Vec<f64>; 3],
}

impl Message {
    fn new(k: u32) -> Self {
        let x = f64::from(k);
        let lists = [vec![0.1 * x, 9.0, 0.2 * x], vec![1.0, 0.0, 2.0], vec![x, 0.0, -x]];
        Self { stamp: [100 + k / 10, k % 10 * 100_000_000], names: vec!["link1", "claw", "link2"], lists }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let number = |bytes: &mut Vec<u8>, x: u32| {
            bytes.resize(bytes.len().next_multiple_of(4), 0);
            bytes.extend(x.to_le_bytes());
        };
        let text = |bytes: &mut Vec<u8>, text: &str| {
            number(bytes, text.len() as u32 + 1);
            bytes.extend(text.as_bytes());
            bytes.push(0);
        };
        self.stamp.iter().for_each(|x| number(&mut bytes, *x));
        text(&mut bytes, "world");
        number(&mut bytes, self.names.len() as u32);
        self.names.iter().for_each(|name| text(&mut bytes, name));
        for list in &self.lists {
            number(&mut bytes, list.len() as u32);
            if !list.is_empty() {
                bytes.resize(bytes.len().next_multiple_of(8), 0);
            }
            bytes.extend(list.iter().flat_map(|x| x.to_le_bytes()));
        }
        [vec![0, 1, 0, 0], bytes].concat()
    }
}

fn record(opcode: u8, content: &[u8]) -> Vec<u8> {
    [&[opcode][..], &(content.len() as u64).to_le_bytes(), content].concat()
}

fn text(text: &str) -> Vec<u8> {
    [&(text.len() as u32).to_le_bytes()[..], text.as_bytes()].concat()
}

fn recording(messages: &[Message], compression: &str, encoding: &str) -> Vec<u8> {
    let schema = [&1_u16.to_le_bytes()[..], &text("sensor_msgs/msg/JointState"), &text("ros2msg"), &text("")].concat();
    let ids = [1_u16.to_le_bytes(), 1_u16.to_le_bytes()].concat();
    let channel = [&ids[..], &text("/joint_states"), &text(encoding), &0_u32.to_le_bytes()].concat();
    let mut records = [record(3, &schema), record(4, &channel)].concat();
    for (k, message) in messages.iter().enumerate() {
        let time = (5_000_000_000 + 100_000_000 * k as u64).to_le_bytes();
        let heading = [&1_u16.to_le_bytes()[..], &(k as u32).to_le_bytes(), &time, &time].concat();
        records.extend(record(5, &[heading, message.bytes()].concat()));
    }
    let body = match compression {
        "none" => records,
        _ => {
            let packed = match compression {
                "zstd" => zstd::encode_all(&records[..], 3).unwrap(),
                "lz4" => {
                    let mut encoder = lz4_flex::frame::FrameEncoder::new(Vec::new());
                    encoder.write_all(&records).unwrap();
                    encoder.finish().unwrap()
                }
                _ => records.clone(),
            };
            let sizes = [[0; 16].as_slice(), &(records.len() as u64).to_le_bytes()].concat();
            let checksum = crc32fast::hash(&records).to_le_bytes();
            let length = (packed.len() as u64).to_le_bytes();
            record(6, &[&sizes[..], &checksum, &text(compression), &length, &packed].concat())
        }
    };
    let header = record(1, &[text("ros2"), text("test")].concat());
    [&MAGIC[..], &header, &body, &record(15, &[0; 4]), &record(2, &[0; 20]), MAGIC].concat()
}

fn messages(count: u32) -> Vec<Message> {
    (0..count).map(Message::new).collect()
}

fn read(bytes: &[u8]) -> Result<(Table, Vec<String>), (&'static str, String)> {
    let model = robots::load("planar2r").unwrap();
    let of = |problem: crate::problem::Problem| (problem.kind(), problem.to_json()["error"]["message"].to_string());
    let mut states = JointStates::new(bytes, "log.mcap", &model, None).map_err(of)?;
    let table = states.next_table(1000).map_err(of)?.unwrap();
    assert_eq!(states.next_table(1000).map_err(of)?, None);
    Ok((table, states.remarks()))
}

#[test]
fn all_compressions_give_the_same_rows_in_the_order_of_the_robot() {
    let (plain, remarks) = read(&recording(&messages(25), "none", "cdr")).unwrap();
    assert_eq!(plain.headings(), ["t", "q[link1]", "q[link2]", "tau[link1]", "tau[link2]", "qd[link1]", "qd[link2]"]);
    assert_eq!((plain.rows(), plain.column(0)[11], plain.column(2)[3], plain.column(4)[3]), (25, 1.1, 0.2 * 3.0, -3.0));
    assert_eq!(remarks, ["log.mcap: joints that the robot does not have are left out: claw"]);
    for compression in ["", "zstd", "lz4"] {
        assert_eq!(read(&recording(&messages(25), compression, "cdr")).unwrap().0, plain, "{compression}");
    }
}

#[test]
fn without_stamps_the_time_of_arrival_is_taken_and_said() {
    let mut messages = messages(5);
    messages.iter_mut().for_each(|message| message.stamp = [0, 0]);
    let (table, remarks) = read(&recording(&messages, "zstd", "cdr")).unwrap();
    assert_eq!(table.column(0)[3], 0.3);
    assert!(remarks[1].contains("arrival"), "{remarks:?}");
}

#[test]
fn what_messages_lack_is_left_out_or_refused() {
    let mut none = messages(5);
    none.iter_mut().for_each(|message| message.lists[1] = vec![f64::NAN; 3]);
    assert_eq!(read(&recording(&none, "", "cdr")).unwrap().0.headings().len(), 5);
    let mut some = messages(5);
    some[3].lists[1].clear();
    assert_eq!(read(&recording(&some, "", "cdr")).unwrap_err().0, "missing-value");
    let mut torques = messages(5);
    torques[2].lists[2].clear();
    let (kind, message) = read(&recording(&torques, "", "cdr")).unwrap_err();
    assert!(kind == "missing-value" && message.contains("row 3") && message.contains("efforts"), "{message}");
    let mut partial = messages(5);
    (partial[1].names, partial[1].lists) = (vec!["claw"], [vec![1.0], vec![], vec![]]);
    let (table, remarks) = read(&recording(&partial, "", "cdr")).unwrap();
    assert_eq!(table.rows(), 4);
    assert!(remarks.iter().any(|remark| remark.contains("1 messages of /joint_states")), "{remarks:?}");
    let mut others = messages(5);
    others.iter_mut().for_each(|message| message.names[2] = "elbow");
    let (kind, message) = read(&recording(&others, "", "cdr")).unwrap_err();
    assert!(kind == "missing-joint" && message.contains("link2") && message.contains("elbow"), "{message}");
    assert_eq!(read(&recording(&messages(5), "", "ros1")).unwrap_err().0, "unsupported-recording");
    assert_eq!(read(&recording(&[], "", "cdr")).unwrap_err().0, "no-joint-states");
    let mut counts = messages(5);
    counts[4].lists[0].pop();
    assert!(read(&recording(&counts, "", "cdr")).unwrap_err().1.contains("2 positions for 3 joints"));
}

#[test]
fn what_is_cut_off_or_changed_is_refused_and_never_more() {
    for compression in ["none", "", "zstd", "lz4"] {
        let bytes = recording(&messages(6), compression, "cdr");
        // The last records of a file tell nothing of messages.
        for end in (0..bytes.len() - 40).step_by(3) {
            assert!(read(&bytes[..end]).is_err(), "{compression}, {end} of {} bytes", bytes.len());
        }
        let kinds = (0..bytes.len()).step_by(5).map(|at| {
            let mut other = bytes.clone();
            other[at] ^= 0x10;
            read(&other).map(|_| ()).map_err(|(kind, _)| kind)
        });
        let refused = kinds.filter(|kind| kind.is_err()).count();
        assert!(refused > 5 || compression == "none", "{compression}: {refused}");
    }
    let mut bytes = recording(&messages(6), "", "cdr");
    let at = bytes.len() - 300;
    bytes[at] ^= 1;
    assert!(read(&bytes).unwrap_err().1.contains("checksum"));
}

#[test]
fn a_message_is_read_as_it_was_written() {
    let mut state = cdr::JointState::default();
    cdr::read(&Message::new(7).bytes(), &mut state).unwrap();
    assert_eq!((state.names, state.stamp), (vec!["link1".into(), "claw".into(), "link2".into()], 100_700_000_000));
}
