//! Every public function whose name ends in `_into` is either called by a test that counts allocations, or stands here with the reason
//! why it allocates all the same.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// File below `src`, name: the test that counts, of this folder.
const COUNTED: &[(&str, &[&str], &str)] = &[
    ("batch/mod.rs", &["evaluate_into"], "compiled_allocation"),
    ("compile.rs", &["input_into"], "compiled_allocation"),
    ("dynamics/memory.rs", &["inverse_dynamics_into"], "motion_allocation"),
    ("dynamics/recursive/articulated.rs", &["articulated_body_into"], "recursive_allocation"),
    ("dynamics/recursive/derivative_tables.rs", &["inverse_dynamics_tables_into"], "time_derivatives_allocation"),
    (
        "dynamics/recursive/forward.rs",
        &[
            "forward_dynamics_by_factor_into",
            "forward_dynamics_into",
            "forward_dynamics_partials_into",
            "mass_matrix_inverse_dq_into",
            "mass_matrix_inverse_into",
        ],
        "recursive_allocation",
    ),
    (
        "dynamics/recursive/matrices.rs",
        &["coriolis_matrix_into", "dynamic_matrices_into", "gravity_into", "mass_matrix_into"],
        "recursive_allocation",
    ),
    ("dynamics/recursive/matrix_rates.rs", &["dynamic_matrices_rates_into"], "time_derivatives_allocation"),
    (
        "dynamics/recursive/newton_euler.rs",
        &["bias_into", "external_forces_into", "inverse_dynamics_into", "link_torques_into"],
        "recursive_allocation",
    ),
    (
        "dynamics/recursive/partials.rs",
        &["gravity_partials_into", "inverse_dynamics_partials_into"],
        "recursive_allocation",
    ),
    (
        "dynamics/recursive/rates.rs",
        &["coriolis_matrix_dot_into", "gravity_dot_into", "mass_matrix_dot_into"],
        "recursive_allocation",
    ),
    (
        "dynamics/recursive/regressor.rs",
        &["energy_regressor_into", "momentum_regressor_into", "regressor_into", "slotine_li_regressor_into"],
        "recursive_allocation",
    ),
    (
        "dynamics/recursive/tensors.rs",
        &["coriolis_matrix_dq_into", "coriolis_matrix_dqd_into", "mass_matrix_dq_into"],
        "recursive_allocation",
    ),
    (
        "dynamics/recursive/time_derivatives.rs",
        &[
            "coriolis_matrix_series_into",
            "dynamic_matrices_series_into",
            "external_forces_series_into",
            "gravity_series_into",
            "inverse_dynamics_series_into",
            "inverse_dynamics_under_series_into",
            "mass_matrix_series_into",
        ],
        "time_derivatives_allocation",
    ),
    ("elastic/control/computed_torque.rs", &["rigid_torque_into"], "elastic_allocation"),
    ("elastic/forward.rs", &["forward_dynamics_into"], "elastic_allocation"),
    ("elastic/inverse.rs", &["damped_inverse_dynamics_into", "inverse_dynamics_into"], "elastic_allocation"),
    ("elastic/model.rs", &["spring_torques_into"], "elastic_allocation"),
    ("elastic/rates.rs", &["at_into"], "elastic_allocation"),
    ("elastic/wound.rs", &["deflection_into", "motors_into"], "elastic_allocation"),
    ("flexible/factor.rs", &["accelerations_into"], "flexible_allocation"),
    ("flexible/terms.rs", &["terms_into"], "flexible_allocation"),
    ("formats/table/lines.rs", &["next_into"], "motion_allocation"),
    ("ik/batch.rs", &["solve_into"], "ik_allocation"),
    ("ik/search.rs", &["best_into", "reach_into", "solve_into"], "ik_allocation"),
    ("kinematics/com.rs", &["com_into", "com_jacobian_dot_into", "com_jacobian_into"], "kinematics_allocation"),
    ("kinematics/forward.rs", &["poses_into", "twists_into"], "kinematics_allocation"),
    ("kinematics/jacobian.rs", &["jacobian_into"], "kinematics_allocation"),
    ("kinematics/jacobian_partials.rs", &["jacobian_partials_into"], "kinematics_allocation"),
    ("kinematics/jacobian_rate.rs", &["jacobian_dot_into"], "kinematics_allocation"),
    ("kinematics/tangent.rs", &["along_into"], "kinematics_allocation"),
    ("kinematics/trajectory.rs", &["position_jets_into", "series_into"], "kinematics_allocation"),
    (
        "model/joint/motion.rs",
        &["neutral_into", "position_rate_into", "subspace_ddot_into", "subspace_dot_into", "subspace_into"],
        "motion_allocation",
    ),
    ("model/tree.rs", &["position_rate_into"], "motion_allocation"),
    ("prescribed/reference.rs", &["at_into", "loads_into", "loads_with_rates_into"], "motion_allocation"),
    ("prescribed/torque.rs", &["at_into"], "motion_allocation"),
    ("quantity/mod.rs", &["evaluate_four_into", "evaluate_into"], "quantity_allocation"),
    ("simulate/equations.rs", &["rate_into"], "motion_allocation"),
];

