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

#[test]
fn a_xacro_file_is_a_robot() {
    let reading = formats::read_path(suite("xacro/arm/arm.urdf.xacro"));
    let (robot, warnings) = reading.into_result("arm").unwrap();
    assert!(warnings.iter().all(|warning| warning.code == "missing-inertial"), "{warnings:?}");
    let model = jourdain::Model::from(robot);
    assert_eq!(model.nv(), 2);
    let names: Vec<&str> = model.links().iter().map(|link| link.name.as_str()).collect();
    assert_eq!(names, ["ground", "link_1", "link_2"]);
}

#[test]
fn findings_point_into_the_file_the_text_came_from() {
    let folder = suite("xacro/arm");
    let text = std::fs::read_to_string(folder.join("arm.urdf.xacro")).unwrap().replace("mass=\"3\"", "mass=\"heavy\"");
    let reading = formats::read_from(text.as_bytes(), None, Path::new("arm.urdf.xacro"), &Neighbours(folder.clone()));
    let error = reading.diagnostics.iter().find(|finding| finding.is_error()).unwrap();
    assert_eq!(
        (error.code, error.file.as_ref().unwrap().name.ends_with("parts/inertia.xacro")),
        ("xacro-expression", true)
    );
    assert_eq!((error.location.unwrap().line, error.location.unwrap().column), (4, 19));
    for part in ["`rod_inertia` called at ", "parts/segment.xacro:9:9", "`segment` called at 10:3"] {
        assert!(error.message.contains(part), "{error}");
    }
    // What the reader of URDF finds points there as well.
    let text = text.replace("mass=\"heavy\"", "mass=\"3\"").replace("length=\"0.4\"", "length=\"${1e308 * 10}\"");
    let reading = formats::read_from(text.as_bytes(), None, Path::new("arm.urdf.xacro"), &Neighbours(folder));
    let errors = reading.diagnostics.iter().filter(|finding| finding.code == "not-finite");
    let places: Vec<_> = errors
        .map(|error| {
            let file = Path::new(&error.file.as_ref().unwrap().name).file_name().unwrap().to_str().unwrap();
            (file, error.location.unwrap().line, error.location.unwrap().column)
        })
        .collect();
    assert_eq!(places, [("inertia.xacro", 5, 19), ("inertia.xacro", 6, 19), ("segment.xacro", 7, 22)]);
}

#[test]
fn arguments_that_a_file_does_not_have_are_named() {
    let arguments = vec![("prefx".to_owned(), "a".to_owned())];
    let surroundings = Surroundings { arguments, ..Surroundings::default() };
    let expansion = expand("<xacro:arg name=\"prefix\" default=\"\"/>", &surroundings);
    let warning = &expansion.diagnostics[0];
    assert_eq!((warning.code, warning.hint.as_deref()), ("xacro-unknown-argument", Some("did you mean `prefix`?")));
    assert!(expansion.text.is_some());
}

