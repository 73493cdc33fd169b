//! Text for comments. Only letters, digits and harmless punctuation of ASCII pass, so that no name can end a comment
//! (`*/`, a newline, `"""`), continue it on the next line (`\`, the trigraph `??/`) or open another (`/*`, `%{`).

/// Most characters of one text.
const LONGEST: usize = 2000;

/// The text with everything else replaced; signs of formulas are spelled out.
///
/// ```
/// use jourdain_symbolic::emit::comment::text;
/// assert_eq!(text("\u{3c4} = M q\u{308} + C q\u{307}"), "tau = M q'' + C q'");
/// assert_eq!(text("*/ int x; /*\n\\"), "_/ int x; /___");
/// ```
#[must_use]
pub fn text(text: &str) -> String {
    let mut clean = String::new();
    for c in text.chars() {
        if clean.len() >= LONGEST {
            clean.push_str("...");
            break;
        }
        let allowed = c.is_ascii_alphanumeric() || " _-.,:;=+()[]<>/'|^@&!~".contains(c);
        match SPELLED.iter().find(|(sign, _)| *sign == c) {
            Some((_, word)) => clean.push_str(word),
            None => clean.push(if allowed { c } else { '_' }),
        }
    }
    clean
}

/// Signs of formulas; a dot or two above a letter are a prime or two after it.
const SPELLED: [(char, &str); 20] = [
    ('\u{307}', "'"),
    ('\u{308}', "''"),
    ('\u{1e40}', "M'"),
    ('\u{3c4}', "tau"),
    ('\u{3c0}', "pi"),
    ('\u{3a3}', "sum"),
    ('\u{393}', "Gamma"),
    ('\u{2202}', "d"),
    ('\u{d7}', "x"),
    ('\u{b7}', " "),
    ('\u{bd}', "1/2"),
    ('\u{2212}', "-"),
    ('\u{2013}', "-"),
    ('\u{1d40}', "^T"),
    ('\u{207b}', "^-"),
    ('\u{b9}', "1"),
    ('\u{b2}', "^2"),
    ('\u{b3}', "^3"),
    ('\u{2074}', "^4"),
    ('"', "'"),
];

/// Words joined to lines of at most `width` characters; a longer word has a line of its own.
#[must_use]
pub fn wrap(words: impl IntoIterator<Item = String>, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if line.len() + 1 + word.len() <= width => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}
