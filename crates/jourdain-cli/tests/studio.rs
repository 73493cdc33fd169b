//! `jourdain studio` as others call it.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

fn jourdain() -> Command {
    Command::new(env!("CARGO_BIN_EXE_jourdain"))
}

#[test]
fn the_first_line_is_the_address_and_the_server_ends_with_the_program() {
    let mut child = jourdain()
        .args(["studio", "panda", "--no-open", "--port", "0"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let rest = line.trim_end().strip_prefix("http://127.0.0.1:").unwrap();
    let (port, token) = rest.split_once("/?token=").unwrap();
    assert!(token.len() >= 32 && token.chars().all(|c| c.is_ascii_alphanumeric()), "{line}");
    let ask = |target: &str| {
        let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
        write!(stream, "GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n").unwrap();
        let mut answer = String::new();
        BufReader::new(stream).take(15).read_to_string(&mut answer).unwrap();
        answer
    };
    assert_eq!(ask("/"), "HTTP/1.1 403 Fo");
    assert_eq!(ask(&format!("/alive?token={token}")), "HTTP/1.1 204 No");
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(TcpStream::connect(format!("127.0.0.1:{port}")).is_err());
}

/// Starts the server; the child, its address, and the rest of its standard output.
fn serving(words: &[&str]) -> (Child, String, BufReader<ChildStdout>) {
    let mut child = jourdain()
        .arg("studio")
        .args(words)
        .args(["--no-open", "--port", "0"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    (child, line.trim_end().to_owned(), stdout)
}

/// The page at an address.
fn page(address: &str) -> String {
    let (host, target) = address.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    write!(stream, "GET /{target} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn edits_of_the_command_line_are_in_the_page() {
    let (mut child, address, _) =
        serving(&["panda", "--payload", "link7=1.5", "--lock", "link1=0.5", "--gravity", "0,0,-1.62"]);
    let page = page(&address);
    child.kill().unwrap();
    child.wait().unwrap();
    for field in [r#""payload":["link7=1.5"]"#, r#""lock":["link1=0.5"]"#, r#""gravity":[0.0,0.0,-1.62]"#] {
        assert!(page.contains(field), "{field}");
    }
    let output = jourdain().args(["studio", "--floating", "--json"]).output().unwrap();
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &answer["error"]["kind"]), (Some(2), &serde_json::json!("usage")));
    assert!(answer["error"]["message"].as_str().unwrap().contains("--floating"));
}

#[test]
fn only_the_address_is_on_standard_output_and_a_refused_file_is_told_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bad.urdf");
    std::fs::write(
        &file,
        "<robot name=\"bad\"><link name=\"a\"><inertial><mass value=\"x\"/></inertial></link></robot>",
    )
    .unwrap();
    let (mut child, address, mut stdout) = serving(&[file.to_str().unwrap()]);
    assert!(page(&address).contains("/bad.urdf\""));
    child.kill().unwrap();
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    let mut told = String::new();
    child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    child.wait().unwrap();
    assert_eq!(rest, "");
    assert!(told.contains("bad.urdf") && told.contains("mass") && told.contains("serving until Ctrl-C"), "{told}");
}

#[cfg(unix)]
#[test]
fn it_ends_at_once_when_it_is_interrupted() {
    for signal in ["-INT", "-TERM"] {
        let (mut child, address, _) = serving(&["planar2r"]);
        // One who is still waiting for an answer holds up nothing.
        let host = address.strip_prefix("http://").unwrap().split('/').next().unwrap();
        let mut waiting = TcpStream::connect(host).unwrap();
        waiting.write_all(b"GET / HT").unwrap();
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        let begin = Instant::now();
        let status = child.wait().unwrap();
        assert!(!status.success());
        assert!(begin.elapsed() < Duration::from_secs(2), "{signal}: {:?}", begin.elapsed());
    }
}

#[test]
fn a_file_and_a_site_are_written_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path().join("site/");
    let output = jourdain().args(["studio", "panda", "--json", "--export"]).arg(&site).output().unwrap();
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let [page, module] = ["index.html", "engine.wasm"].map(|name| site.join(name).display().to_string());
    assert_eq!(answer, serde_json::json!({ "files": [page, module] }));
    let file = folder.path().join("iiwa14.html");
    let output = jourdain().args(["studio", "iiwa14", "--export"]).arg(&file).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap().trim_end(), file.display().to_string());
    assert!(file.is_file());
}

#[test]
fn a_port_in_use_is_bad_input_with_a_remedy() {
    let taken = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let output = jourdain().args(["studio", "--no-open", "--json", "--port", &port]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["error"]["kind"], "port-in-use");
    assert!(answer["error"]["hint"].as_str().unwrap().contains("--port"));
}