#[test]
fn packages_are_found_by_name_environment_and_upwards() {
    let root = std::env::temp_dir().join(format!("jourdain_packages_{}", std::process::id()));
    let make = |path: &str, text: &str| {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    make("beside/urdf/part.xacro", "<robot><by_folder/></robot>");
    make("odd_folder/package.xml", "<package><name>named</name></package>");
    make("odd_folder/part.xacro", "<robot><by_manifest/></robot>");
    make("ros/elsewhere/part.xacro", "<robot><by_ros/></robot>");
    make("prefix/share/installed/part.xacro", "<robot><by_ament/></robot>");
    make("given/part.xacro", "<robot><by_caller/></robot>");
    make("mine/urdf/part.xacro", "<robot><own/></robot>");
    let variable = |name: &str, path: &str| (name.to_owned(), root.join(path).to_str().unwrap().to_owned());
    let surroundings = Surroundings {
        folder: root.join("mine/urdf"),
        packages: vec![("given_by_caller".to_owned(), root.join("given"))],
        variables: vec![variable("ROS_PACKAGE_PATH", "ros"), variable("AMENT_PREFIX_PATH", "prefix")],
        ..Surroundings::default()
    };
    for (package, inside, expected) in [
        ("given_by_caller", "part.xacro", "by_caller"),
        ("elsewhere", "part.xacro", "by_ros"),
        ("installed", "part.xacro", "by_ament"),
        ("mine", "urdf/part.xacro", "own"),
        ("beside", "urdf/part.xacro", "by_folder"),
        ("named", "part.xacro", "by_manifest"),
    ] {
        let expansion = expand(&format!("<xacro:include filename=\"$(find {package})/{inside}\"/>"), &surroundings);
        let text = expansion.text.unwrap_or_else(|| panic!("{package}: {:?}", expansion.diagnostics));
        assert!(text.contains(expected), "{package}: {text}");
    }
    std::fs::remove_dir_all(&root).unwrap();
}

#[test]
fn the_written_file_says_the_same_again() {
    let body = "<a v=\"&lt;&amp;&quot;&#10;x\">1 &lt; 2 <b/> tail</a><n:c xmlns:n=\"urn:n\" n:d=\"1\"/>";
    let text = expand_alone(body).text.unwrap();
    assert_eq!(canonical(&text), canonical(&robot(body)));
    let again = formats::expand(text.as_bytes(), Path::new("again.xacro"), &Surroundings::default()).text.unwrap();
    assert_eq!(again, text);
}

/// Expands within seconds (in a debug build, or on a busy machine, within thirty).
fn refuse(what: &str, body: &str) {
    let start = Instant::now();
    let expansion = expand_alone(body);
    let elapsed = start.elapsed();
    assert!(elapsed < Duration::from_secs(if cfg!(debug_assertions) { 30 } else { 3 }), "{what} took {elapsed:?}");
    assert!(expansion.text.is_none(), "{what} was expanded");
    let code = expansion.diagnostics.iter().find(|finding| finding.is_error()).unwrap().code;
    assert!(["xacro-limit", "xacro-expression", "xacro-circular"].contains(&code), "{what}: {code}");
}

#[test]
fn what_grows_without_bound_is_refused() {
    let chain = |count: usize| {
        let define = |n: usize| format!("<xacro:property name=\"p{n}\" value=\"${{p{} + 1}}\"/>", n + 1);
        (0..count).map(define).collect::<String>() + "<l v=\"${p0}\"/>"
    };
    let doubling = |count: usize| {
        let define = |n: usize| {
            format!("<xacro:property name=\"p{n}\" value=\"${{[p{0}, p{0}]}}\" lazy_eval=\"false\"/>", n - 1)
        };
        "<xacro:property name=\"p0\" value=\"${[1]}\"/>".to_owned()
            + &(1..count).map(define).collect::<String>()
            + &format!("<l v=\"${{p{0} == p{0}}}\"/>", count - 1)
    };
    let nested = |count: usize| {
        let define =
            |n: usize| format!("<xacro:property name=\"p{n}\" value=\"${{[p{}]}}\" lazy_eval=\"false\"/>", n - 1);
        "<xacro:property name=\"p0\" value=\"${[1]}\"/>".to_owned() + &(1..count).map(define).collect::<String>()
    };
    let blocks = "<xacro:macro name=\"m\" params=\"*b\"><x><xacro:m><xacro:insert_block name=\"b\"/></xacro:m></x></xacro:macro>\
                  <xacro:m><y/></xacro:m>";
    let growing = "<xacro:macro name=\"m\" params=\"**b\"><xacro:m><z><xacro:insert_block name=\"b\"/>\
                   <xacro:insert_block name=\"b\"/></z></xacro:m></xacro:macro><xacro:m><z><y/></z></xacro:m>";
    for (what, body) in [
        ("a chain of properties", chain(5000)),
        ("doubled lists", doubling(200)),
        ("nested lists", nested(5000)),
        ("a block in a block", blocks.to_owned()),
        ("a growing block", growing.to_owned()),
        ("a deep expression", format!("<l v=\"${{{}1{}}}\"/>", "(".repeat(5000), ")".repeat(5000))),
        ("many signs", format!("<l v=\"${{{}1}}\"/>", "-".repeat(5000))),
        ("many nots", format!("<l v=\"${{{}1}}\"/>", "not ".repeat(5000))),
        ("many indices", format!("<l v=\"${{a{}}}\"/>", "[0]".repeat(5000))),
        ("many powers", format!("<l v=\"${{1{}}}\"/>", "**1".repeat(5000))),
        ("nested conditions", format!("<l v=\"${{{}1{}}}\"/>", "1 if 1 else ".repeat(5000), "")),
        ("a long list", "<l v=\"${list(range(10**12))}\"/>".to_owned()),
        ("a long product", "<l v=\"${len([x for a in range(10**5) for x in range(10**5)])}\"/>".to_owned()),
        ("a long text", "<l v=\"${len('x' * 10**9)}\"/>".to_owned()),
        ("a wide format", "<l v=\"${'%999999999d' % 1}\"/>".to_owned()),
        ("a large power", "<l v=\"${2**2**30}\"/>".to_owned()),
        ("a large factorial", "<l v=\"${factorial(10**9)}\"/>".to_owned()),
        ("a large shift", "<l v=\"${1 &lt;&lt; 10**9}\"/>".to_owned()),
        (
            "functions in circles",
            "<xacro:property name=\"f\" value=\"${lambda x: f(x)}\"/><l v=\"${f(1)}\"/>".to_owned(),
        ),
        ("an element in an element", {
            "<xacro:macro name=\"m\" params=\"\"><x><xacro:m/></x></xacro:macro><xacro:m/>".to_owned()
        }),
        ("replaced texts", "<l v=\"${('a' * 999999).replace('a', 'b' * 999999)}\"/>".to_owned()),
        ("joined texts", "<l v=\"${('a' * 999999).join(['b' * 999999] * 999)}\"/>".to_owned()),
        ("sorted lists", "<l v=\"${[sorted(list(range(99999))) for i in range(99999)]}\"/>".to_owned()),
    ] {
        refuse(what, &body);
    }
    let long_sum = format!("<l v=\"${{1{}}}\"/>", " + 1".repeat(5000));
    assert!(expand_alone(&long_sum).text.unwrap().contains("5001"));
}

#[test]
fn macros_may_call_themselves_a_hundred_times() {
    let body = "<xacro:macro name=\"m\" params=\"n\"><xacro:if value=\"${n}\"><l v=\"${n}\"/><xacro:m n=\"${n - 1}\"/></xacro:if>\
                </xacro:macro><xacro:m n=\"150\"/>";
    assert_eq!(expand_alone(body).text.unwrap().matches("<l ").count(), 150);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if cfg!(debug_assertions) { 400 } else { 4000 }, ..ProptestConfig::default() })]

    #[test]
    fn no_expression_makes_the_reader_panic(words in prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..14)) {
        let _ = value_of(&words.concat(), &Surroundings::default());
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "[${}()a-z0-9'\\[\\]+* .:=^|é]{0,60}") {
        let escaped = escape(&text).replace('\'', "&apos;");
        let _ = expand_alone(&format!(
            "<xacro:macro name=\"m\" params=\"{escaped}\"><l v=\"{escaped}\"/></xacro:macro><xacro:property name=\"p\" value=\"{escaped}\"/>\
             <xacro:if value=\"{escaped}\">{escaped}</xacro:if><xacro:m a=\"{escaped}\"/><l v=\"${{p}}\"/>"
        ));
        let _ = expand_alone(&format!("<l v=\"{escaped}\"/>"));
    }

    #[test]
    fn no_mutant_of_a_good_file_makes_the_reader_panic(at in 0_usize..2000, piece in prop::sample::select(PIECES.to_vec()), cut in 0_usize..60) {
        let folder = suite("xacro/arm");
        let mut text = std::fs::read_to_string(folder.join("arm.urdf.xacro")).unwrap();
        let at = (0..=at % text.len()).rev().find(|at| text.is_char_boundary(*at)).unwrap();
        let end = (at + cut).min(text.len());
        text.replace_range(at..end, piece);
        let _ = formats::read_from(text.as_bytes(), None, Path::new("arm.xacro"), &Neighbours(folder));
    }
}

/// Pieces of expressions.
const WORDS: [&str; 48] = [
    "1",
    "2.5",
    "0",
    "-",
    "+",
    "*",
    "/",
    "//",
    "%",
    "**",
    "(",
    ")",
    "[",
    "]",
    ",",
    ":",
    ".",
    "'a'",
    "\"b\"",
    " and ",
    " or ",
    " not ",
    " in ",
    " is ",
    " if ",
    " else ",
    " for ",
    "x",
    "lambda ",
    "pi",
    "sin",
    "len",
    "range",
    "list",
    "dict",
    "max",
    "round",
    "python.sum",
    "'%s'",
    "True",
    "None",
    "=",
    "==",
    "<",
    "~",
    "1e308",
    "1j",
    ".split",
];

/// Pieces of files.
const PIECES: [&str; 12] =
    ["", "${", "}", "$(", ")", "<xacro:if value=\"1\">", "</xacro:if>", "\"", "<xacro:m/>", "${1/0}", "xacro:", "*"];
