//! xacro files in several pieces: what they include, the YAML they load, the names of both, and what surrounds them. What is wrong
//! is told in the file where it stands.

use jourdain::formats::{self, Expansion, Files};
use jourdain::model::Diagnostic;
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};

/// Files in memory, in no folder and in no environment.
struct Alone(Vec<(&'static str, Vec<u8>)>);

impl Files for Alone {
    fn read(&self, path: &Path) -> Result<Vec<u8>> {
        let found = self.0.iter().find(|(name, _)| Path::new(name) == path);
        found.map(|(_, bytes)| bytes.clone()).ok_or_else(|| Error::new(ErrorKind::NotFound, "not here"))
    }
}

/// The same in the folder `robots/arm` of the caller's `/work`, with arguments.
struct Placed(Alone, Vec<(String, String)>);

impl Files for Placed {
    fn read(&self, path: &Path) -> Result<Vec<u8>> {
        self.0.read(path)
    }

    fn folder(&self) -> Option<PathBuf> {
        Some("robots/arm".into())
    }

    fn working_folder(&self) -> Option<PathBuf> {
        Some("/work".into())
    }

    fn arguments(&self) -> &[(String, String)] {
        &self.1
    }
}

fn expand(body: &str, files: &dyn Files) -> Expansion {
    let text = format!("<robot xmlns:xacro=\"http://www.ros.org/wiki/xacro\">\n{body}</robot>");
    formats::expand(text.as_bytes(), Path::new("main.xacro"), files)
}

/// What stands in the root of what comes out.
fn expanded(body: &str, files: &dyn Files) -> String {
    let expansion = expand(body, files);
    let text = expansion.text.unwrap_or_else(|| panic!("{body}: {:?}", expansion.diagnostics));
    let document = roxmltree::Document::parse(&text).unwrap();
    let inside: Vec<&str> = document
        .root_element()
        .children()
        .filter(roxmltree::Node::is_element)
        .map(|node| &text[node.range()])
        .collect();
    inside.concat()
}

fn error_of(body: &str, files: &dyn Files) -> Diagnostic {
    let expansion = expand(body, files);
    assert!(expansion.text.is_none(), "{body}");
    expansion.diagnostics.into_iter().find(Diagnostic::is_error).unwrap()
}

/// The file, line and column that something is told about; the main file is not named.
fn place(found: &Diagnostic) -> (Option<&str>, usize, usize) {
    let place = found.location.unwrap();
    (found.file.as_ref().map(|file| file.name.as_str()), place.line, place.column)
}

fn alone(files: &[(&'static str, &str)]) -> Alone {
    Alone(files.iter().map(|(name, text)| (*name, text.as_bytes().to_vec())).collect())
}

#[test]
fn yaml_is_typed_as_python_types_it() {
    for (yaml, expression, expected) in [
        ("a: !!int \"7\"\nb: !!float 2\n", "y.a + y.b", "9.0"),
        ("a: !!bool yes\nb: !!null ~\n", "str([y.a, y.b])", "[True, None]"),
        ("a: !!str 7\n", "y.a + 'x'", "7x"),
        ("a: !degrees 180\n", "y.a == pi", "True"),
        ("a: !inches \"'2' + '.5'\"\n", "y.a", "0.0635"),
        ("base: &b {a: 1, b: 2}\narm: {<<: *b, b: 3}\n", "str([y.arm.a, y.arm.b])", "[1, 3]"),
        // Of several the first counts.
        (
            "x: &x {a: 1}\nz: &z {a: 2, b: 5}\narm: {<<: [*x, *z], c: 6}\n",
            "str([y.arm.a, y.arm.b, y.arm.c])",
            "[1, 5, 6]",
        ),
        ("- [1, 2]\n- x\n", "y[0][1]", "2"),
        ("", "y", "None"),
        ("'a'", "y", "a"),
    ] {
        let body =
            format!("<xacro:property name=\"y\" value=\"${{load_yaml('a.yaml')}}\"/><l v=\"${{{expression}}}\"/>");
        assert_eq!(expanded(&body, &alone(&[("a.yaml", yaml)])), format!("<l v=\"{expected}\"/>"), "{yaml}");
    }
    let twice = "<l v=\"${load_yaml('a.yaml').a + load_yaml('./b/../a.yaml').a}\"/>";
    assert_eq!(expanded(twice, &alone(&[("a.yaml", "a: 4\n")])), "<l v=\"8\"/>");
}

#[test]
fn yaml_that_is_wrong_is_refused_where_it_stands() {
    for (yaml, line, column, message, hint) in [
        ("a: 1\nb: !!int x\n", 2, 4, "YAML: \"x\" is no number", None),
        ("a: !!float x\n", 1, 4, "YAML: \"x\" is no number", None),
        ("a: !!binary x\n", 1, 4, "YAML: the tag `!!binary` is not supported", None),
        ("a:\n  - !degree 3\n", 2, 5, "YAML: the tag `!degree` has no meaning", Some("did you mean `degrees`?")),
        ("a: !meters [1]\nb: !meters \"'x'\"\n", 2, 4, "YAML: `!meters` takes a number, not \"'x'\"", None),
        ("a: !meters k\n", 1, 4, "there is no property `k`", None),
        ("a: !meters xacro.arg('k')\n", 1, 4, "YAML: functions of xacro cannot be called here", None),
        ("a: {<<: 3}\n", 1, 9, "YAML: `<<` takes a dict, or a list of dicts", None),
        ("a: &a [1, *a]\n", 1, 11, "YAML: an alias inside of what it stands for", None),
        ("? [1]\n: 2\n", 2, 3, "a list cannot be the key of a dict", None),
        ("a: 1\n---\nb: 2\n", 2, 1, "YAML: a second document", Some("a file has one")),
    ] {
        let error = error_of("<l v=\"${load_yaml('a.yaml')}\"/>", &alone(&[("a.yaml", yaml)]));
        assert_eq!(place(&error), (Some("a.yaml"), line, column), "{yaml} {error}");
        assert_eq!(error.message, message, "{yaml}");
        if let Some(hint) = hint {
            assert_eq!(error.hint.as_deref(), Some(hint), "{yaml}");
        }
    }
}

#[test]
fn substitutions_take_what_they_are_made_for() {
    let placed = |arguments: &[(&str, &str)]| {
        let pairs = arguments.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        Placed(alone(&[("parts/part.xacro", "<robot><l v=\"$(dirname)\"/></robot>")]), pairs)
    };
    let body = "<l v=\"$(dirname) $(cwd)\"/><xacro:include filename=\"parts/part.xacro\"/>";
    assert_eq!(expanded(body, &placed(&[])), "<l v=\"/work/robots/arm /work\"/><l v=\"/work/robots/arm/parts\"/>");
    for (value, message, hint) in [
        ("$(arg a b)", "$(arg …) takes one name, not 2", None),
        ("$(env)", "$(env …) takes one name, not 0", None),
        ("$(optenv)", "$(optenv …) takes a name and a default", None),
        ("$(cwd a)", "$(cwd) takes no name", None),
        ("$(cwd)", "there is no working folder here", None),
        ("$(dirname)", "the file has no folder", None),
        ("$(eval 1 + 1)", "$(eval …) is not supported", Some("write an expression: ${… '$(arg name)' …}")),
        ("$(finde x)", "`$(finde …)` has no meaning", Some("did you mean `find`?")),
    ] {
        let error = error_of(&format!("<l v=\"{value}\"/>"), &alone(&[]));
        assert_eq!((error.code, place(&error)), ("xacro-substitution", (None, 2, 7)), "{value}");
        assert_eq!((error.message.as_str(), error.hint.as_deref()), (message, hint), "{value}");
    }
    // An argument that is like none the file has.
    let expansion = expand("<xacro:arg name=\"prefix\" default=\"\"/>", &placed(&[("colour", "red")]));
    let found = &expansion.diagnostics[0];
    assert_eq!(found.message, "the file has no argument `colour`, it is ignored");
    assert_eq!((found.code, found.hint.as_deref()), ("xacro-unknown-argument", Some("known here: prefix")));
}

#[test]
fn what_is_included_is_told_where_it_is_wrong() {
    let include = |more: &str| format!("<xacro:include filename=\"a.xacro\" {more}/>");
    let good = alone(&[("a.xacro", "<robot><l/></robot>")]);
    let error = error_of(&include("optional=\"perhaps\""), &good);
    assert_eq!((error.code, place(&error)), ("xacro-condition", (None, 2, 45)), "{error}");
    assert_eq!(expanded(&include("optional=\"false\""), &good), "<l/>");
    let missing = alone(&[]);
    assert_eq!(expanded(&include("optional=\"1\""), &missing), "");
    assert_eq!(error_of(&include(""), &missing).message, "cannot read `a.xacro`: not here");

    let broken = alone(&[("a.xacro", "<robot>\n  <l>\n</robot>")]);
    let error = error_of(&include(""), &broken);
    assert_eq!((error.code, place(&error)), ("syntax-error", (Some("a.xacro"), 2, 3)), "{error}");
    let entities = alone(&[("a.xacro", "<!DOCTYPE robot [<!ENTITY a 'b'>]>\n<robot/>")]);
    let error = error_of(&include(""), &entities);
    assert_eq!((error.code, place(&error)), ("dtd-forbidden", (Some("a.xacro"), 1, 1)));
    assert_eq!(error.hint.as_deref(), Some("take the <!DOCTYPE …> out"));
    let not_text = Alone(vec![("a.xacro", vec![b'<', 0xff])]);
    assert_eq!(error_of(&include(""), &not_text).message, "cannot read `a.xacro`: not UTF-8 text");
    let large = Alone(vec![("a.xacro", vec![b' '; (16 << 20) + 1])]);
    assert_eq!(error_of(&include(""), &large).message, "cannot read `a.xacro`: larger than 16 MiB");
}

#[test]
fn what_is_ignored_is_told() {
    let files = alone(&[("a.xacro", "<robot xmlns:n=\"urn:two\"><l/></robot>")]);
    let warning = |body: &str| {
        let expansion = expand(body, &files);
        assert!(expansion.text.is_some(), "{body}");
        let found = expansion.diagnostics.into_iter().next().unwrap();
        assert!(!found.is_error());
        found
    };
    let found = warning("<xacro:include filename=\"a.xacro\">\n<l/></xacro:include>");
    assert_eq!(found.message, "what stands inside <xacro:include> is ignored");
    assert_eq!((found.code, place(&found).1), ("unsupported-tag", 3));
    // Folders are out of reach, so that no file is like the pattern.
    let found = warning("<xacro:include filename=\"*.xacro\"/>");
    assert_eq!(found.message, "no file is like `*.xacro`, nothing is included");
    assert_eq!(found.code, "xacro-no-match");

    let text = "<robot xmlns:xacro=\"http://www.ros.org/wiki/xacro\" xmlns:n=\"urn:one\">\n<xacro:include filename=\"a.xacro\"/></robot>";
    let expansion = formats::expand(text.as_bytes(), Path::new("main.xacro"), &files);
    let found = &expansion.diagnostics[0];
    assert_eq!(found.message, "the prefix `n` stands for urn:one already, and not for urn:two");
    assert_eq!((found.code, place(found)), ("namespace-conflict", (Some("a.xacro"), 1, 1)));
    assert!(expansion.text.unwrap().contains("xmlns:n=\"urn:one\""));
}

/// An included file with a name of its own keeps its properties and macros under that name.
#[test]
fn included_files_may_have_a_name_of_their_own() {
    let part = "<robot xmlns:xacro=\"x\"><xacro:property name=\"k\" value=\"4\"/>\
                <xacro:property name=\"up\" value=\"5\" scope=\"parent\"/>\
                <xacro:macro name=\"m\"><l v=\"${k}\"/></xacro:macro></robot>";
    let files = alone(&[("p.xacro", part)]);
    let include = "<xacro:include filename=\"p.xacro\" ns=\"p\"/>";
    for (body, expected) in [
        ("<l v=\"${p.k + 1}\"/>", "<l v=\"5\"/>"),
        ("<l v=\"${up}\"/>", "<l v=\"5\"/>"),
        ("<xacro:p.m/>", "<l v=\"4\"/>"),
        ("<l v=\"${p == p} ${'yes' if p else 'no'}\"/>", "<l v=\"True yes\"/>"),
    ] {
        assert_eq!(expanded(&format!("{include}{body}"), &files), expected, "{body}");
    }
    for (body, code, message, hint) in [
        ("<l v=\"${p.j}\"/>", "xacro-unknown-name", "the included file has no property `j`", None),
        ("<xacro:p.mm/>", "xacro-unknown-macro", "there is no macro `p.mm`", Some("did you mean `p.m`?")),
        ("<xacro:p/>", "xacro-unknown-macro", "there is no macro `p`", None),
        ("<xacro:p.m.x/>", "xacro-unknown-macro", "there is no macro `p.m.x`", Some("did you mean `p.m`?")),
    ] {
        let error = error_of(&format!("{include}{body}"), &files);
        assert_eq!((error.code, error.message.as_str()), (code, message), "{body}");
        if let Some(hint) = hint {
            assert_eq!(error.hint.as_deref(), Some(hint), "{body}");
        }
    }
}

#[test]
fn a_robot_may_have_a_namespace_of_its_own() {
    let text = "<robot xmlns:xacro=\"http://www.ros.org/wiki/xacro\" xacro:targetNamespace=\"urn:robot\"><l/></robot>";
    let expansion = formats::expand(text.as_bytes(), Path::new("main.xacro"), &alone(&[]));
    let text = expansion.text.unwrap();
    let document = roxmltree::Document::parse(&text).unwrap();
    assert_eq!(document.root_element().tag_name().namespace(), Some("urn:robot"));
}

/// What xacro prints goes nowhere, and what it warns of is a warning.
#[test]
fn messages_of_a_file_leave_no_text() {
    let body = "<l v=\"a${xacro.message('x')}${xacro.print_location()}b\"/>";
    assert_eq!(expanded(body, &alone(&[])), "<l v=\"ab\"/>");
    let expansion = expand("<l v=\"${xacro.error('too heavy:', 3)}\"/>", &alone(&[]));
    assert!(expansion.text.is_some());
    let told: Vec<&str> = expansion.diagnostics.iter().map(|found| found.message.as_str()).collect();
    assert_eq!(told, ["too heavy: 3"]);
}
