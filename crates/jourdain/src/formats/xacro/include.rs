//! `<xacro:include>`: what another file holds, in the place of the tag.
//!
//! A path begins at the folder of the file that includes. A file may be included again, and each time it is expanded anew.

use super::super::limits::{MAX_DEPTH, MAX_INCLUDE_DEPTH, MAX_INCLUDED_FILES};
use super::super::native::shorten;
use super::super::xml::{self, Element, Span};
use super::failure::{Failure, Outcome};
use super::{Expander, text};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::rc::Rc;

impl Expander<'_, '_> {
    pub(super) fn include(&mut self, element: &Element, scope: usize, target: &mut Element) -> Outcome<()> {
        self.known_attributes(element, &["filename", "ns", "optional"]);
        let span = element.span_of("filename");
        let given = self.evaluate_text(self.required(element, "filename")?, scope, span)?;
        let is_optional = match element.get("optional") {
            None => false,
            Some(value) => match text::truth(value) {
                Some(truth) => truth,
                None => text::no_condition(value, value).map_err(|failure| failure.at(element.span_of("optional")))?,
            },
        };
        if let Some(child) = element.children().next() {
            let message = "what stands inside <xacro:include> is ignored".to_owned();
            self.warn("unsupported-tag", message, None, child.span);
        }
        let inside = match element.attribute("ns").filter(|ns| !ns.value.is_empty()) {
            Some(ns) => {
                let name = self.evaluate_text(&ns.value, scope, ns.span)?;
                self.scopes.open_namespace(scope, &name)
            }
            None => scope,
        };
        let path = self.folder().join(&given);
        let paths = if given.contains(['*', '[', '?']) { self.matching(&path, span) } else { vec![path] };
        for path in paths {
            self.include_file(&xml::normal(&path), is_optional, span, inside, target)?;
        }
        Ok(())
    }

    fn include_file(
        &mut self,
        path: &Path,
        is_optional: bool,
        span: Span,
        scope: usize,
        target: &mut Element,
    ) -> Outcome<()> {
        if self.stack.len() > MAX_INCLUDE_DEPTH {
            let message = format!("files include one another more than {MAX_INCLUDE_DEPTH} levels deep");
            return Err(Failure::limit(message).at(span));
        }
        let Some(root) = self.parse_file(path, is_optional).map_err(|failure| failure.at(span))? else { return Ok(()) };
        self.stack.push(path.to_owned());
        for attribute in root.attributes.iter().filter(|attribute| !attribute.name.starts_with(super::PREFIX)) {
            self.evaluate_text(&attribute.value, scope, attribute.span)?;
        }
        self.lift_namespaces(&root, target);
        self.nodes(&root.nodes, scope, target, false)?;
        self.stack.pop();
        Ok(())
    }

    /// The tree of a file; none if it may be missing and is.
    fn parse_file(&mut self, path: &Path, is_optional: bool) -> Outcome<Option<Rc<Element>>> {
        if let Some(root) = self.parsed.get(path) {
            return Ok(Some(Rc::clone(root)));
        }
        let Some(file) = self.read_file(path, is_optional)? else { return Ok(None) };
        let root = xml::parse(self.sources.get(file), file, MAX_DEPTH).map_err(|diagnostic| {
            let diagnostic = *diagnostic;
            let whole = self.sources.get(file).text.len() as u32;
            let span = diagnostic.location.map(|place| Span { file, start: place.start as u32, end: place.end as u32 });
            let failure = Failure::new(diagnostic.code, diagnostic.message);
            let failure = failure.at(span.unwrap_or(Span { file, start: 0, end: whole }));
            Box::new(Failure { hint: diagnostic.hint, ..*failure })
        })?;
        let root = Rc::new(root);
        self.parsed.insert(path.to_owned(), Rc::clone(&root));
        Ok(Some(root))
    }

    /// Takes in the text of a file and gives its number.
    pub(super) fn read_file(&mut self, path: &Path, is_optional: bool) -> Outcome<Option<u32>> {
        if self.sources.count() > MAX_INCLUDED_FILES {
            return Err(Failure::limit(format!("more than {MAX_INCLUDED_FILES} files are included")));
        }
        match self.files.read(path).and_then(xml::text_of) {
            Ok(text) => Ok(Some(self.sources.add(path.display().to_string(), text))),
            Err(error) if is_optional && error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => {
                let name = shorten(&path.display().to_string());
                let failure = Failure::new("cannot-read", format!("cannot read `{name}`: {error}"));
                Err(failure.hint("paths begin at the folder of the file that includes; $(find package) at a package"))
            }
        }
    }

