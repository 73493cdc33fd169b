//! Shapes that show links: every format says them, conversions and edits keep them, and nothing else depends on them.

use jourdain::formats::{self, Format, WRITERS, WriteOptions};
use jourdain::kinematics;
use jourdain::model::shape::{Form, MAX_SHAPES, ShapeDescription};
use jourdain::model::{Description, Edit, Model};
use jourdain::spatial::Pose;

const ARM: &str = r#"
name = "arm"
[[link]]
name = "upper"
mass = 1
inertia = [0.1, 0, 0, 0.1, 0, 0.1]
origin = { xyz = [0, 0, 0.3] }
joint = { type = "revolute", axis = [0, 1, 0], limits = [-2, 2] }
[[link.shape]]
type = "box"
size = [0.1, 0.2, 0.3]
origin = { xyz = [0, 0, 0.15], rpy = [0, 0.1, 0] }
colour = [0.2, 0.4, 0.6, 1]
[[link.shape]]
type = "cylinder"
size = [0.05, 0.4]
[[link]]
name = "fore"
mass = 1
inertia = [0.1, 0, 0, 0.1, 0, 0.1]
origin = { xyz = [0, 0, 0.3], rpy = [0, 0, 0.5] }
joint = { type = "revolute", axis = [0, 1, 0], limits = [-2, 2] }
shape = [
    { type = "sphere", size = [0.07] },
    { mesh = "meshes/fore.stl", scale = [0.001, 0.001, 0.001], origin = { xyz = [0.1, 0, 0] }, colour = [1, 0, 0, 0.5] },
]
[[link]]
name = "hand"
mass = 1
inertia = [0.1, 0, 0, 0.1, 0, 0.1]
origin = { xyz = [0, 0, 0.2] }
[[link.shape]]
type = "capsule"
size = [0.02, 0.1]
origin = { xyz = [0, 0.1, 0], rpy = [0.3, 0, 0] }
[[link.shape]]
type = "ellipsoid"
size = [0.01, 0.02, 0.03]
"#;

fn arm() -> Description {
    let reading = formats::read_str(ARM, Format::Toml);
    assert!(reading.is_ok(), "{:?}", reading.diagnostics);
    reading.description.unwrap().into_description().without_locations()
}

fn shapes<'a>(robot: &'a Description, link: &str) -> &'a [ShapeDescription] {
    &robot.links.iter().find(|known| known.name == link).unwrap().shapes
}

fn read(text: &str, what: &str) -> Description {
    let reading = formats::read(text.as_bytes());
    assert!(reading.is_ok(), "{what}: {:?}\n{text}", reading.diagnostics);
    reading.description.unwrap().into_description()
}

/// Where each shape is in the world with all joints at zero.
fn world(robot: &Description) -> Vec<(Form, Pose<f64>)> {
    let model = Model::from_description(robot).unwrap();
    let poses = kinematics::poses(&model, &model.neutral::<f64>());
    let links = model.description().links.iter().zip(poses);
    let all =
        links.flat_map(|(link, pose)| link.shapes.iter().map(move |shape| (shape.form.clone(), pose * shape.pose())));
    all.collect()
}