/// File below `src`, name: why nothing counts.
const EXEMPT: &[(&str, &str, &str)] = &[
    (
        "batch/mod.rs",
        "evaluate_columns_into",
        "makes states of columns, for calls where that is little beside the rest",
    ),
    ("derive/trace.rs", "read_into", "is what input_into calls"),
    ("dynamics/recursive/lie_series.rs", "coriolis_matrix_derivative_into", "series of any order, found at run time"),
    ("dynamics/recursive/lie_series.rs", "mass_matrix_derivative_into", "series of any order, found at run time"),
    ("kinematics/centroidal.rs", "centroidal_matrix_into", "inertias of all that a link carries"),
    ("kinematics/com.rs", "com_jacobian_partials_into", "a pass on dual numbers, which the scratch has no room for"),
    (
        "kinematics/jacobian_second.rs",
        "jacobian_ddot_into",
        "a pass on dual numbers, which the scratch has no room for",
    ),
    ("kinematics/jacobian_second.rs", "jacobian_dot_partials_into", "a pass on dual numbers, as above"),
    ("quantity/formulas.rs", "com_into", "private to the registry, and evaluated as a quantity"),
];

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

/// Every `pub fn …_into` with its file.
fn public_forms() -> Vec<(String, String)> {
    let source = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"));
    let mut files = Vec::new();
    rust_files(source, &mut files);
    let mut forms = Vec::new();
    for file in files {
        let place = file.strip_prefix(source).unwrap().to_string_lossy().replace('\\', "/");
        for line in fs::read_to_string(&file).unwrap().lines() {
            let Some(rest) = line.trim_start().strip_prefix("pub fn ") else { continue };
            let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            if name.ends_with("_into") {
                forms.push((place.clone(), name));
            }
        }
    }
    forms.sort();
    forms
}

#[test]
fn every_in_place_form_is_counted_or_exempt() {
    let mut listed: Vec<_> = COUNTED
        .iter()
        .flat_map(|(file, names, _)| names.iter().map(|name| ((*file).to_owned(), (*name).to_owned())))
        .chain(EXEMPT.iter().map(|(file, name, _)| ((*file).to_owned(), (*name).to_owned())))
        .collect();
    listed.sort();
    let forms = public_forms();
    assert!(forms.len() > 60, "the search finds {}", forms.len());
    let missing: Vec<_> = forms.iter().filter(|form| !listed.contains(form)).collect();
    let gone: Vec<_> = listed.iter().filter(|form| !forms.contains(form)).collect();
    assert!(missing.is_empty() && gone.is_empty(), "not listed: {missing:?}; listed and gone: {gone:?}");
}

#[test]
fn the_tests_that_are_named_call_what_they_are_named_for() {
    let mut texts = BTreeMap::new();
    for (file, names, test) in COUNTED {
        let path = format!("{}/tests/allocation/{test}.rs", env!("CARGO_MANIFEST_DIR"));
        let text = texts.entry(*test).or_insert_with(|| fs::read_to_string(path).unwrap());
        for name in *names {
            assert!(text.contains(&format!("{name}(")), "{test}.rs does not call {name} of {file}");
        }
    }
}