    /// The folder of the file at hand, from that of the main file.
    pub(super) fn folder(&self) -> PathBuf {
        self.stack.last().and_then(|file| file.parent()).map(Path::to_owned).unwrap_or_default()
    }

    /// A path beside the file at hand, as seen from where the main file was named.
    pub(super) fn full_path(&self, file: &str) -> PathBuf {
        self.files.folder().unwrap_or_default().join(self.folder()).join(file)
    }

    /// A path from the folder of the main file, from the root of all folders.
    pub(super) fn absolute(&self, path: &Path) -> Option<PathBuf> {
        let folder = self.files.working_folder()?.join(self.files.folder()?);
        Some(xml::normal(&folder.join(path)))
    }

    /// The files that a path with `*`, `?` or `[…]` stands for, in alphabetical order.
    fn matching(&mut self, path: &Path, span: Span) -> Vec<PathBuf> {
        let mut found = vec![PathBuf::new()];
        for part in path.components() {
            let name = part.as_os_str().to_string_lossy();
            if !name.contains(['*', '[', '?']) {
                found.iter_mut().for_each(|folder| folder.push(part));
                continue;
            }
            let inside = |folder: PathBuf| {
                let names = self.files.list(&folder).unwrap_or_default();
                let fits = names.into_iter().filter(|other| matches(&name, other));
                fits.map(move |other| folder.join(other)).collect::<Vec<_>>()
            };
            found = found.into_iter().flat_map(inside).take(MAX_INCLUDED_FILES).collect();
        }
        found.sort();
        if found.is_empty() {
            let message = format!("no file is like `{}`, nothing is included", shorten(&path.display().to_string()));
            self.warn("xacro-no-match", message, None, span);
        }
        found
    }
}

/// Whether a name fits a pattern of `*`, `?`, `[abc]` and `[!abc]`; a leading dot must be written.
fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    if name.first() == Some(&'.') && pattern.first() != Some(&'.') {
        return false;
    }
    // Back to the last star, which then takes one letter more.
    let (mut p, mut n, mut star) = (0, 0, None);
    while n < name.len() {
        match one(&pattern[p..], name[n]) {
            Some(length) => (p, n) = (p + length, n + 1),
            None if pattern.get(p) == Some(&'*') => {
                star = Some((p, n));
                p += 1;
            }
            None => match star {
                Some((at, taken)) => {
                    star = Some((at, taken + 1));
                    (p, n) = (at + 1, taken + 1);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|letter| *letter == '*')
}

/// The length of the pattern's first part if it fits one letter.
fn one(pattern: &[char], letter: char) -> Option<usize> {
    match pattern {
        ['?', ..] => Some(1),
        ['*', ..] | [] => None,
        ['[', inside @ ..] => {
            let is_other = matches!(inside.first(), Some('!' | '^'));
            let set = &inside[usize::from(is_other)..];
            let Some(end) = set.iter().skip(1).position(|c| *c == ']').map(|end| end + 1) else {
                return (letter == '[').then_some(1);
            };
            let set = &set[..end];
            let ranges = set.windows(3).any(|range| range[1] == '-' && (range[0]..=range[2]).contains(&letter));
            (is_other != (ranges || set.contains(&letter))).then_some(end + 2 + usize::from(is_other))
        }
        [first, ..] => (*first == letter).then_some(1),
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_fit_as_in_a_shell() {
        for (pattern, name, fits) in [
            ("*.xacro", "a.xacro", true),
            ("*.xacro", ".a.xacro", false),
            ("a?c*", "abcde", true),
            ("a?c", "ac", false),
            ("[ab]*[!0-9]", "b1x", true),
            ("[ab]*[!0-9]", "b1", false),
            ("*a*b*", "xxaxxbxx", true),
            ("*a*b", "xxaxxbxx", false),
            ("[", "[", true),
            ("**", "anything", true),
        ] {
            assert_eq!(matches(pattern, name), fits, "{pattern} {name}");
        }
    }
}
