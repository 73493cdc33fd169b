//! The one reader of whole texts: from a file, from standard input or from the request itself, never more than is sensible.

use crate::files;
use crate::host::Host;
use crate::limits::{READ_STREAM, READ_TEXT};
use crate::problem::Problem;
use jourdain::model::Diagnostic;
use std::io::{self, Read};

/// The name that stands for standard input.
pub const STDIN: &str = "-";

/// A text that a field of a request gave.
#[derive(Debug)]
pub struct Given {
    /// The text.
    pub text: String,
    /// `None` if the text stood in the request.
    pub file: Option<String>,
    /// What it is called in reports.
    pub title: String,
}

impl Given {
    /// What a reader found in it.
    #[must_use]
    pub fn problem(self, found: Vec<Diagnostic>) -> Problem {
        Problem::findings(self.file.as_deref(), &self.title, self.text, found)
    }
}

/// What a text is, for messages.
#[derive(Clone, Copy, Debug)]
pub struct What {
    /// `the state`.
    pub name: &'static str,
    /// The field or option that gives it, `--state`.
    pub option: &'static str,
    /// What may stand there, as a hint.
    pub hint: &'static str,
}

/// True if the argument is JSON itself rather than the name of a file.
#[must_use]
pub fn is_inline_json(argument: &str) -> bool {
    argument.trim_start().starts_with(['{', '['])
}

/// A text from a file, from standard input (`-`) or, if it opens with a bracket, the argument itself.
///
/// # Errors
/// It cannot be read, is too long or no UTF-8.
pub fn given(argument: &str, what: What, host: &dyn Host) -> Result<Given, Problem> {
    if is_inline_json(argument) {
        return Ok(Given { text: argument.to_owned(), file: None, title: what.option.to_owned() });
    }
    text(argument, bytes(argument, what, host)?, what)
}

/// Bytes of a source as a text.
///
/// # Errors
/// They are no UTF-8.
pub(crate) fn text(source: &str, bytes: Vec<u8>, what: What) -> Result<Given, Problem> {
    let text = String::from_utf8(bytes)
        .map_err(|_| Problem::new("not-utf8", format!("{} is not UTF-8 text", what.name)).file(source))?;
    Ok(Given { text, file: Some(source.to_owned()), title: title(source).to_owned() })
}

/// What a source is called in reports.
#[must_use]
pub fn title(source: &str) -> &str {
    if source == STDIN { "standard input" } else { source }
}

/// All bytes of a file or of standard input.
///
/// # Errors
/// They cannot be read, or are too many.
pub fn bytes(source: &str, what: What, host: &dyn Host) -> Result<Vec<u8>, Problem> {
    let (stream, length) = open(source, host).map_err(|error| cannot_read(source, what, &error))?;
    rest(Vec::new(), stream, length, source, what)
}

/// The same where some bytes have been read already.
///
/// # Errors
/// They cannot be read, or are too many.
pub(crate) fn rest(
    mut bytes: Vec<u8>,
    stream: impl Read,
    length: Option<u64>,
    source: &str,
    what: What,
) -> Result<Vec<u8>, Problem> {
    let limit = if length.is_some() { READ_TEXT } else { READ_STREAM };
    let too_large = |length: usize| {
        let message = || format!("{}: more than {} MB", what.name, limit.most >> 20);
        let refused = || Problem::new("too-large", message()).file(source).hint(format!("the reason: {}", limit.why));
        if length > limit.most { Err(refused()) } else { Ok(()) }
    };
    let length = length.map_or(0, |length| usize::try_from(length).unwrap_or(usize::MAX));
    too_large(length)?;
    bytes.reserve_exact(length.saturating_sub(bytes.len()));
    // One byte more than allowed shows that it is too much; an endless device ends there.
    let most = limit.most.saturating_sub(bytes.len()) as u64 + 1;
    stream.take(most).read_to_end(&mut bytes).map_err(|error| cannot_read(source, what, &error))?;
    too_large(bytes.len())?;
    Ok(bytes)
}

/// A file or standard input as a stream, with its length where that is known.
///
/// # Errors
/// It cannot be opened.
pub fn open(source: &str, host: &dyn Host) -> io::Result<(Box<dyn Read>, Option<u64>)> {
    if source == STDIN {
        return Ok((host.standard_input()?, None));
    }
    files::open(source, host)
}

/// That something cannot be read.
#[must_use]
pub fn cannot_read(source: &str, what: What, error: &dyn std::fmt::Display) -> Problem {
    let problem = Problem::new("cannot-read", format!("cannot read {}: {error}", what.name)).file(source);
    if what.hint.is_empty() { problem } else { problem.hint(what.hint) }
}

/// A list of numbers that stands in the request as JSON; `option` gives it.
///
/// # Errors
/// It is none.
pub fn list(text: &str, option: &str) -> Result<Vec<f64>, Problem> {
    serde_json::from_str(text).map_err(|error| {
        Problem::new("bad-list", format!("{option} `{text}` is not a list of numbers: {error}"))
            .hint(format!("write it as JSON: {option} '[0.1, -0.2]'"))
    })
}

/// Lists of numbers, or one such list alone, that stand in the request as JSON; `option` gives them.
///
/// # Errors
/// They are none.
pub fn lists(text: &str, option: &str) -> Result<Vec<Vec<f64>>, Problem> {
    if let Ok(row) = serde_json::from_str(text) {
        return Ok(vec![row]);
    }
    serde_json::from_str(text).map_err(|error| {
        Problem::new("bad-list", format!("{option} `{text}` is not a list of lists of numbers: {error}"))
            .hint(format!("write it as JSON: {option} '[[0, 0], [0, 1.57]]'"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_one_or_several() {
        assert_eq!(list("[1, -0.5]", "--at").unwrap(), [1.0, -0.5]);
        assert_eq!(lists("[1, 2]", "--at").unwrap(), [[1.0, 2.0]]);
        assert_eq!(lists("[[1], [2]]", "--at").unwrap(), [[1.0], [2.0]]);
        for bad in ["", "1", "[1", "[[1]]", "[null]", "[1e999]"] {
            assert_eq!(list(bad, "--at").unwrap_err().kind(), "bad-list", "{bad}");
        }
        for bad in ["", "1", "[[1], 2]", "[[[1]]]"] {
            assert_eq!(lists(bad, "--at").unwrap_err().kind(), "bad-list", "{bad}");
        }
    }
}
