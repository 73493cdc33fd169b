//! xacro files expand as the Python package `xacro` expands them, and fail where it fails.
//!
//! The expected texts of `suite/xacro` are those of xacro 2.1.1.

use jourdain::formats::{self, Expansion, Files, Neighbours};
use proptest::prelude::*;
use roxmltree::{Document, Node};
use serde_json::Value;
use std::io::Result;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn suite(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite").join(path)
}

fn json(path: PathBuf) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// A folder with arguments, packages and an environment of its own.
#[derive(Default)]
struct Surroundings {
    folder: PathBuf,
    arguments: Vec<(String, String)>,
    packages: Vec<(String, PathBuf)>,
    variables: Vec<(String, String)>,
}

impl Files for Surroundings {
    fn read(&self, path: &Path) -> Result<Vec<u8>> {
        Neighbours(self.folder.clone()).read(path)
    }

    fn list(&self, folder: &Path) -> Result<Vec<String>> {
        Neighbours(self.folder.clone()).list(folder)
    }

    fn is_folder(&self, path: &Path) -> bool {
        Neighbours(self.folder.clone()).is_folder(path)
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.variables.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    }

    fn folder(&self) -> Option<PathBuf> {
        Some(self.folder.clone())
    }

    fn working_folder(&self) -> Option<PathBuf> {
        std::env::current_dir().ok()
    }

    fn arguments(&self) -> &[(String, String)] {
        &self.arguments
    }

    fn packages(&self) -> &[(String, PathBuf)] {
        &self.packages
    }
}

fn pairs(value: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    value.as_object().into_iter().flatten().map(|(name, value)| (name.clone(), text(value))).collect()
}

/// Elements, sorted attributes and trimmed texts: what canonical XML compares.
fn canonical(text: &str) -> String {
    fn write(node: Node<'_, '_>, out: &mut String) {
        if let Some(text) = node.text().filter(|_| node.is_text()) {
            out.push_str(text.trim());
        }
        if !node.is_element() {
            return;
        }
        let mut attributes: Vec<_> = node.attributes().map(|a| format!(" {}={:?}", a.name(), a.value())).collect();
        attributes.sort();
        let name = (node.tag_name().namespace().unwrap_or_default(), node.tag_name().name());
        *out += &format!("<{name:?}{}>", attributes.concat());
        node.children().for_each(|child| write(child, out));
        out.push_str("</>");
    }
    let document = Document::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut out = String::new();
    write(document.root_element(), &mut out);
    out
}

fn robot(body: &str) -> String {
    format!("<?xml version=\"1.0\"?>\n<robot name=\"r\" xmlns:xacro=\"http://www.ros.org/wiki/xacro\">{body}</robot>")
}

fn expand(body: &str, surroundings: &Surroundings) -> Expansion {
    formats::expand(robot(body).as_bytes(), Path::new("main.xacro"), surroundings)
}

fn expand_alone(body: &str) -> Expansion {
    expand(body, &Surroundings::default())
}

