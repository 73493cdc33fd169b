//! `<compiler>` and `<option>`: they hold for the whole model wherever they stand; the last value wins.

use super::super::xml::Element;
use super::context::{Context, View};
use crate::model::Diagnostic;

/// The attributes of `<compiler>`.
const COMPILER: [&str; 24] = [
    "alignfree",
    "angle",
    "assetdir",
    "autolimits",
    "balanceinertia",
    "boundinertia",
    "boundmass",
    "conflict",
    "coordinate",
    "discardvisual",
    "eulerseq",
    "fitaabb",
    "fusestatic",
    "inertiafromgeom",
    "inertiagrouprange",
    "meshdir",
    "passthrough",
    "savecanonical",
    "savecompiled",
    "saveinertial",
    "settotalmass",
    "strippath",
    "texturedir",
    "usethread",
];

/// When a body's inertia comes from its geoms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FromGeoms {
    /// Where there is no `<inertial>`.
    Auto,
    /// Wherever there are geoms.
    Always,
    Never,
}

/// What `<compiler>` and `<option>` say.
pub(super) struct Settings {
    pub degrees: bool,
    /// Axis of each Euler angle, and whether it turns about fixed axes.
    pub euler: [(usize, bool); 3],
    pub autolimits: bool,
    pub from_geoms: FromGeoms,
    pub groups: [i64; 2],
    pub balance: bool,
    pub least_mass: f64,
    pub least_inertia: f64,
    pub total_mass: f64,
    pub mesh_folder: String,
    pub strip_path: bool,
    pub fit_to_box: bool,
    pub gravity: [f64; 3],
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            degrees: true,
            euler: [(0, false), (1, false), (2, false)],
            autolimits: true,
            from_geoms: FromGeoms::Auto,
            groups: [0, 5],
            balance: false,
            least_mass: 0.0,
            least_inertia: 0.0,
            total_mass: -1.0,
            mesh_folder: String::new(),
            strip_path: false,
            fit_to_box: false,
            gravity: [0.0, 0.0, -9.81],
        }
    }
}

impl Settings {
    pub fn read(root: &Element, context: &mut Context<'_, '_>) -> Self {
        let mut settings = Self::default();
        let mut weightless = false;
        for section in root.children() {
            match section.tag.as_str() {
                "compiler" => settings.compiler(section, context),
                "option" => {
                    let view = View::plain(section);
                    settings.gravity = context.vector(view, "gravity").unwrap_or(settings.gravity);
                    for flag in section.children().filter(|child| child.tag == "flag") {
                        weightless = flag.get("gravity").map_or(weightless, |word| word == "disable");
                    }
                    for medium in ["density", "viscosity"] {
                        if context.number(view, medium).is_some_and(|value| value != 0.0) {
                            context.lost(section.span_of(medium), "the forces of the surrounding medium are left out");
                        }
                    }
                }
                _ => {}
            }
        }
        if weightless {
            settings.gravity = [0.0; 3];
        }
        settings
    }

    fn compiler(&mut self, element: &Element, context: &mut Context<'_, '_>) {
        let view = View::plain(element);
        context.doubtful_attributes(view, &COMPILER);
        if element.get("coordinate").is_some_and(|word| word == "global") {
            let message = "coordinate=\"global\" is no longer part of MJCF".to_owned();
            let hint = "load and save the model in MuJoCo 2.3.3 or older, which converts it";
            context.error_with_hint(element.span_of("coordinate"), "global-coordinates", message, hint);
        }
        for (name, flag) in [
            ("autolimits", &mut self.autolimits),
            ("balanceinertia", &mut self.balance),
            ("strippath", &mut self.strip_path),
            ("fitaabb", &mut self.fit_to_box),
        ] {
            *flag = context.flag(view, name).unwrap_or(*flag);
        }
        for (name, number) in [
            ("boundmass", &mut self.least_mass),
            ("boundinertia", &mut self.least_inertia),
            ("settotalmass", &mut self.total_mass),
        ] {
            *number = context.number(view, name).unwrap_or(*number);
        }
        let degrees = context.keyword(view, "angle", &[("degree", true), ("radian", false)]);
        self.degrees = degrees.unwrap_or(self.degrees);
        let choices = [("auto", FromGeoms::Auto), ("true", FromGeoms::Always), ("false", FromGeoms::Never)];
        self.from_geoms = context.keyword(view, "inertiafromgeom", &choices).unwrap_or(self.from_geoms);
        if let Some([low, high]) = context.vector::<2>(view, "inertiagrouprange") {
            self.groups = [low as i64, high as i64];
        }
        // In one element meshdir wins over assetdir; a later assetdir wins over both.
        if let Some(folder) = view.get("assetdir") {
            folder.clone_into(&mut self.mesh_folder);
        }
        if let Some(folder) = view.get("meshdir") {
            folder.clone_into(&mut self.mesh_folder);
        }
        if let Some(attribute) = view.attribute("eulerseq") {
            match euler_sequence(&attribute.value) {
                Some(sequence) => self.euler = sequence,
                None => {
                    let message = "`eulerseq` must be three of the letters x, y, z, X, Y, Z".to_owned();
                    context.error(attribute.span, "unknown-keyword", message);
                }
            }
        }
        if context.flag(view, "alignfree") == Some(true) {
            let message = "alignfree=\"true\" is ignored: free bodies keep the frame that the file gives them";
            let hint = "take it out, or expect positions of free bodies at their own origin";
            context.push(element.span_of("alignfree"), Diagnostic::lost(message).hint(hint));
        }
    }
}

/// The axes of three letters; capitals turn about fixed axes.
fn euler_sequence(word: &str) -> Option<[(usize, bool); 3]> {
    let letters: Option<Vec<(usize, bool)>> = word
        .chars()
        .map(|letter| Some(("xyz".find(letter.to_ascii_lowercase())?, letter.is_ascii_uppercase())))
        .collect();
    letters?.try_into().ok()
}
