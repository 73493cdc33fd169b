//! The few elements that the page is made of. Words that come from files pass through [`escaped`], here and nowhere else.

use jourdain::model::harmless;
use std::fmt::Write as _;

/// Tables with more columns are set closer, so that they fit a page.
const MANY: usize = 9;

/// Words as they stand in a page.
pub(in crate::operations) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in harmless::text(text).chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}

/// A file without its folder.
pub(in crate::operations) fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// A paragraph.
pub(in crate::operations) fn paragraph(text: &str) -> String {
    format!("<p>{}</p>\n", escaped(text))
}

/// A heading inside a section.
pub(in crate::operations) fn heading(text: &str) -> String {
    format!("<h3>{}</h3>\n", escaped(text))
}

/// A command, to be copied.
pub(in crate::operations) fn command(text: &str) -> String {
    format!("<pre>{}</pre>\n", escaped(text))
}

/// A list of sentences.
pub(in crate::operations) fn list(class: &str, items: &[String]) -> String {
    let items: String = items.iter().map(|item| format!("<li>{}</li>\n", escaped(item))).collect();
    format!("<ul class=\"{class}\">\n{items}</ul>\n")
}

/// A table: the first column has names, the others numbers or words.
pub(in crate::operations) struct Table {
    heading: Vec<String>,
    /// The last columns that hold words.
    words: usize,
    rows: String,
}

/// What stands in a cell.
pub(in crate::operations) enum Cell {
    /// A number, on the right.
    Number(String),
    /// A number with what it was before below it.
    Beside(String, String),
    /// Words, on the left.
    Words(String),
    /// A share with a bar as long as it, of a largest one.
    Share(String, f64),
}

impl Table {
    pub(in crate::operations) fn new(heading: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { heading: heading.into_iter().map(Into::into).collect(), words: 0, rows: String::new() }
    }

    /// The same, so many of whose last columns hold words.
    pub(in crate::operations) fn words(self, words: usize) -> Self {
        Self { words, ..self }
    }

    /// A row; a doubtful one is fainter.
    pub(in crate::operations) fn row(&mut self, name: &str, doubtful: bool, cells: impl IntoIterator<Item = Cell>) {
        let class = if doubtful { " class=\"doubtful\"" } else { "" };
        let mut row = format!("<tr{class}><th scope=\"row\">{}</th>", escaped(name));
        for cell in cells {
            let _ = match cell {
                Cell::Number(text) => write!(row, "<td>{}</td>", escaped(&text)),
                Cell::Beside(text, prior) => {
                    write!(row, "<td>{}<span class=\"prior\">{}</span></td>", escaped(&text), escaped(&prior))
                }
                Cell::Words(text) => write!(row, "<td class=\"words\">{}</td>", escaped(&text)),
                Cell::Share(text, share) => {
                    let width = 100.0 * if share.is_finite() { share.clamp(0.0, 1.0) } else { 1.0 };
                    let over = if share < 1.0 { "" } else { " class=\"over\"" };
                    write!(
                        row,
                        "<td>{}<span class=\"bar\" aria-hidden=\"true\"><i{over} style=\"width:{width:.1}%\"></i></span></td>",
                        escaped(&text)
                    )
                }
            };
        }
        self.rows += &row;
        self.rows += "</tr>\n";
    }

    pub(in crate::operations) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub(in crate::operations) fn html(&self) -> String {
        let numbers = self.heading.len().saturating_sub(self.words);
        let heading: String = (self.heading.iter().enumerate())
            .map(|(i, text)| {
                let class = if i < numbers { "" } else { " class=\"words\"" };
                format!("<th scope=\"col\"{class}>{}</th>", escaped(text))
            })
            .collect();
        let class = if self.heading.len() > MANY { " class=\"dense\"" } else { "" };
        format!(
            "<div class=\"wide\"><table{class}>\n<thead><tr>{heading}</tr></thead>\n<tbody>\n{}</tbody>\n</table></div>\n",
            self.rows
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_from_files_are_words_in_every_element() {
        let hostile = "<script>alert('x')</script>&\"";
        let mut table = Table::new([hostile]);
        table.row(hostile, true, [Cell::Words(hostile.into()), Cell::Beside(hostile.into(), hostile.into())]);
        table.row(hostile, false, [Cell::Number(hostile.into()), Cell::Share(hostile.into(), f64::NAN)]);
        let page = [
            table.html(),
            paragraph(hostile),
            heading(hostile),
            command(hostile),
            list("warnings", &[hostile.to_owned()]),
        ];
        for part in page {
            assert!(!part.contains("<script") && part.contains("&lt;script&gt;alert(&#39;x&#39;)"), "{part}");
        }
    }
}
