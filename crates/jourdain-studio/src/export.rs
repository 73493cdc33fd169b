//! The studio for a browser without this program: as one file that needs no network, or as a site of files.

use crate::pack::{self, Packed};
use crate::page;
use jourdain_kit::host::Host;
use jourdain_kit::problem::Problem;
use jourdain_kit::resolve::Robot;
use jourdain_kit::write;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Writes the studio with a robot or an arm, or with none, and says what was written.
///
/// A folder, or a path that ends with a slash, becomes a site that any server of files can publish: `index.html` and `engine.wasm`.
/// Anything else becomes one file with all of it inside.
///
/// # Errors
/// No such robot, one that cannot be read or is none, or a file that cannot be written.
pub fn export(robot: Option<&Robot>, to: &Path, host: &dyn Host) -> Result<Vec<PathBuf>, Problem> {
    let packed = robot.map(|robot| packed(robot, host)).transpose()?;
    let is_folder = to.is_dir() || to.to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR]);
    if is_folder {
        return site(packed.as_ref(), to, host);
    }
    write::text(to, &page::alone(packed.as_ref())?, host)?;
    Ok(vec![to.to_owned()])
}

/// A robot whose file was refused is nothing to send to anyone.
fn packed(robot: &Robot, host: &dyn Host) -> Result<Packed, Problem> {
    let mut packed = pack::pack(&pack::settled(robot, host)?, host)?;
    packed.refusal.take().map_or(Ok(packed), Err)
}

fn site(packed: Option<&Packed>, folder: &Path, host: &dyn Host) -> Result<Vec<PathBuf>, Problem> {
    let engine = page::engine()?;
    write::folder(folder, host)?;
    let page = page::of_site(packed)?;
    let files = [("index.html", page.as_bytes()), ("engine.wasm", engine.as_slice())];
    let write = |(name, bytes): (&str, &[u8])| {
        let path = folder.join(name);
        let mut output = write::Output::new(Some(&path), host)?;
        output.write_all(bytes).map_err(|error| output.problem(&error))?;
        output.finish().map(|()| path)
    };
    files.into_iter().map(write).collect()
}
