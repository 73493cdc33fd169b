//! The report of an identification as a page: what is in it, that words stay words, and that it is the same each time.

use jourdain_kit::files::Memory;
use jourdain_kit::operation;
use serde_json::{Value, json};

fn suite(name: &str) -> String {
    let path = format!("{}/../../{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

/// A folder with a robot whose names are hostile, and its logs, one of them with a hostile name.
fn folder() -> Memory {
    let robot = suite("robots/planar2r.toml")
        .replace("name = \"planar2r\"", "name = \"<script>alert(1)</script>\"")
        .replace("\"link1\"", "\"{{sections}}<b onclick='x()'>\"")
        .replace("\"link2\"", "\"&amp;\"");
    let memory = Memory::default();
    memory.put("arm.toml", robot.as_bytes());
    // By number, whatever the joints are called.
    let log = |name: &str| suite(name).replace("_link1", "1").replace("_link2", "2");
    memory.put("<img src=x>.csv", log("suite/logs/planar2r.csv").as_bytes());
    memory.put("validation.csv", log("suite/logs/planar2r_validation.csv").as_bytes());
    memory
}

fn page(memory: &Memory, extra: &Value) -> String {
    let mut request = json!({ "robot": "arm.toml", "data": ["<img src=x>.csv"], "report": "report.html" });
    for (name, value) in extra.as_object().unwrap() {
        request[name] = value.clone();
    }
    operation::handle("identify", request, memory).unwrap_or_else(|problem| panic!("{problem}"));
    String::from_utf8(memory.get("report.html").unwrap().to_vec()).unwrap()
}

#[test]
fn a_page_tells_the_story_in_words_that_stay_words_and_is_the_same_each_time() {
    let memory = folder();
    let told = page(&memory, &json!({ "validate": "validation.csv" }));
    for id in ["data", "model", "estimate", "consistent", "residuals", "validation", "next"] {
        assert!(told.contains(&format!("<section id=\"{id}\">")) && told.contains(&format!("href=\"#{id}\"")), "{id}");
    }
    // Estimates with their prior, the drives, figures in both looks, and what to do next.
    for words in ["mXR1", ">1.75<", "Fh", "class=\"light\"><svg", "class=\"dark\"", "jourdain excite arm.toml"] {
        assert!(told.contains(words), "{words}");
    }
    for hostile in ["<script", "<b onclick", "<img", "{{sections}}</"] {
        assert!(!told.contains(hostile), "{hostile}");
    }
    assert!(told.contains("&lt;script&gt;alert(1)&lt;/script&gt; · identification") && told.contains("&amp;amp;"));
    assert!(
        told.contains("{{sections}}&lt;b onclick=&#39;x()&#39;&gt;"),
        "a name that looks like a field stays a name"
    );
    for outside in ["http://", "https://", "src=", "url(", "@import"] {
        let found = told.replace("xmlns=\"http://www.w3.org/2000/svg\"", "").replace("url(#clip", "").contains(outside);
        assert!(!found || outside == "src=" && told.contains("&lt;img src=x&gt;"), "{outside}");
    }
    assert_eq!(told, page(&folder(), &json!({ "validate": "validation.csv" })));
}

#[test]
fn a_page_without_validation_asks_for_one_and_shows_the_data_it_has() {
    let memory = folder();
    let told = page(&memory, &json!({ "fit": "base" }));
    assert!(!told.contains("id=\"validation\"") && !told.contains("id=\"consistent\""));
    assert!(told.contains("Record another one and give it as --validate") && told.contains("<svg"));
    assert!(told.contains("torques of the log it was fitted to"));
}

#[test]
fn reports_are_words_or_pages_by_the_ending_of_their_name() {
    let memory = folder();
    let request = |report: &str| {
        let request = json!({ "robot": "arm.toml", "data": ["<img src=x>.csv"], "fit": "base", "report": report });
        operation::handle("identify", request, &memory)
    };
    request("report.txt").unwrap();
    let words = String::from_utf8(memory.get("report.txt").unwrap().to_vec()).unwrap();
    assert!(words.starts_with("<script>alert(1)</script>: ") && !words.contains("<html"));
    assert_eq!(request("report.docx").err().unwrap().kind(), "usage");
}

#[test]
fn all_of_a_drive_stands_in_the_row_of_its_link_whatever_its_joint_is_called() {
    let robot = suite("robots/planar2r.toml")
        .replacen("type = \"revolute\"", "name = \"shoulder\", type = \"revolute\"", 1)
        .replacen("{ type = \"revolute\"", "{ name = \"elbow\", type = \"revolute\"", 1);
    let memory = Memory::default();
    memory.put("arm.toml", robot.as_bytes());
    let log = suite("suite/logs/planar2r.csv").replace("_link1", "1").replace("_link2", "2");
    memory.put("<img src=x>.csv", log.as_bytes());
    let told = page(&memory, &json!({}));
    let drives = told.split_once("<h3>Drives</h3>").unwrap().1.split_once("</table>").unwrap().0;
    assert_eq!(drives.matches("<tr").count(), 3, "a heading and two drives: {drives}");
    assert!(drives.contains("Fh") && drives.contains("link1") && !drives.contains("shoulder"), "{drives}");
    assert!(!drives.contains('–'), "every cell has a value: {drives}");
}
