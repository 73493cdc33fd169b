//! Writes XML, two spaces a level: elements with attributes, no texts.

/// An XML text under way.
pub(in crate::formats) struct Writer {
    text: String,
    /// The elements that are not ended, each with where what stands in it begins.
    open: Vec<(&'static str, usize)>,
}

/// The attributes of an element, in order.
#[derive(Default)]
pub(in crate::formats) struct Attributes(String);

impl Attributes {
    pub fn new() -> Self {
        Self::default()
    }

    /// An attribute with a text.
    pub fn text(mut self, name: &str, value: &str) -> Self {
        self.0 += &format!(" {name}=\"{}\"", escaped(value));
        self
    }

    /// An attribute with numbers that are read as the same.
    pub fn numbers(self, name: &str, values: &[f64]) -> Self {
        let words: Vec<String> = values.iter().map(|value| digits(*value)).collect();
        self.text(name, &words.join(" "))
    }

    /// The same, if there is something to say: some number is not zero.
    pub fn numbers_unless_zero(self, name: &str, values: &[f64]) -> Self {
        if values.iter().all(|value| *value == 0.0) { self } else { self.numbers(name, values) }
    }
}

impl Writer {
    /// An empty document.
    pub fn new() -> Self {
        Self { text: "<?xml version=\"1.0\"?>\n".to_owned(), open: Vec::new() }
    }

    fn indent(&mut self) {
        self.text.extend(std::iter::repeat_n("  ", self.open.len()));
    }

    /// An element that others stand in, up to [`end`](Self::end).
    pub fn start(&mut self, tag: &'static str, attributes: Attributes) {
        self.indent();
        self.text += &format!("<{tag}{}>\n", attributes.0);
        self.open.push((tag, self.text.len()));
    }

    /// Ends the element that was started last.
    pub fn end(&mut self) {
        match self.open.pop() {
            Some((_, inside)) if inside == self.text.len() => {
                self.text.truncate(inside - ">\n".len());
                self.text += "/>\n";
            }
            Some((tag, _)) => {
                self.indent();
                self.text += &format!("</{tag}>\n");
            }
            None => {}
        }
    }

    /// An element without anything in it.
    pub fn leaf(&mut self, tag: &'static str, attributes: Attributes) {
        self.indent();
        self.text += &format!("<{tag}{}/>\n", attributes.0);
    }

    /// The whole text.
    pub fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.end();
        }
        self.text
    }
}

/// The shortest digits that are read as the same number.
fn digits(value: f64) -> String {
    let text = format!("{value:?}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// A text as the value of an attribute. White space other than blanks would be read as blanks.
pub(in crate::formats) fn escaped(text: &str) -> String {
    escaped_text(text).replace('\n', "&#10;").replace('\t', "&#9;").replace('\r', "&#13;")
}

/// A text between tags.
pub(super) fn escaped_text(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            c => escaped.push(c),
        }
    }
    escaped
}

/// The first character of a name that XML has no way to write.
pub(in crate::formats) fn unwritable(name: &str) -> Option<char> {
    let is_written =
        |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    name.chars().find(|c| !is_written(*c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_numbers_are_read_back_as_they_were() {
        let name = "a <b> & \"c\"\n\tπ 'd'";
        let numbers = [0.1, -1e-300, 3.0, f64::MAX, 1.0 / 3.0, -0.0];
        let mut writer = Writer::new();
        writer.start("robot", Attributes::new().text("name", name));
        writer.leaf("origin", Attributes::new().numbers("xyz", &numbers));
        writer.start("empty", Attributes::new());
        let text = writer.finish();
        let document = roxmltree::Document::parse(&text).unwrap();
        assert_eq!(document.root_element().attribute("name"), Some(name));
        let origin = document.descendants().find(|node| node.has_tag_name("origin")).unwrap();
        let read: Vec<f64> = origin.attribute("xyz").unwrap().split(' ').map(|word| word.parse().unwrap()).collect();
        let bits = |numbers: &[f64]| numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&read), bits(&numbers));
        assert!(text.contains("xyz=\"0.1 -1e-300 3 ") && text.contains("\n  <empty/>\n</robot>\n"), "{text}");
    }

    #[test]
    fn characters_that_xml_lacks_are_found() {
        assert_eq!(unwritable("a\tb\nπ"), None);
        assert_eq!(unwritable("a\u{1}"), Some('\u{1}'));
        assert_eq!(unwritable("\u{ffff}"), Some('\u{ffff}'));
    }
}
