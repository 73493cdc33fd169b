//! The states that machines write, without detours: an object of lists of numbers, or the position alone.
//!
//! Places, wrenches and whatever is wrong are left to the reader of [`read_states`](super::read_states), which takes ten times
//! as long: what is not plain is `None` here.

use super::state::GivenState;
use crate::model::Model;
use crate::state::{Input, State, normalize_quaternions};

/// The state of a text, if it has nothing but vectors of the right length, each once.
pub(super) fn read(text: &[u8], model: &Model<f64>) -> Option<GivenState> {
    let mut rest = Rest(text);
    let (mut state, mut seen) = (State::neutral(model), Vec::new());
    rest.skip_space();
    if rest.0.first() == Some(&b'[') {
        rest.vector(&mut state.q)?;
        let complete = !state.q.is_empty() && rest.next().is_none();
        return (complete && normalize_quaternions(model, &mut state.q).is_ok())
            .then_some(GivenState { state, has_position: true });
    }
    rest.take(b'{')?;
    loop {
        let key = rest.key()?;
        let input = Input::from_key(std::str::from_utf8(key).ok()?)?;
        let target = input.vector_mut(&mut state)?;
        if seen.contains(&key) {
            return None;
        }
        seen.push(key);
        rest.take(b':')?;
        rest.vector(target)?;
        match rest.next()? {
            b',' => {}
            b'}' => break,
            _ => return None,
        }
    }
    let has_position = seen.contains(&&b"q"[..]);
    if rest.next().is_some() || (has_position && normalize_quaternions(model, &mut state.q).is_err()) {
        return None;
    }
    Some(GivenState { state, has_position })
}

/// What is left of a text.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn skip_space(&mut self) {
        while let [b' ' | b'\t' | b'\r' | b'\n', rest @ ..] = self.0 {
            self.0 = rest;
        }
    }

    /// The next byte that is no space.
    fn next(&mut self) -> Option<u8> {
        self.skip_space();
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.next()? == byte).then_some(())
    }

    /// A string without escapes.
    fn key(&mut self) -> Option<&'a [u8]> {
        self.take(b'"')?;
        let end = self.0.iter().position(|byte| !(byte.is_ascii_lowercase() || *byte == b'_'))?;
        let key = &self.0[..end];
        self.0 = self.0[end..].strip_prefix(b"\"")?;
        Some(key)
    }

    /// A list of exactly as many numbers.
    fn vector(&mut self, target: &mut [f64]) -> Option<()> {
        self.take(b'[')?;
        if target.is_empty() {
            return self.take(b']');
        }
        let last = target.len() - 1;
        for (index, target) in target.iter_mut().enumerate() {
            *target = self.number()?;
            self.take(if index == last { b']' } else { b',' })?;
        }
        Some(())
    }

    /// A number as JSON writes it: Rust would also take `1.`, `.5`, `+1` and `01`.
    fn number(&mut self) -> Option<f64> {
        self.skip_space();
        let is_part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
        let end = self.0.iter().position(|byte| !is_part(byte))?;
        let (text, rest) = self.0.split_at(end);
        self.0 = rest;
        let digits = text.strip_prefix(b"-").unwrap_or(text);
        let whole = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let is_json = match &digits[..whole] {
            [] => false,
            [b'0', _, ..] => false,
            _ => digits.get(whole) != Some(&b'.') || digits.get(whole + 1).is_some_and(u8::is_ascii_digit),
        };
        let value: f64 = std::str::from_utf8(text).ok().filter(|_| is_json)?.parse().ok()?;
        value.is_finite().then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::super::read_states;
    use super::*;
    use crate::robots;
    use proptest::prelude::*;

    #[test]
    fn states_of_all_vectors_are_plain_and_others_are_not() {
        let model = robots::load("planar2r").unwrap();
        let all =
            r#" {"q": [1, -0.5e-3], "qd":[0,0],"qdd" : [1E2 , 2], "tau": [0.0, 0], "qd_r": [1, 2], "qdd_r": [3, 4]}"#;
        assert_eq!(read(all.as_bytes(), &model).unwrap(), read_states(all, &model).unwrap().states[0]);
        let bare = " [1, -2.5e-3]\t";
        assert_eq!(read(bare.as_bytes(), &model).unwrap(), read_states(bare, &model).unwrap().states[0]);
        for other in [
            "{}",
            "[1]",
            "[1, 2] 3",
            "[1, \"1/2\"]",
            "[[1, 2]]",
            r#"{"q": {"link1": 1}}"#,
            r#"{"q": [1]}"#,
            r#"{"q": [1, 2], "q": [1, 2]}"#,
            r#"{"q": [1, "1/2"]}"#,
            r#"{"q": [1, 1e999]}"#,
            r#"{"q": [01, 2]}"#,
            r#"{"q": [1., 2]}"#,
            r#"{"q": [+1, 2]}"#,
            r#"{"q": [1, 2],}"#,
            r#"{"q": [1, 2]} x"#,
            r#"{"q": [1, 2], "wrenches": []}"#,
        ] {
            assert_eq!(read(other.as_bytes(), &model), None, "{other}");
        }
    }

    proptest! {
        /// Whatever is read here is what the other reader makes of it.
        #[test]
        fn plain_states_are_those_of_the_reader(
            at in 0..100usize, byte in prop::sample::select(b"0123456789.eE+-,:[]{}\" qdtau_\t".to_vec()), twice in any::<bool>(),
            bare in any::<bool>()
        ) {
            let model = robots::load("planar2r").unwrap();
            let texts: [&[u8]; 2] = [br#"{"q": [0.1, 2e-3], "qd": [-1, 20.50], "tau" :[1E+2,0]}"#, b"[0.1, -2e-3]"];
            let mut text = texts[usize::from(bare)].to_vec();
            let at = at % text.len();
            if twice { text.insert(at, byte) } else { text[at] = byte }
            if let Some(found) = read(&text, &model) {
                let known = read_states(std::str::from_utf8(&text).unwrap(), &model);
                prop_assert_eq!(known.map(|file| file.states), Ok(vec![found]));
            }
        }
    }
}
