//! The server as a browser and as a stranger see it.

use jourdain_studio::{Options, Server};
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;

/// Starts a server and gives its port and token.
fn start(robot: Option<&str>) -> (u16, String) {
    let server = Server::bind(&Options { robot: robot.map(str::to_owned), port: 0 }).unwrap();
    let address = server.address();
    std::thread::spawn(move || server.serve());
    let (port, token) = address.strip_prefix("http://127.0.0.1:").unwrap().split_once("/?token=").unwrap();
    (port.parse().unwrap(), token.to_owned())
}

/// Status, headers and body of the answer to a request as it is written.
fn send(port: u16, request: &str) -> (String, String, Vec<u8>) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let end = answer.windows(4).position(|end| end == b"\r\n\r\n").unwrap();
    let head = String::from_utf8(answer[..end].to_vec()).unwrap();
    let (status, headers) = head.split_once("\r\n").unwrap();
    let status = status.split(' ').nth(1).unwrap().to_owned();
    (status, headers.to_owned(), answer[end + 4..].to_vec())
}

fn get(port: u16, target: &str) -> (String, String, Vec<u8>) {
    send(port, &format!("GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"))
}

#[test]
fn the_page_and_its_module_are_served_to_those_who_know_the_token() {
    let (port, token) = start(Some("iiwa14"));
    let (status, headers, body) = get(port, &format!("/?token={token}"));
    assert_eq!(status, "200");
    assert!(headers.contains("Content-Type: text/html") && headers.contains("Cache-Control: no-store"));
    assert!(String::from_utf8(body).unwrap().contains(r#""robot":"iiwa14""#));
    let (status, headers, body) = get(port, &format!("/engine.wasm?token={token}"));
    assert_eq!(status, "200");
    assert!(headers.contains("application/wasm") && headers.contains("Content-Encoding: gzip"));
    assert!(body.starts_with(&[0x1f, 0x8b]));
    assert_eq!(get(port, &format!("/alive?token={token}")).0, "204");
    assert_eq!(get(port, &format!("/files.json?token={token}")).2, b"[]");
    assert_eq!(get(port, &format!("/nothing?token={token}")).0, "404");
}

#[test]
fn without_token_host_or_origin_everything_is_forbidden() {
    let (port, token) = start(None);
    for target in ["/", "/engine.wasm", "/files.json", "/files/a", "/alive", "/?token=", "/?token=0", "/nothing"] {
        assert_eq!(get(port, target).0, "403", "{target}");
    }
    let target = format!("/?token={token}");
    for headers in [
        "Host: evil.example",
        "Host: 127.0.0.1",
        "X: y",
        &format!("Host: 127.0.0.1:{port}\r\nOrigin: http://evil.example"),
        &format!("Host: 127.0.0.1:{port}\r\nOrigin: null"),
        &format!("Host: 127.0.0.1:{port}\r\nHost: 127.0.0.1:{port}"),
    ] {
        assert_eq!(send(port, &format!("GET {target} HTTP/1.1\r\n{headers}\r\n\r\n")).0, "403", "{headers}");
    }
    let own = format!("Host: localhost:{port}\r\nOrigin: http://localhost:{port}");
    assert_eq!(send(port, &format!("GET {target} HTTP/1.1\r\n{own}\r\n\r\n")).0, "200");
    assert_eq!(send(port, &format!("POST {target} HTTP/1.1\r\n{own}\r\n\r\n")).0, "405");
    assert_eq!(send(port, "nonsense\r\n\r\n").0, "400");
}

#[test]
fn files_of_the_robots_folder_are_served_and_no_others() {
    let folder = tempfile::tempdir().unwrap();
    let arm = folder.path().join("arm");
    fs::create_dir_all(arm.join("meshes")).unwrap();
    fs::write(arm.join("arm.urdf"), r#"<robot name="arm"><link name="a"/></robot>"#).unwrap();
    fs::write(arm.join("meshes/a b.stl"), "solid").unwrap();
    fs::write(folder.path().join("secret"), "secret").unwrap();
    let (port, token) = start(Some(arm.join("arm.urdf").to_str().unwrap()));
    let page = String::from_utf8(get(port, &format!("/?token={token}")).2).unwrap();
    assert!(page.contains(r#""robot":"arm/arm.urdf""#));
    let listed = String::from_utf8(get(port, &format!("/files.json?token={token}")).2).unwrap();
    assert!(listed.contains("arm/meshes/a b.stl") && !listed.contains("secret"), "{listed}");
    assert_eq!(get(port, &format!("/files/arm/meshes/a%20b.stl?token={token}")).2, b"solid");
    assert_eq!(get(port, &format!("/mesh?robot=arm/arm.urdf&uri=meshes/a%20b.stl&token={token}")).2, b"solid");
    for path in
        ["arm/../secret", "..%2fsecret", "arm/%2e%2e/secret", "arm%2f..%2fsecret", "%2fetc/passwd", "arm/..%5csecret"]
    {
        let (status, _, body) = get(port, &format!("/files/{path}?token={token}"));
        assert_eq!((status.as_str(), body.as_slice()), ("404", b"404 Not Found".as_slice()), "{path}");
    }
    assert_eq!(get(port, &format!("/mesh?robot=arm/arm.urdf&uri=../secret&token={token}")).0, "404");
}

#[test]
fn a_port_in_use_and_an_unknown_robot_are_told() {
    let taken = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = taken.local_addr().unwrap().port();
    let problem = Server::bind(&Options { robot: None, port }).unwrap_err();
    assert_eq!(problem.kind(), "port-in-use");
    let problem = Server::bind(&Options { robot: Some("iiwa15".to_owned()), port: 0 }).unwrap_err();
    assert_eq!(problem.kind(), "unknown-robot");
}