/// The expanded body, or the code of the error.
fn outcome(body: &str) -> std::result::Result<String, &'static str> {
    let expansion = expand_alone(body);
    match expansion.text {
        Some(text) => Ok(canonical(&text)),
        None => Err(expansion.diagnostics.iter().find(|finding| finding.is_error()).unwrap().code),
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

/// The text of `${expression}`.
fn value_of(expression: &str, surroundings: &Surroundings) -> std::result::Result<String, String> {
    let expansion = expand(&format!("<a v=\"${{{}}}\"/>", escape(expression)), surroundings);
    match expansion.text {
        Some(text) => {
            let document = Document::parse(&text).unwrap();
            Ok(document.root_element().first_element_child().unwrap().attribute("v").unwrap().to_owned())
        }
        None => Err(expansion.diagnostics[0].to_string()),
    }
}

#[test]
fn every_case_expands_as_xacro_expands_it() {
    let mut compared = 0;
    for entry in std::fs::read_dir(suite("xacro")).unwrap() {
        let path = entry.unwrap().path();
        if !path.is_dir() {
            continue;
        }
        let name = path.file_name().unwrap().to_str().unwrap();
        let case = json(path.join(format!("{name}.json")));
        let surroundings = Surroundings {
            arguments: pairs(&case["args"]),
            packages: pairs(&case["packages"])
                .into_iter()
                .map(|(name, folder)| (name, std::path::absolute(path.join(folder)).unwrap()))
                .collect(),
            variables: pairs(&case["env"]),
            folder: path.clone(),
        };
        let file = Path::new(case["file"].as_str().unwrap());
        let bytes = std::fs::read(path.join(file)).unwrap();
        let expansion = formats::expand(&bytes, file, &surroundings);
        match case["expected_c14n"].as_str() {
            Some(expected) => {
                let text = expansion.text.unwrap_or_else(|| panic!("{name}: {:?}", expansion.diagnostics));
                assert_eq!(canonical(&text), canonical(expected), "{name}");
            }
            None => {
                assert!(expansion.text.is_none(), "{name}: xacro says {}", case["error"]);
                assert!(expansion.diagnostics.iter().any(|finding| finding.location.is_some()), "{name}");
            }
        }
        compared += 1;
    }
    assert!(compared >= 17, "{compared}");
}

#[test]
fn expressions_have_the_values_that_python_gives_them() {
    let surroundings = Surroundings { folder: PathBuf::from("tmpx"), ..Surroundings::default() };
    let mut failures = Vec::new();
    for file in ["tables.json", "expressions.json"] {
        for row in json(suite("xacro").join(file))["expressions"].as_array().unwrap() {
            let expression = row["expression"].as_str().unwrap();
            let found = value_of(expression, &surroundings);
            match row["value"].as_str() {
                Some(expected) if found.as_deref() == Ok(expected) => {}
                None if found.is_err() => {}
                expected => failures.push(format!("{expression}: {found:?} instead of {expected:?}")),
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn conditions_are_those_of_xacro() {
    for row in json(suite("xacro/tables.json"))["conditions"].as_array().unwrap() {
        let value = row["value"].as_str().unwrap();
        let condition = escape(value);
        let body = format!(
            "<xacro:arg name=\"f\" default=\"false\"/><xacro:if value=\"{condition}\"><if/></xacro:if>\
             <xacro:unless value=\"{condition}\"><unless/></xacro:unless>"
        );
        let found =
            outcome(&body).ok().map(|text| if text.contains("\"unless\"") { "unless" } else { "if" }.to_owned());
        assert_eq!(found.as_deref(), row["kept"].as_str(), "{value}");
    }
}

/// Bodies with what xacro makes of them, each checked with the package; an error by its code.
#[test]
fn scopes_blocks_and_parameters_behave_as_in_xacro() {
    let macro_m = "<xacro:macro name=\"m\" params=\"a b:=2 c:=^ d:=^|9\"><l v=\"${a}_${b}_${c}_${d}\"/></xacro:macro>";
    for (body, expected) in [
        // Values are typed when they are stored, and a text in quotes twice.
        ("<xacro:property name=\"p\" value=\"'1'\"/><l v=\"${p + 1}\"/>", Ok("<l v=\"2\"/>")),
        ("<xacro:property name=\"p\" value=\"'1'\" lazy_eval=\"false\"/><l v=\"${p + 'x'}\"/>", Ok("<l v=\"1x\"/>")),
        ("<xacro:property name=\"p\" value=\"1_0\"/><l v=\"${p + 'x'}\"/>", Ok("<l v=\"1_0x\"/>")),
        ("<xacro:property name=\"p\" value=\"0x10\"/><l v=\"${p}\"/>", Ok("<l v=\"0x10\"/>")),
        ("<xacro:property name=\"p\" value=\" 1 \"/><l v=\"${p}\"/>", Ok("<l v=\"1\"/>")),
        ("<xacro:property name=\"p\" value=\"true\"/><l v=\"${p} ${p == 'true'}\"/>", Ok("<l v=\"True False\"/>")),
        ("<xacro:property name=\"p\" value=\"${[1, 2]}\"/><l v=\"${p[1]}\"/>", Ok("<l v=\"2\"/>")),
        ("<xacro:property name=\"p\" value=\"1${2}\"/><l v=\"${p + 1}\"/>", Ok("<l v=\"13\"/>")),
        // Arguments are texts, and are put into expressions as they are written.
        (
            "<xacro:arg name=\"f\" default=\"true\"/><xacro:property name=\"p\" value=\"$(arg f)\"/>\
             <l v=\"${p == 'true'} ${'$(arg f)' == 'true'} ${xacro.arg('f')}\"/>",
            Ok("<l v=\"False True true\"/>"),
        ),
        ("<xacro:arg name=\"f\" default=\"${1 + 1}\"/><l v=\"${$(arg f) + 1}\"/>", Ok("<l v=\"3\"/>")),
        ("<xacro:arg name=\"f\"/>", Err("missing-attribute")),
        // Signs.
        ("<l v=\"$${x} $$(y) a$b $\"/>", Ok("<l v=\"${x} $(y) a$b $\"/>")),
        ("<l v=\"$$$${x}\"/>", Ok("<l v=\"$$${x}\"/>")),
        ("<l v=\"a$$\"/>", Err("xacro-expression")),
        ("<l v=\"${1\"/>", Err("xacro-expression")),
        ("<l>${1 + 1} kg</l>", Ok("<l>2 kg</l>")),
        ("<l xacro:note=\"${nope}\" v=\"1\"/>", Ok("<l v=\"1\"/>")),
        ("<l><![CDATA[${1 + 1}]]></l>", Ok("<l>${1 + 1}</l>")),
        // Parameters.
        (&format!("{macro_m}<xacro:property name=\"c\" value=\"3\"/><xacro:m a=\"1\"/>"), Ok("<l v=\"1_2_3_9\"/>")),
        (&format!("{macro_m}<xacro:m a=\"1\"/>"), Err("xacro-parameters")),
        (&format!("{macro_m}<xacro:m c=\"1\"/>"), Err("xacro-parameters")),
        (&format!("{macro_m}<xacro:m a=\"1\" c=\"1\"><x/></xacro:m>"), Err("xacro-parameters")),
        (
            "<xacro:macro name=\"m\" params=\"a:=${k * 2}\"><l v=\"${a}\"/></xacro:macro>\
             <xacro:property name=\"k\" value=\"4\"/><xacro:m/>",
            Ok("<l v=\"8\"/>"),
        ),
        (
            "<xacro:macro name=\"m\" params=\"a:='x y' b:=''\"><l v=\"${a}|${b}|\"/></xacro:macro><xacro:m/>",
            Ok("<l v=\"x y||\"/>"),
        ),
        // The body of a macro sees what its caller sees.
        (
            "<xacro:macro name=\"in\"><l v=\"${k}\"/></xacro:macro>\
             <xacro:macro name=\"out\" params=\"k\"><xacro:in/></xacro:macro><xacro:out k=\"5\"/>",
            Ok("<l v=\"5\"/>"),
        ),
        (
            "<xacro:macro name=\"m\"><xacro:property name=\"k\" value=\"1\"/></xacro:macro><xacro:m/><l v=\"${k}\"/>",
            Err("xacro-unknown-name"),
        ),
        ("<xacro:property name=\"k\" value=\"1\" scope=\"parent\"/>", Err("xacro-property")),
        // Blocks: conditions and macros in a call come first, and a block may be inserted twice.
        (
            "<xacro:macro name=\"m\" params=\"*b\"><xacro:insert_block name=\"b\"/><xacro:insert_block name=\"b\"/></xacro:macro>\
             <xacro:m><xacro:if value=\"0\"><x/></xacro:if><y v=\"${1 + 1}\"/></xacro:m>",
            Ok("<y v=\"2\"/><y v=\"2\"/>"),
        ),
        (
            "<xacro:macro name=\"m\" params=\"**b\"><xacro:insert_block name=\"b\"/></xacro:macro>\
             <xacro:property name=\"x\" value=\"7\"/><xacro:m><a><b v=\"$${x}\"/>text</a></xacro:m>",
            Ok("<b v=\"7\"/>text"),
        ),
        ("<xacro:insert_block name=\"b\"/>", Err("xacro-unknown-block")),
        ("<xacro:property name=\"b\"><x/></xacro:property><l><xacro:insert_block name=\"b\"/></l>", Ok("<l><x/></l>")),
        // Names.
        ("<xacro:property name=\"a b\" value=\"1\"/>", Err("xacro-property")),
        ("<xacro:property name=\"if\" value=\"1\"/>", Err("xacro-property")),
        ("<xacro:property name=\"__x\" value=\"1\"/>", Err("xacro-property")),
        ("<xacro:property name=\"n${1 + 1}\" value=\"1\"/><l v=\"${n2}\"/>", Ok("<l v=\"1\"/>")),
        ("<xacro:property name=\"x\" value=\"1\" default=\"2\"/>", Err("xacro-property")),
        ("<xacro:property name=\"e\" default=\"5\"/><l v=\"${e > 2.7 and e &lt; 2.8}\"/>", Ok("<l v=\"True\"/>")),
        ("<xacro:macro name=\"call\"/>", Err("xacro-macro")),
        ("<xacro:macro name=\"a.b\"/>", Err("xacro-macro")),
        ("<xacro:macro name=\"xacro:m\"><l/></xacro:macro><xacro:m/>", Ok("<l/>")),
        ("<xacro:call macro=\"${'m'}\"/>", Err("xacro-unknown-macro")),
        ("<xacro:element xacro:name=\"\"/>", Err("xacro-name")),
        ("<xacro:element xacro:name=\"a b\"/>", Err("xacro-name")),
        ("<l><xacro:attribute name=\"v\" value=\"2\"/></l>", Ok("<l v=\"2\"/>")),
        ("<l v=\"1\"><xacro:attribute name=\"v\" value=\"2\"/></l>", Ok("<l v=\"2\"/>")),
        ("<l><xacro:if value=\"1\"><xacro:attribute name=\"v\" value=\"2\"/></xacro:if></l>", Ok("<l/>")),
        (
            "<xacro:if value=\"1\"><xacro:property name=\"z\" value=\"4\"/></xacro:if><l v=\"${z}\"/>",
            Ok("<l v=\"4\"/>"),
        ),
        ("<xacro:if/>", Err("missing-attribute")),
        ("<l v=\"$(nope x)\"/>", Err("xacro-substitution")),
        ("<l v=\"$(optenv JD_UNSET a b)\"/>", Ok("<l v=\"a b\"/>")),
        ("<l v=\"$(env JD_UNSET)\"/>", Err("xacro-environment")),
        ("<l v=\"$(find no_such_package_anywhere)\"/>", Err("xacro-package")),
        ("<l v=\"${xacro.fatal('stop', 1)}\"/>", Err("xacro-fatal")),
        ("<l v=\"a${xacro.warning('look')}b\"/>", Ok("<l v=\"ab\"/>")),
    ] {
        let expected = expected.map(|text| canonical(&robot(text)));
        assert_eq!(outcome(body), expected, "{body}");
    }
}
