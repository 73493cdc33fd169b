//! A message `sensor_msgs/msg/JointState` out of its bytes, in the Common Data Representation of DDS.
//!
//! Four bytes say how numbers are laid out; then come the fields in their order: a time stamp, a frame's name, names of joints, positions,
//! velocities, efforts. Trap: numbers stand at multiples of their size, counted from behind those four bytes, and a list without
//! elements has no gap behind its length.

/// A joint state; lists that were not sent are empty.
#[derive(Debug, Default, PartialEq)]
pub(super) struct JointState {
    /// When it was taken, ns; zero if it does not say.
    pub stamp: i128,
    pub names: Vec<String>,
    pub position: Vec<f64>,
    pub velocity: Vec<f64>,
    pub effort: Vec<f64>,
}

/// Reads a message into memory that is used again; what is wrong with it otherwise.
pub(super) fn read(bytes: &[u8], state: &mut JointState) -> Result<(), String> {
    let (layout, body) = bytes.split_first_chunk::<4>().ok_or("it has no heading")?;
    let big = match layout[..2] {
        [0, 0] => true,
        [0, 1] => false,
        _ => return Err(format!("its layout {:02x}{:02x} is not plain CDR", layout[0], layout[1])),
    };
    let mut rest = Rest { body, at: 0, big };
    let (seconds, nanoseconds) = (rest.u32()? as i32, rest.u32()?);
    state.stamp = i128::from(seconds) * 1_000_000_000 + i128::from(nanoseconds);
    rest.text()?;
    let count = rest.u32()? as usize;
    // Names are the same from message to message: they are compared before they are kept.
    for k in 0..count {
        let name = rest.text()?;
        if state.names.get(k).map(String::as_str) != Some(name) {
            state.names.truncate(k);
            state.names.push(name.to_owned());
        }
    }
    state.names.truncate(count);
    for list in [&mut state.position, &mut state.velocity, &mut state.effort] {
        rest.numbers(list)?;
    }
    for (what, list) in [("positions", &state.position), ("velocities", &state.velocity), ("efforts", &state.effort)] {
        if !list.is_empty() && list.len() != count {
            return Err(format!("it has {} {what} for {count} joints", list.len()));
        }
    }
    Ok(())
}

/// What is yet to be read.
struct Rest<'a> {
    body: &'a [u8],
    at: usize,
    big: bool,
}

impl<'a> Rest<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        let end = self.at.checked_add(count).filter(|end| *end <= self.body.len()).ok_or("it ends too early")?;
        let taken = &self.body[self.at..end];
        self.at = end;
        Ok(taken)
    }

    fn align(&mut self, size: usize) {
        self.at = self.at.next_multiple_of(size);
    }

    fn u32(&mut self) -> Result<u32, String> {
        self.align(4);
        let bytes = self.take(4)?.try_into().unwrap_or_default();
        Ok(if self.big { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) })
    }

    fn text(&mut self) -> Result<&'a str, String> {
        let length = self.u32()? as usize;
        let bytes = self.take(length)?;
        std::str::from_utf8(bytes.strip_suffix(&[0]).unwrap_or(bytes)).map_err(|_| "a name is not UTF-8".to_owned())
    }

    fn numbers(&mut self, to: &mut Vec<f64>) -> Result<(), String> {
        to.clear();
        let count = self.u32()? as usize;
        if count > 0 {
            self.align(8);
        }
        let bytes = self.take(count.checked_mul(8).ok_or("it ends too early")?)?;
        let number = |bytes: &[u8; 8]| if self.big { f64::from_be_bytes(*bytes) } else { f64::from_le_bytes(*bytes) };
        to.extend(bytes.as_chunks::<8>().0.iter().map(number));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Laid out by hand after the specification, little-endian: alignment shows before names and numbers.
    #[test]
    fn a_message_laid_out_by_hand_is_read() {
        let mut bytes = vec![0, 1, 0, 0];
        bytes.extend(7_i32.to_le_bytes());
        bytes.extend(500_u32.to_le_bytes());
        bytes.extend([8, 0, 0, 0, b'a', b'b', b'c', b'd', b'e', b'f', b'g', 0]);
        bytes.extend([2, 0, 0, 0]);
        bytes.extend([3, 0, 0, 0, b'j', b'1', 0, 0xEE]);
        bytes.extend([3, 0, 0, 0, b'j', b'2', 0, 0xEE]);
        bytes.extend([2, 0, 0, 0]);
        bytes.extend([0xEE; 4]);
        bytes.extend([1.5_f64, -2.0].iter().flat_map(|x| x.to_le_bytes()));
        bytes.extend([0, 0, 0, 0]);
        bytes.extend([2, 0, 0, 0]);
        bytes.extend([0.25_f64, 8.0].iter().flat_map(|x| x.to_le_bytes()));
        let mut state = JointState::default();
        read(&bytes, &mut state).unwrap();
        assert_eq!((state.stamp, &state.names[..]), (7_000_000_500, &["j1".to_owned(), "j2".to_owned()][..]));
        assert_eq!((&state.position[..], &state.effort[..]), (&[1.5, -2.0][..], &[0.25, 8.0][..]));
        assert!(state.velocity.is_empty());
        for end in 0..bytes.len() {
            assert!(read(&bytes[..end], &mut state).is_err(), "{end} bytes");
        }
        bytes[1] = 3;
        assert!(read(&bytes, &mut state).unwrap_err().contains("0003"));
    }
}
