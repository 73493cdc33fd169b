//! Flexible arms as formulas: equations worked out by hand, the names of constants, generated code; and what many modes ask of
//! integrals.

use jourdain::flexible::derive::{ArmConstants, ArmLanguage, ArmQuantity, Notation, equations, package, program};
use jourdain::flexible::slopes::pair;
use jourdain::flexible::{BuiltArm, Kinematics, centrelines, tip};

/// A link with a payload, under gravity along −y.
fn one_link(modes: usize, kinematics: Kinematics) -> BuiltArm {
    let text = format!(
        "name = \"one\"\ngravity = [0.0, -9.81]\nkinematics = \"{}\"\npayload = {{ mass = 0.3, inertia = 0.01 }}\n\
         [[link]]\nlength = 1.0\ndensity = 1.0\nrigidity = 1.0\nmodes = {modes}\nhub = {{ inertia = 1.0 }}\n",
        kinematics.name()
    );
    text.parse().unwrap()
}

/// One link with one mode: what DS (25) is with n = m = 1. Motions stand behind what multiplies them, deflections among them.
#[test]
fn equations_of_one_link_with_one_mode_are_those_worked_out_by_hand() {
    let arm = one_link(1, Kinematics::Paper).arm;
    let right = |quantity: ArmQuantity, notation: Notation| -> Vec<String> {
        let (parts, found) = equations(&arm, quantity, ArmConstants::Symbolic, notation).unwrap();
        assert!(parts.is_empty());
        found.into_iter().map(|equation| equation.right).collect()
    };
    let [b11, b12, b22] =
        ["mp*l1^2 + Jo1 + Jh1 + Jp", "mp*l1*phi11e + w11 + Jp*dphi11e", "mp*phi11e^2 + Jp*dphi11e^2 + z111"];
    assert_eq!(right(ArmQuantity::Inertia, Notation::Text), [b11, b12, b22]);
    assert_eq!(right(ArmQuantity::Velocity, Notation::Text), ["0"]);
    let [g1, g2] = [
        "(v11*gy + mp*phi11e*gy)*sin(theta1)*delta11 + (-mp*l1*gy - m1*d1*gy)*cos(theta1)",
        "(-v11*gy - mp*phi11e*gy)*cos(theta1)",
    ];
    assert_eq!(right(ArmQuantity::Gravity, Notation::Text), [g1, g2]);
    assert_eq!(
        right(ArmQuantity::Forces, Notation::Text),
        [
            format!("({b11})*theta1_ddot + ({b12})*delta11_ddot + {g1}"),
            format!("({b12})*theta1_ddot + ({b22})*delta11_ddot + k111*delta11 + {g2}"),
        ]
    );
    assert_eq!(
        right(ArmQuantity::Tip, Notation::Latex),
        [
            "-\\phi_{11,e} \\, \\sin \\theta_{1} \\, \\delta_{11} + \\ell_{1} \\, \\cos \\theta_{1}",
            "\\phi_{11,e} \\, \\cos \\theta_{1} \\, \\delta_{11} + \\ell_{1} \\, \\sin \\theta_{1}",
            "{\\phi'}_{11,e} \\, \\delta_{11} + \\theta_{1}",
        ]
    );
    let latex = right(ArmQuantity::Forces, Notation::Latex);
    assert!(latex[1].contains("\\, \\ddot{\\delta}_{11} + k_{111} \\, \\delta_{11}"), "{latex:?}");
}

