//! Identifiers from names that may contain anything.
//!
//! Letters, digits and underscores of ASCII stay, other letters become their code point (`λ` is `u3bb`, so that names in
//! any script stay apart), everything else becomes one underscore. What is left never starts or ends with an underscore
//! (reserved in C), nor starts with a digit.

use std::collections::HashSet;

/// Most characters of one identifier: MATLAB reads 63.
pub const LONGEST: usize = 40;

/// An identifier from a name; `fallback` if nothing is left of it.
///
/// ```
/// use jourdain_symbolic::emit::identifier::sanitize;
/// assert_eq!(sanitize("iiwa14", "robot"), "iiwa14");
/// assert_eq!(sanitize("x; system(\"rm -rf /\") //", "robot"), "x_system_rm_rf");
/// assert_eq!(sanitize("λ", "robot"), "u3bb");
/// assert_eq!(sanitize("7-dof arm", "robot"), "robot_7_dof_arm");
/// assert_eq!(sanitize("//", "robot"), "robot");
/// ```
#[must_use]
pub fn sanitize(name: &str, fallback: &str) -> String {
    let mut identifier = String::new();
    for c in name.chars() {
        if identifier.len() >= LONGEST {
            break;
        }
        if c.is_ascii_alphanumeric() {
            identifier.push(c);
        } else if !c.is_ascii() && c.is_alphanumeric() {
            identifier.push_str(&format!("u{:x}", u32::from(c)));
        } else if !identifier.is_empty() && !identifier.ends_with('_') {
            identifier.push('_');
        }
    }
    identifier.truncate(LONGEST);
    let identifier = identifier.trim_end_matches('_');
    match identifier.chars().next() {
        None => fallback.to_owned(),
        Some(first) if first.is_ascii_digit() => format!("{fallback}_{identifier}"),
        Some(_) => identifier.to_owned(),
    }
}

/// The name of a module: not a keyword of a language, a header of C or a module of Python, since files are called so.
#[must_use]
pub fn module(name: &str) -> String {
    let identifier = sanitize(name, "robot");
    if RESERVED.split_whitespace().any(|word| identifier.eq_ignore_ascii_case(word)) {
        format!("{identifier}_robot")
    } else {
        identifier
    }
}

/// Makes names different from one another: later ones get a number.
#[must_use]
pub fn distinct(names: impl IntoIterator<Item = String>) -> Vec<String> {
    let names: Vec<String> = names.into_iter().collect();
    // A number must not make a name equal to one that stands for itself further on.
    let given: HashSet<&str> = names.iter().map(String::as_str).collect();
    let mut taken: HashSet<String> = HashSet::new();
    let mut result = Vec::with_capacity(names.len());
    for name in &names {
        let mut fresh = name.clone();
        let mut number = 2;
        while taken.contains(&fresh) || (fresh != *name && given.contains(fresh.as_str())) {
            fresh = format!("{name}_{number}");
            number += 1;
        }
        taken.insert(fresh.clone());
        result.push(fresh);
    }
    result
}

/// Keywords of Rust and Python that are words, headers of the C library, modules that generated Python needs or that its
/// imports would find in their stead, and MATLAB's keywords.
const RESERVED: &str = "\
    abstract and as assert async await become box break class const continue crate def del do dyn elif else enum \
    except extern false final finally fn for from gen global if impl import in is lambda let loop macro match mod move mut \
    none nonlocal not or override pass priv pub raise ref return self static struct super trait true try type typeof \
    unsafe unsized use virtual where while with yield \
    assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdarg stdbool stddef stdint \
    stdio stdlib string tgmath time wchar wctype core std alloc test main \
    abc argparse ast builtins codecs collections contextlib copy ctypes datetime decimal enum fnmatch fractions functools \
    gc glob hashlib importlib inspect io itertools json keyword linecache logging numbers numpy operator os pathlib \
    pickle platform posix random re shutil site stat statistics struct subprocess sys tempfile textwrap threading token \
    tokenize traceback types typing unittest urllib warnings weakref zipfile \
    case catch classdef end events function methods otherwise parfor persistent properties spmd switch unwind_protect";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_becomes_an_identifier_of_all_languages() {
        for name in ["", " ", "__", "int", "λ", "a b", "1", "*/", "\u{0}", "名前", "_x_", "a\u{300}", &"λ".repeat(99)]
        {
            let identifier = sanitize(name, "link");
            assert!(identifier.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'), "{name:?}: {identifier}");
            assert!(identifier.starts_with(|c: char| c.is_ascii_alphabetic()), "{name:?}: {identifier}");
            assert!(identifier.len() <= LONGEST + 5 && !identifier.ends_with('_'), "{name:?}: {identifier}");
        }
    }

    #[test]
    fn names_of_files_are_no_keywords_and_hide_no_library() {
        for name in ["class", "math", "numpy", "match", "stdio", "Math", "end"] {
            assert_eq!(module(name), format!("{name}_robot"));
        }
        assert_eq!(module("int"), "int");
    }

    #[test]
    fn equal_names_get_numbers_that_nobody_has() {
        let names = ["a", "a", "a_2", "a", "b"].map(str::to_owned);
        assert_eq!(distinct(names), ["a", "a_3", "a_2", "a_4", "b"]);
    }
}
