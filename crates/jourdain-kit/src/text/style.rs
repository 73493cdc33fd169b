//! How words are set off; whoever prints them takes the colours out where nobody can see them.

use anstyle::{AnsiColor, Style};

/// Headings.
pub const HEADING: Style = Style::new().bold();
/// What matters less.
pub const FAINT: Style = Style::new().dimmed();
/// Good news.
pub const GOOD: Style = AnsiColor::Green.on_default().bold();
/// Bad news.
pub const BAD: Style = AnsiColor::Red.on_default().bold();
/// News to think about.
pub const WARN: Style = AnsiColor::Yellow.on_default().bold();

/// The text without colours, for a file: what [`Style`] writes begins with an escape and ends with the letter m.
#[must_use]
pub fn plain(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    parts.for_each(|part| plain.push_str(part.split_once('m').map_or(part, |(_, rest)| rest)));
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_come_off() {
        let text = format!("{HEADING}a{HEADING:#} m {BAD}[1m{BAD:#}\n{WARN}{FAINT}b{FAINT:#}{WARN:#}");
        assert_eq!(plain(&text), "a m [1m\nb");
    }
}