/// Constants that are the same by symmetry have one name, and each has the value that stands at its place.
#[test]
fn every_constant_of_a_stiffened_link_has_one_name_and_its_value() {
    let arm = one_link(2, Kinematics::Stiffened).arm;
    let found = program(&arm, ArmQuantity::Forces, ArmConstants::Symbolic).unwrap().parameters;
    let names: Vec<&str> = found.iter().map(|parameter| parameter.symbol.text.as_str()).collect();
    let known = "l1 m1 d1 Jo1 Jh1 v11 v12 w11 w12 phi11e phi12e dphi11e dphi12e z111 z112 z122 k111 k122 \
                 H_111 H_112 H_122 G0_111 G0_112 G0_122 G1_111 G1_112 G1_122 \
                 F_1111 F_1112 F_1122 F_1211 F_1212 F_1222 Q_11111 Q_11112 Q_11122 Q_11212 Q_11222 Q_12222 mp Jp gy";
    assert_eq!(names, known.split_whitespace().collect::<Vec<_>>());
    let value = |name: &str| found[names.iter().position(|own| *own == name).unwrap()].value;
    let link = &arm.links()[0];
    assert_eq!([value("d1"), value("z112"), value("k122")], [0.5, link.z[1], link.stiffness[3]]);
    assert_eq!([value("H_122"), value("G1_112")], [link.slopes.end[3], link.slopes.first[1]]);
    assert_eq!(value("F_1212"), link.slopes.across[3 + pair(0, 1)]);
    assert_eq!(value("Q_11222"), link.slopes.square[3 * pair(0, 1) + pair(1, 1)]);
}

#[test]
fn quantities_have_the_lengths_of_their_numbers() {
    let arm = one_link(2, Kinematics::Paper).arm;
    let (q, zero) = ([0.3, 0.01, 0.02], [0.0; 3]);
    for quantity in ArmQuantity::ALL {
        let lengths = quantity.lengths(3);
        let found = quantity.evaluate(&arm, &q, &zero, &zero).len();
        assert_eq!((lengths.iter().product::<usize>(), lengths.len() == 2), (found, quantity == ArmQuantity::Inertia));
    }
}

#[test]
fn generated_code_says_what_it_reads_and_has_each_quantity_once() {
    let arm = one_link(2, Kinematics::Paper).arm;
    let asked = [ArmQuantity::Forces, ArmQuantity::Inertia, ArmQuantity::Forces];
    let text = |constants| {
        let files = package(&arm, &asked, constants, ArmLanguage::Python, "1").unwrap();
        assert_eq!(files[0].0, "one.py");
        files[0].1.clone()
    };
    let symbolic = text(ArmConstants::Symbolic);
    for part in [
        "Flexible arm one: 1 links, 3 coordinates, paper kinematics.",
        "    q (3): coordinates theta1, delta11, delta12\n",
        "    qd (3): their rates\n",
        "    qdd (3): their accelerations\n",
        "    parameters (21): l1, m1, d1, Jo1, Jh1, v11, v12, ",
        "    out (3): generalised forces",
        ": inertia matrix B",
    ] {
        assert!(symbolic.contains(part), "{part}");
    }
    assert_eq!(symbolic.matches("def forces(q, qd, qdd, parameters):").count(), 1);
    assert_eq!(symbolic.matches("def inertia(q, parameters):").count(), 1);
    let numeric = text(ArmConstants::Numeric);
    assert_eq!(numeric.matches("def forces(q, qd, qdd):").count(), 1);
    assert!(!numeric.contains("parameters ("));
}

/// Lines for drawing and the tip are integrals of their own: with many modes both need nodes enough.
#[test]
fn lines_of_links_with_many_modes_end_at_the_tip() {
    let mut built = one_link(12, Kinematics::Exact);
    let q: Vec<f64> = (0..13).map(|c| if c == 0 { 0.4 } else { 0.01 * (1.0 + 0.3 * f64::from(c)).sin() }).collect();
    for kinematics in [Kinematics::Stiffened, Kinematics::Exact] {
        built.arm = built.arm.with_kinematics(kinematics);
        let found = centrelines(&built, &q, 3);
        let [x, y] = tip(&built.arm, &q).position;
        let [end_x, end_y] = found[0][3];
        assert!((end_x - x).abs() < 1e-12 && (end_y - y).abs() < 1e-12, "{kinematics:?}: {:?}", [end_x - x, end_y - y]);
    }
    // Fewer pieces than one are one.
    assert_eq!(centrelines(&built, &q, 0)[0].len(), 2);
}
