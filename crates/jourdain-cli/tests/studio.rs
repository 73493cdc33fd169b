//! `jourdain studio` as others call it.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Command, Stdio};

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
