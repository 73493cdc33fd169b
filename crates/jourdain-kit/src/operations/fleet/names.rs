//! Whose a log is, and of which day: what its path says.
//!
//! A pattern such as `{robot}/{day}.csv` is laid over the end of the path, as many parts of it as the pattern has. Without one the folder
//! names the robot and the file, without its ending, the day. Where a column names robots, paths name days alone.

use crate::problem::Problem;

/// What a path may be read by.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    /// Per part of the path, words and places in turn.
    parts: Vec<Vec<Piece>>,
    text: String,
}

#[derive(Clone, Debug, PartialEq)]
enum Piece {
    Words(String),
    Robot,
    Day,
    Anything,
}

impl Pattern {
    /// From `{robot}/{day}.csv`; `*` stands for anything. It names the robot unless a column does.
    pub fn parse(text: &str, has_column: bool) -> Result<Self, Problem> {
        let bad = |why: &str| {
            let message = format!("`{text}` is no pattern of paths: {why}");
            Problem::usage(message).hint("{robot}/{day}.csv, or arm-{robot}_*.parquet")
        };
        let parts =
            text.split('/').map(pieces).collect::<Option<Vec<_>>>().ok_or_else(|| bad("{robot}, {day} or *"))?;
        let count = |piece: &Piece| parts.iter().flatten().filter(|other| *other == piece).count();
        if count(&Piece::Robot) != usize::from(!has_column) || count(&Piece::Day) > 1 {
            return Err(bad(if has_column {
                "--column names the robots, so it has no {robot}, and {day} once at most"
            } else {
                "it needs {robot} once, and {day} once at most"
            }));
        }
        let open = |piece: &Piece| !matches!(piece, Piece::Words(_));
        if parts.iter().any(|part| part.windows(2).any(|pair| pair.iter().all(open))) {
            return Err(bad("two places side by side cannot be told apart"));
        }
        Ok(Self { parts, text: text.to_owned() })
    }

    /// The robot, empty if a column names it, and the day of a path.
    pub fn read(&self, path: &str) -> Result<(String, String), Problem> {
        let all: Vec<&str> = path.split(['/', '\\']).filter(|part| !part.is_empty()).collect();
        let found = all.len().checked_sub(self.parts.len()).and_then(|first| {
            let (mut robot, mut day) = (None, None);
            for (part, pieces) in all[first..].iter().zip(&self.parts) {
                fill(part, pieces, &mut robot, &mut day)?;
            }
            let names_robot = self.parts.iter().flatten().any(|piece| *piece == Piece::Robot);
            Some((if names_robot { robot? } else { String::new() }, day))
        });
        let Some((robot, day)) = found else {
            let message = format!("the path is not like `{}`: it does not say whose the log is", self.text);
            return Err(Problem::new("unnamed-robot", message).file(path));
        };
        Ok((robot, day.unwrap_or_else(|| stem(path).to_owned())))
    }
}

/// The pieces of one part of a path; `None` if a bracket does not close or holds something else.
fn pieces(part: &str) -> Option<Vec<Piece>> {
    let (mut pieces, mut rest) = (Vec::new(), part);
    while !rest.is_empty() {
        let end = rest.find(['{', '*']).unwrap_or(rest.len());
        if end > 0 {
            pieces.push(Piece::Words(rest[..end].to_owned()));
        }
        rest = &rest[end..];
        for (mark, piece) in [("{robot}", Piece::Robot), ("{day}", Piece::Day), ("*", Piece::Anything)] {
            if let Some(after) = rest.strip_prefix(mark) {
                pieces.push(piece);
                rest = after;
                break;
            }
        }
        if rest.starts_with('{') && !rest.starts_with("{robot}") && !rest.starts_with("{day}") {
            return None;
        }
    }
    Some(pieces)
}

/// Fills places with what stands there; the words after a place end it where they come last.
fn fill(part: &str, pieces: &[Piece], robot: &mut Option<String>, day: &mut Option<String>) -> Option<()> {
    let (mut rest, mut at) = (part, 0);
    while at < pieces.len() {
        let place = match &pieces[at] {
            Piece::Words(words) => {
                rest = rest.strip_prefix(words.as_str())?;
                at += 1;
                continue;
            }
            Piece::Robot => Some(&mut *robot),
            Piece::Day => Some(&mut *day),
            Piece::Anything => None,
        };
        let end = match pieces.get(at + 1) {
            Some(Piece::Words(words)) => rest.rfind(words.as_str())?,
            _ => rest.len(),
        };
        if let Some(place) = place {
            *place = Some(rest[..end].to_owned()).filter(|text| !text.is_empty());
        }
        rest = &rest[end..];
        at += 1;
    }
    rest.is_empty().then_some(())
}

/// What a path says without a pattern: its folder and its name; a file without a folder is of the robot that the model is.
pub(super) fn by_folder(path: &str, model: &str) -> (String, String) {
    let parts: Vec<&str> = path.split(['/', '\\']).filter(|part| !part.is_empty()).collect();
    let folder = parts.len().checked_sub(2).map(|at| parts[at]).filter(|name| !matches!(*name, "." | ".."));
    (folder.unwrap_or(model).to_owned(), stem(path).to_owned())
}

/// The name of a file without folder and ending.
fn stem(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_names_robot_and_day() {
        let read = |pattern: &str, path: &str| Pattern::parse(pattern, false).unwrap().read(path).unwrap();
        let pair = |robot: &str, day: &str| (robot.to_owned(), day.to_owned());
        assert_eq!(read("{robot}/{day}.csv", "/logs/r1/2026-01-05.csv"), pair("r1", "2026-01-05"));
        assert_eq!(read("arm-{robot}_{day}.parquet", "s3://b/x/arm-a_7_monday.parquet"), pair("a_7", "monday"));
        assert_eq!(read("{robot}_*.csv", "logs/r2_late.csv"), pair("r2", "r2_late"));
        assert_eq!(read("{robot}/*/{day}.csv", "r3/x/1.csv"), pair("r3", "1"));
    }

    #[test]
    fn what_fits_no_pattern_is_told() {
        for bad in ["{day}.csv", "{robot}{day}", "{robot}/{robot}", "{arm}/x", "{robot"] {
            assert_eq!(Pattern::parse(bad, false).unwrap_err().kind(), "usage", "{bad}");
        }
        let pattern = Pattern::parse("{robot}/{day}.csv", false).unwrap();
        for path in ["x.csv", "r1/x.parquet"] {
            assert_eq!(pattern.read(path).unwrap_err().kind(), "unnamed-robot", "{path}");
        }
    }

    #[test]
    fn beside_a_column_a_pattern_names_days_alone() {
        let pattern = Pattern::parse("cell_{day}.csv", true).unwrap();
        assert_eq!(pattern.read("logs/cell_monday.csv").unwrap(), (String::new(), "monday".to_owned()));
        assert_eq!(Pattern::parse("{robot}/{day}.csv", true).unwrap_err().kind(), "usage");
    }

    #[test]
    fn without_one_the_folder_names_the_robot() {
        assert_eq!(by_folder("logs/r1/monday.csv", "m"), ("r1".to_owned(), "monday".to_owned()));
        assert_eq!(by_folder("./monday.csv", "m"), ("m".to_owned(), "monday".to_owned()));
    }
}
