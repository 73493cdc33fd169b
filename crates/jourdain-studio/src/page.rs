//! The page, with what it is told at the start.

use crate::base64;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use std::io::{self, Write as _};

/// The page: scripts, styles and fonts inside.
const PAGE: &str = include_str!("../../../studio/dist/studio.html");
/// The module, compressed.
pub(crate) const ENGINE: &[u8] = include_bytes!("../../../studio/dist/engine.wasm.gz");
/// Stands in the page where it is told what to begin with.
const BOOT: &str = "<!--boot-->";

/// The page as it is served: it asks for the module and for files.
pub(crate) fn served(robot: Option<&str>) -> String {
    let boot = json!({ "robot": robot, "served": true, "version": env!("CARGO_PKG_VERSION") });
    PAGE.replacen(BOOT, &script("boot", "application/json", &boot.to_string()), 1)
}

/// The page with everything inside: the module, and the files of its robot by name. The page itself is compressed, and unpacked by
/// a few lines that put what it is told back into its place.
pub(crate) fn alone(robot: &str, files: &[(String, Vec<u8>)]) -> io::Result<String> {
    let mut boot = json!({ "robot": robot, "served": false, "version": env!("CARGO_PKG_VERSION") });
    if !files.is_empty() {
        let files = files.iter().map(|(name, bytes)| (name.clone(), Value::String(base64::encode(bytes))));
        boot["files"] = Value::Object(files.collect());
    }
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(PAGE.as_bytes())?;
    let page = packed.finish()?;
    Ok([
        OPENING,
        &script("boot", "application/json", &boot.to_string()),
        &script("engine", "text/plain", &base64::encode(ENGINE)),
        &script("page", "text/plain", &base64::encode(&page)),
        UNPACK,
    ]
    .concat())
}

const OPENING: &str = "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>jourdain studio</title></head>\n<body>\n\
    <noscript>This page computes: it needs scripts.</noscript>\n";

/// Unpacks the page. What it is told stands in elements of their own, and moves to where the page looks for it.
const UNPACK: &str = r#"
<script>
(async () => {
  const element = (id) => document.getElementById(id);
  const bytes = Uint8Array.from(atob(element("page").textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const page = await new Response(stream).text();
  const told = element("boot").outerHTML + element("engine").outerHTML;
  document.open();
  document.write(page.replace("<!--boot-->", () => told));
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
        assert!(PAGE.find(BOOT).unwrap() < PAGE.find("<script").unwrap());
        assert!(ENGINE.starts_with(&[0x1f, 0x8b]));
    }

    #[test]
    fn what_it_is_told_cannot_end_the_element_it_stands_in() {
        let page = served(Some("</script><script>alert(1)</script>"));
        assert!(page.contains(r"\u003c/script>\u003cscript>alert(1)\u003c/script>"));
        assert!(!page.contains("<script>alert"));
    }
}
