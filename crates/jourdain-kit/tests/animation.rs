//! Animations as files: the right number of pictures at the right times, in every format, and clear errors for what cannot be shown.
#![cfg(feature = "pictures")]

use jourdain_kit::host::Files;
use jourdain_kit::operation::handle;
use serde_json::{Value, json};
use std::fs::{self, File};
use std::path::Path;

fn made(operation: &str, mut request: Value, path: &Path) {
    request["animate"] = json!(path);
    handle(operation, request, &Files).unwrap_or_else(|problem| panic!("{operation}: {}", problem.to_json()));
}

/// Every operation that animates, small.
fn requests() -> Vec<(&'static str, Value, usize)> {
    let small = |mut request: Value| {
        request["frame_rate"] = json!(10);
        request["frame_width"] = json!(200);
        request
    };
    vec![
        ("simulate", small(json!({ "robot": "planar2r", "duration": 2.0, "step": 0.01 })), 21),
        ("simulate", small(json!({ "robot": "planar2r_elastic", "duration": 2.0, "step": 0.001 })), 21),
        (
            "trajectory",
            small(json!({ "robot": "iiwa14", "trajectory": "mueller-kumar", "quantity": ["gravity"], "samples": 3 })),
            51,
        ),
        ("elastic simulate", small(json!({ "robot": "planar2r_elastic" })), 21),
        ("ik-path", small(json!({ "robot": "planar2r", "path": "[[0.5, 0.3], [0.5, 0.35], [0.5, 0.4]]" })), 3),
        ("flexible simulate", small(json!({ "arm": "two_link_flexible", "scenario": "fig5", "duration": 2.0 })), 21),
        ("flexible modes", small(json!({ "arm": "two_link_flexible" })), 20),
    ]
}

#[test]
fn gifs_have_as_many_pictures_as_the_motion_and_show_each_for_its_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.gif");
    for (operation, request, count) in requests() {
        made(operation, request, &path);
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::Indexed);
        let mut decoder = options.read_info(File::open(&path).unwrap()).unwrap();
        assert_eq!(decoder.width(), 200, "{operation}");
        let (mut pictures, mut delays) = (0, Vec::new());
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            pictures += 1;
            delays.push(frame.delay);
        }
        assert_eq!(pictures, count, "{operation}");
        assert!(delays.iter().all(|delay| *delay == 10), "{operation}: {delays:?}");
    }
}

/// The parts of a PNG file.
fn chunks(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let (mut at, mut found) = (8, Vec::new());
    while at < bytes.len() {
        let length = u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        let kind = String::from_utf8(bytes[at + 4..at + 8].to_vec()).unwrap();
        let contents = bytes[at + 8..at + 8 + length].to_vec();
        let mut sum = flate2::Crc::new();
        sum.update(&bytes[at + 4..at + 8 + length]);
        assert_eq!(sum.sum().to_be_bytes(), bytes[at + 8 + length..at + 12 + length], "{kind}");
        found.push((kind, contents));
        at += 12 + length;
    }
    found
}

#[test]
fn animated_pngs_are_complete() {
    use std::io::Read as _;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.png");
    for (operation, request, count) in requests() {
        made(operation, request, &path);
        let chunks = chunks(&fs::read(&path).unwrap());
        let of = |kind: &str| chunks.iter().filter(|chunk| chunk.0 == kind).map(|chunk| &chunk.1).collect::<Vec<_>>();
        assert_eq!(of("acTL")[0][..4], (count as u32).to_be_bytes(), "{operation}");
        let controls = of("fcTL");
        assert_eq!(controls.len(), count, "{operation}");
        assert!(controls.iter().all(|control| control[20..24] == [0, 100, 3, 232]), "{operation}: 100/1000 s");
        let pictures = of("IDAT").into_iter().map(Vec::as_slice).chain(of("fdAT").into_iter().map(|data| &data[4..]));
        for (control, data) in controls.iter().zip(pictures) {
            let number = |from: usize| u32::from_be_bytes(control[from..from + 4].try_into().unwrap()) as usize;
            let mut pixels = Vec::new();
            flate2::read::ZlibDecoder::new(data).read_to_end(&mut pixels).unwrap();
            assert_eq!(pixels.len(), (number(4) + 1) * number(8), "{operation}");
        }
    }
}

#[test]
fn pages_and_moving_svgs_have_every_picture_and_are_the_same_twice() {
    let folder = tempfile::tempdir().unwrap();
    for (operation, request, count) in requests() {
        let [page, again, svg] = ["a.html", "b.html", "a.svg"].map(|name| folder.path().join(name));
        made(operation, request.clone(), &page);
        made(operation, request.clone(), &again);
        made(operation, request, &svg);
        let text = fs::read_to_string(&page).unwrap();
        assert_eq!(text, fs::read_to_string(&again).unwrap(), "{operation}");
        assert!(!text.contains("http:") && !text.contains("https:") && !text.contains("{{"), "{operation}");
        let start = text.find("id=\"movie\">").unwrap() + 11;
        let data: Value = serde_json::from_str(&text[start..start + text[start..].find("</script>").unwrap()]).unwrap();
        assert_eq!(data["frames"].as_array().unwrap().len(), count, "{operation}");
        assert_eq!(data["times"].as_array().unwrap().len(), count, "{operation}");
        let svg = fs::read_to_string(&svg).unwrap();
        assert_eq!(svg.matches("<animate ").count(), count, "{operation}");
    }
}

#[test]
fn what_cannot_be_shown_is_told_and_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.gif");
    let bad = [
        ("simulate", json!({ "robot": "planar2r", "duration": 1.0, "frame_rate": 0 }), "usage"),
        ("simulate", json!({ "robot": "planar2r", "duration": 1.0, "frame_rate": 61 }), "usage"),
        ("simulate", json!({ "robot": "planar2r", "duration": 1.0, "frame_width": 20 }), "usage"),
        ("simulate", json!({ "robot": "planar2r", "duration": 1.0, "frame_width": 20000 }), "usage"),
        ("simulate", json!({ "robot": "planar2r", "duration": 1.0, "playback_speed": -1.0 }), "usage"),
        ("simulate", json!({ "robot": "planar2r", "gravity": [0, 0, 0], "duration": 1.0 }), "nothing-moves"),
        ("ik-path", json!({ "robot": "planar2r", "path": "[[0.5, 0.3]]" }), "nothing-moves"),
        ("ik-path", json!({ "robot": "planar2r", "path": "[[0.5, 0.3], [0.5, 0.4]]", "playback_speed": 2.0 }), "usage"),
        ("flexible simulate", json!({ "arm": "two_link_flexible", "duration": 1.0 }), "nothing-moves"),
        (
            "flexible simulate",
            json!({ "arm": "two_link_flexible", "scenario": "fig5", "duration": 1.0, "magnify": 0.0 }),
            "usage",
        ),
        ("flexible modes", json!({ "arm": "two_link_flexible", "playback_speed": 2.0 }), "usage"),
    ];
    for (operation, mut request, kind) in bad {
        request["animate"] = json!(path);
        let problem = handle(operation, request.clone(), &Files).map(drop).unwrap_err();
        assert_eq!(problem.kind(), kind, "{operation} {request}: {}", problem.to_json());
        assert!(!path.exists(), "{operation} {request}");
    }
    let request = json!({ "robot": "planar2r", "animate": "a.mp4" });
    let problem = handle("simulate", request, &Files).map(drop).unwrap_err().to_json();
    assert!(problem["error"]["hint"].as_str().unwrap().contains(".html"), "{problem}");
}
