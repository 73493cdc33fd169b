//! Diagnostics as people read them: code, message, the offending line with a mark under it, and the remedy.

use super::fold::fold;
use super::harmless;
use jourdain::model::Diagnostic;
use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, Severity, SourceCode};
use std::fmt;
use std::sync::Arc;

/// Lines longer than this, bytes, are not shown: machine-made files may be one line of megabytes.
const LONGEST_LINE: usize = 400;

/// The diagnostics one after the other, an empty line between them, many of a kind as one; nothing if there are none.
pub fn render(file: &str, source: &str, diagnostics: &[&Diagnostic]) -> String {
    let handler = GraphicalReportHandler::new_themed(GraphicalTheme::unicode()).with_width(100).with_links(false);
    let source = Arc::new(harmless::source(source));
    let file = &harmless::message(file);
    let diagnostics = fold(diagnostics);
    let mut reports = Vec::with_capacity(diagnostics.len());
    for diagnostic in &diagnostics {
        let mut report = String::new();
        // Fails only if a source line cannot be cut out; the plain form then has to do.
        let shown = match &diagnostic.file {
            Some(included) => {
                let name = harmless::message(&included.name);
                Shown::new(&name, &Arc::new(harmless::source(&included.text)), diagnostic)
            }
            None => Shown::new(file, &source, diagnostic),
        };
        if handler.render_report(&mut report, &shown).is_err() {
            report = format!("{file}: {}", harmless::message(&diagnostic.to_string()));
        }
        reports.push(report.trim_end().to_owned() + "\n");
    }
    reports.join("\n")
}

/// A diagnostic with the text it points into.
#[derive(Debug)]
struct Shown<'a> {
    diagnostic: &'a Diagnostic,
    message: String,
    source: Option<NamedSource<Arc<String>>>,
}

impl<'a> Shown<'a> {
    fn new(file: &str, source: &Arc<String>, diagnostic: &'a Diagnostic) -> Self {
        let place = diagnostic.location.filter(|place| place.start < source.len() || !source.is_empty());
        let line = place.map(|place| source.lines().nth(place.line - 1).map_or(0, str::len));
        let said = harmless::message(&diagnostic.message);
        let message = match (place, line) {
            (Some(_), Some(length)) if length <= LONGEST_LINE => said,
            (Some(place), _) => format!("{file}:{}:{}: {}", place.line, place.column, said),
            (None, _) => format!("{file}: {said}"),
        };
        let showable = line.is_some_and(|length| length <= LONGEST_LINE);
        Self { diagnostic, message, source: showable.then(|| NamedSource::new(file, Arc::clone(source))) }
    }
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Shown<'_> {}

impl miette::Diagnostic for Shown<'_> {
    fn code<'b>(&'b self) -> Option<Box<dyn fmt::Display + 'b>> {
        let severity = if self.diagnostic.is_error() { "error" } else { "warning" };
        Some(Box::new(format!("{severity}[{}]", self.diagnostic.code)))
    }

    fn severity(&self) -> Option<Severity> {
        Some(if self.diagnostic.is_error() { Severity::Error } else { Severity::Warning })
    }

    fn help<'b>(&'b self) -> Option<Box<dyn fmt::Display + 'b>> {
        Some(Box::new(harmless::message(self.diagnostic.hint.as_ref()?)))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_ref().map(|source| source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        self.source.as_ref()?;
        let place = self.diagnostic.location?;
        // A table that spans many lines is marked by its first.
        let text = self.source.as_ref()?.inner();
        let rest = text.get(place.start..place.end).unwrap_or_default();
        let length = rest.lines().next().map_or(0, |line| line.trim_end().len());
        Some(Box::new(std::iter::once(LabeledSpan::new(None, place.start, length))))
    }
}
