//! The page, with what it is told at the start.

use crate::pack::{Packed, Part};
use crate::{base64, dense};
use flate2::read::GzDecoder;
use jourdain_kit::problem::Problem;
use serde_json::{Map, Value, json};
use std::io::Read as _;

/// The page, compressed: scripts, styles and fonts inside.
static PAGE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/studio.html.gz"));
/// The module, compressed.
pub(crate) static ENGINE: &[u8] = include_bytes!("../../../studio/dist/engine.wasm.gz");
/// Stands in the page where it is told what to begin with.
const BOOT: &str = "<!--boot-->";

/// What the page begins with: a name or path, what it is, and its edits.
pub(crate) type Shown<'a> = (&'a str, &'static str, Option<&'a Map<String, Value>>);

fn told(shown: Option<Shown<'_>>, is_served: bool) -> Value {
    let robot = shown.map(|(robot, ..)| robot);
    let mut boot = json!({ "robot": robot, "served": is_served, "version": env!("CARGO_PKG_VERSION") });
    if let Some((_, kind, edits)) = shown {
        boot["kind"] = json!(kind);
        if let Some(edits) = edits.filter(|edits| !edits.is_empty()) {
            boot["edits"] = json!(edits);
        }
    }
    boot
}

/// The same with the files of the robot inside.
fn told_all(packed: Option<&Packed>) -> Result<Value, Problem> {
    let mut boot = told(packed.map(|packed| (packed.robot.as_str(), packed.kind.name(), Some(&packed.edits))), false);
    let parts = packed.map_or(&[][..], |packed| &packed.parts);
    if !parts.is_empty() {
        let file = |part: &Part| Ok((part.name.clone(), Value::String(base64::encode(&part.content.bytes()?))));
        boot["files"] = Value::Object(parts.iter().map(file).collect::<Result<_, Problem>>()?);
    }
    Ok(boot)
}

/// The page as it is served: it asks for the module and for files.
///
/// # Errors
/// It cannot be unpacked.
pub(crate) fn served(shown: Option<Shown<'_>>) -> Result<String, Problem> {
    with(&told(shown, true))
}

/// The page of a site: it asks for the module, and has the files of its robot inside.
///
/// # Errors
/// A file that can no longer be read.
pub(crate) fn of_site(packed: Option<&Packed>) -> Result<String, Problem> {
    told_all(packed).and_then(|boot| with(&boot))
}

fn with(boot: &Value) -> Result<String, Problem> {
    let page = String::from_utf8_lossy(&unpacked(PAGE)?).into_owned();
    Ok(page.replacen(BOOT, &script("boot", "application/json", &boot.to_string()), 1))
}

/// The module as it is run.
///
/// # Errors
/// It cannot be unpacked.
pub(crate) fn engine() -> Result<Vec<u8>, Problem> {
    unpacked(ENGINE)
}

fn unpacked(bytes: &[u8]) -> Result<Vec<u8>, Problem> {
    let mut unpacked = Vec::new();
    GzDecoder::new(bytes)
        .read_to_end(&mut unpacked)
        .map_err(|error| Problem::new("internal", format!("what the page is made of cannot be unpacked: {error}")))?;
    Ok(unpacked)
}

/// The page with everything inside: the module, and the files of its robot by name. The page itself is compressed, and unpacked by
/// a few lines that put what it is told back into its place.
///
/// # Errors
/// A file that can no longer be read.
pub(crate) fn alone(packed: Option<&Packed>) -> Result<String, Problem> {
    Ok([
        OPENING,
        &script("boot", "application/json", &told_all(packed)?.to_string()),
        &script("packed-engine", "text/plain", &dense::encode(ENGINE)),
        &script("packed-page", "text/plain", &dense::encode(PAGE)),
        "\n<script>\n(async () => {",
        dense::DECODE,
        UNPACK,
    ]
    .concat())
}

const OPENING: &str = "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>jourdain studio</title></head>\n<body>\n\
    <noscript>This page computes: it needs scripts.</noscript>\n";

/// Unpacks the page. What it is told stands in elements of their own, and moves to where the page looks for it; the module as the
/// page has it when it saves itself.
const UNPACK: &str = r#"
  const element = (id) => document.getElementById(id);
  const bytes = (id) => dense(element(id).textContent);
  const stream = new Blob([bytes("packed-page")]).stream().pipeThrough(new DecompressionStream("gzip"));
  const page = await new Response(stream).text();
  let letters = "";
  const module = bytes("packed-engine");
  for (let i = 0; i < module.length; i += 32768) letters += String.fromCharCode(...module.subarray(i, i + 32768));
  // In parts: an element that begins or ends here would be one of this page.
  const engine = "<" + `script id="engine" type="text/plain">${btoa(letters)}<` + "/script>";
  const told = element("boot").outerHTML + engine;
  document.open();
  document.write(page.replace("<" + "!--boot-->", () => told));
  document.close();
})();
</script>
</body>
</html>
"#;

/// Data in an element that is not run. Nothing in it can end the element.
fn script(id: &str, kind: &str, text: &str) -> String {
    format!("<script id=\"{id}\" type=\"{kind}\">{}</script>", text.replace('<', "\\u003c"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_told_what_to_begin_with_before_its_script() {
        let page = String::from_utf8(unpacked(PAGE).unwrap()).unwrap();
        assert!(page.find(BOOT).unwrap() < page.find("<script").unwrap());
        assert!(ENGINE.starts_with(&[0x1f, 0x8b]));
    }

    #[test]
    fn what_it_is_told_cannot_end_the_element_it_stands_in() {
        let page = served(Some(("</script><script>alert(1)</script>", "robot", None))).unwrap();
        assert!(page.contains(r"\u003c/script>\u003cscript>alert(1)\u003c/script>"));
        assert!(!page.contains("<script>alert"));
    }
}