fn distance(a: &Pose<f64>, b: &Pose<f64>) -> f64 {
    let (a, b) = (a.to_matrix(), b.to_matrix());
    a.as_flattened().iter().zip(b.as_flattened()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn the_native_form_has_all_of_them() {
    let robot = arm();
    assert_eq!(robot.links.iter().map(|link| link.shapes.len()).collect::<Vec<_>>(), [2, 2, 2]);
    assert_eq!(shapes(&robot, "upper")[0].colour, Some([0.2, 0.4, 0.6, 1.0]));
    for text in [formats::to_toml(&robot), formats::to_json(&robot)] {
        assert_eq!(read(&text, "native").without_locations(), robot, "{text}");
    }
}

/// Formats that can say a shape say it: the same forms in the same places, whatever frames links have there.
#[test]
fn every_format_keeps_the_shapes_that_it_can_say() {
    let robot = arm();
    for writer in WRITERS {
        let written = writer.write(&robot, &WriteOptions::default()).unwrap();
        let again = world(&read(&written.text, writer.name));
        let mut expected = world(&robot);
        let told = written.lost.join("\n");
        if writer.name == "urdf" {
            assert!(told.contains("ellipsoid") && told.contains("capsule"), "{told}");
            expected.retain(|(form, _)| !matches!(form, Form::Ellipsoid { .. } | Form::Capsule { .. }));
            assert_eq!(again.len(), expected.len() + 3, "a capsule is a cylinder and two balls");
        } else {
            assert_eq!(again.len(), expected.len(), "{}: {}", writer.name, written.text);
        }
        for (form, pose) in &expected {
            let same = |(known, at): &&(Form, Pose<f64>)| known == form && distance(at, pose) < 1e-12;
            assert!(again.iter().any(|shape| same(&shape)), "{}: {form:?}\n{}", writer.name, written.text);
        }
    }
}

#[test]
fn a_capsule_in_urdf_ends_where_it_ended() {
    let robot = arm();
    let written = formats::to_urdf(&robot).unwrap();
    let again = world(&read(&written.text, "urdf"));
    let capsule = world(&robot).into_iter().find(|(form, _)| matches!(form, Form::Capsule { .. })).unwrap().1;
    let balls: Vec<_> = again.iter().filter(|(form, _)| *form == Form::Sphere { radius: 0.02 }).collect();
    let ends = [0.05, -0.05].map(|z| capsule.apply(jourdain::spatial::Vector::new(0.0, 0.0, z)));
    for ((_, ball), end) in balls.iter().zip(ends) {
        assert!((ball.translation - end).norm() < 1e-12);
    }
    assert_eq!(balls.len(), 2);
}

#[test]
fn the_same_shapes_are_read_from_urdf_mjcf_and_sdf() {
    let urdf = r#"<robot name="a"><material name="red"><color rgba="1 0 0 1"/></material><link name="l">
        <inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
        <visual><origin xyz="0 0 0.1" rpy="0 0 0.2"/><geometry><box size="0.1 0.2 0.3"/></geometry><material name="red"/></visual>
        <visual><geometry><mesh filename="m/a.stl" scale="2 2 2"/></geometry></visual></link></robot>"#;
    let sdf = r#"<sdf version="1.9"><model name="a"><static>true</static><link name="l">
        <visual name="v"><pose>0 0 0.1 0 0 0.2</pose><geometry><box><size>0.1 0.2 0.3</size></box></geometry>
        <material><diffuse>1 0 0 1</diffuse></material></visual>
        <visual name="w"><geometry><mesh><uri>m/a.stl</uri><scale>2 2 2</scale></mesh></geometry></visual></link></model></sdf>"#;
    let mjcf = r#"<mujoco model="a"><compiler angle="radian" meshdir="m"/>
        <default><default class="seen"><geom type="box" size="0.05 0.1 0.15" material="red"/></default></default>
        <asset><material name="red" rgba="1 0 0 1"/><mesh name="a" file="a.stl" scale="2 2 2"/></asset>
        <worldbody><body name="l"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
        <geom class="seen" pos="0 0 0.1" euler="0 0 0.2"/><geom type="mesh" mesh="a"/><geom size="9" group="3"/></body></worldbody></mujoco>"#;
    let [first, second, third] = [urdf, sdf, mjcf].map(|text| read(text, "file"));
    let given = shapes(&first, "l");
    assert_eq!(given.len(), 2);
    assert_eq!((&given[0].form, given[0].colour), (&Form::Box { size: [0.1, 0.2, 0.3] }, Some([1.0, 0.0, 0.0, 1.0])));
    assert_eq!(given[1].form, Form::Mesh { path: "m/a.stl".to_owned(), scale: [2.0; 3] });
    for other in [&second, &third] {
        let found = shapes(other, "l");
        assert_eq!(found.len(), 2);
        for (a, b) in given.iter().zip(found) {
            assert_eq!((&a.form, a.colour), (&b.form, b.colour));
            assert!(distance(&a.pose(), &b.pose()) < 1e-15);
        }
    }
}

/// MuJoCo draws a vertex v of a mesh at S Rᵀ (v − refpos).
#[test]
fn a_mesh_of_mujoco_is_where_its_reference_frame_says() {
    let text = r#"<mujoco><compiler angle="radian"/><asset><mesh name="a" file="a.stl" scale="2 2 2" refpos="1 0 0" refquat="0.7071067811865476 0 0 0.7071067811865476"/></asset>
        <worldbody><body name="l"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><geom type="mesh" mesh="a" pos="0 0 5"/></body></worldbody></mujoco>"#;
    let robot = read(text, "mjcf");
    let pose = shapes(&robot, "l")[0].pose();
    // The vertex (3, 1, 0): minus refpos (2, 1, 0), turned back by 90° about z (1, −2, 0), twice as large, 5 up.
    let drawn = pose.apply(jourdain::spatial::Vector::new(6.0, 2.0, 0.0));
    assert!((drawn - jourdain::spatial::Vector::new(2.0, -4.0, 5.0)).norm() < 1e-12, "{drawn:?}");
}

#[test]
fn edits_keep_shapes_where_they_are() {
    let robot = arm();
    let before = world(&robot);
    let locked = robot.clone().edit(&[Edit::Lock { joint: "fore".to_owned(), position: vec![] }]).unwrap().description;
    assert_eq!(world(&locked).len(), before.len());
    for ((form, at), (known, expected)) in world(&locked).iter().zip(&before) {
        assert!(form == known && distance(at, expected) < 1e-12);
    }
    let cut = robot.clone().edit(&[Edit::Without { link: "hand".to_owned() }]).unwrap().description;
    assert_eq!(world(&cut).len(), 4);
    let tool = Edit::Tool { robot: Box::new(robot.clone()), link: Some("hand".to_owned()) };
    let mounted = robot.edit(&[tool]).unwrap().description;
    assert_eq!(world(&mounted).len(), 2 * before.len());
}

#[test]
fn broken_shapes_are_left_out_without_a_word_and_numbers_do_not_depend_on_them() {
    let plain = r#"<robot name="a"><link name="l"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>VISUAL</link></robot>"#;
    let broken = r#"<visual/><visual><geometry/></visual><visual><geometry><box size="1 2"/></geometry></visual><visual><geometry><sphere radius="-1"/></geometry></visual>
        <visual><origin xyz="a b c"/><geometry><sphere radius="1"/></geometry></visual><visual><geometry><mesh/></geometry></visual>
        <visual><geometry><sphere radius="1e999"/></geometry></visual><visual><geometry><blob/></geometry></visual>"#;
    let [without, with] = ["", broken].map(|visual| formats::read(plain.replace("VISUAL", visual).as_bytes()));
    let codes = |reading: &formats::Reading| reading.diagnostics.iter().map(|found| found.code).collect::<Vec<_>>();
    assert_eq!(codes(&without), codes(&with));
    let [without, with] = [without, with].map(|reading| reading.description.unwrap());
    assert!(with.links[0].shapes.is_empty());
    assert_eq!(Model::from(without), Model::from(with));
}

#[test]
fn wrong_shapes_in_the_native_form_are_told() {
    let cases = [
        ("{ type = \"bax\", size = [1, 1, 1] }", "unknown-shape"),
        ("{ type = \"box\", size = [1, 1] }", "bad-shape"),
        ("{ type = \"sphere\", size = [-1] }", "bad-shape"),
        ("{ size = [1] }", "missing-key"),
        ("{ mesh = \"a.stl\", scale = [0, 1, 1] }", "bad-shape"),
        ("{ type = \"sphere\", size = [1], scale = [1, 1, 1] }", "key-not-applicable"),
        ("{ type = \"sphere\", size = [1], colour = [2, 0, 0] }", "bad-colour"),
        ("{ type = \"sphere\", size = [1], color = [1, 0, 0] }", "unknown-key"),
    ];
    for (shape, code) in cases {
        let text = format!("name = \"a\"\n[[link]]\nname = \"l\"\nshape = [{shape}]");
        let found = formats::read(text.as_bytes()).diagnostics;
        assert!(found.iter().any(|found| found.code == code && found.location.is_some()), "{shape}: {found:?}");
    }
}

/// However many shapes a file gives a link, and however long their names are.
#[test]
fn a_link_has_a_bounded_size() {
    let visual = r#"<visual><geometry><mesh filename="NAME"/></geometry></visual>"#;
    let links = |name: &str, count: usize| {
        let visuals = visual.replace("NAME", name).repeat(count);
        read(&format!(r#"<robot name="a"><link name="l">{visuals}</link></robot>"#), "urdf")
    };
    assert_eq!(shapes(&links("a.stl", 2 * MAX_SHAPES), "l").len(), MAX_SHAPES);
    assert!(shapes(&links(&"a".repeat(5000), 1), "l").is_empty());
    // What a link costs that nothing shows, and what a shape adds.
    let sizes = [size_of::<jourdain::model::description::LinkDescription>(), size_of::<ShapeDescription>()];
    assert!(sizes[0] <= 2200 && sizes[1] <= 400, "{sizes:?}");
}

#[test]
fn sdf_shapes_in_other_frames_are_brought_into_that_of_their_link() {
    let text = r#"<sdf version="1.9"><model name="s"><link name="a"><inertial><mass>1</mass></inertial></link>
        <link name="b"><pose relative_to="a">0 0 1 0 0 1.5707963267948966</pose><inertial><mass>1</mass></inertial>
          <visual name="far"><pose relative_to="f">0 0 0.25 0 0 0</pose><geometry><sphere><radius>0.1</radius></sphere></geometry></visual>
          <visual name="near"><pose>0 0 0.5 0 0 0</pose><geometry><sphere><radius>0.2</radius></sphere></geometry></visual>
          <visual name="lost"><pose relative_to="nowhere">0 0 0 0 0 0</pose><geometry><sphere><radius>0.3</radius></sphere></geometry></visual></link>
        <frame name="f" attached_to="a"><pose>1 0 0 0 0 0</pose></frame>
        <joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint></model></sdf>"#;
    let robot = read(text, "file.sdf");
    let link = robot.links.iter().find(|link| link.name == "b").unwrap();
    assert_eq!(link.shapes.len(), 2);
    let [near, far] = [&link.shapes[0], &link.shapes[1]];
    assert_eq!((near.form.size(), near.pose().translation.0), (vec![0.2], [0.0, 0.0, 0.5]));
    // A metre ahead of `a` is a metre to the right of `b`, which is turned to the left, and one below it.
    let place = far.pose().translation.0;
    assert_eq!(far.form.size(), [0.1]);
    for (found, expected) in place.into_iter().zip([0.0, -1.0, -0.75]) {
        assert!((found - expected).abs() < 1e-12, "{place:?}");
    }
}
