//! The page goes into the program compressed: it is a megabyte smaller, and exported files have it so too.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write as _;
use std::path::Path;
use std::{env, fs};

const PAGE: &str = "../../studio/dist/studio.html";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed={PAGE}");
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(&fs::read(PAGE)?)?;
    let folder = env::var("OUT_DIR")?;
    fs::write(Path::new(&folder).join("studio.html.gz"), packed.finish()?)?;
    Ok(())
}
