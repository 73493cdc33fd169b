//! What those get who should get nothing: without token, from other pages, out of the folders, slowly, or too much at once.

mod support;

use jourdain_kit::resolve::Robot;
use std::fs;
use std::io::{Read as _, Write as _};
use std::time::{Duration, Instant};
use support::{Started, start};

/// The token is nowhere in an answer to one who has not said it.
fn refused(server: &Started, request: &[u8], status: &str) {
    let shown = String::from_utf8_lossy(&request[..request.len().min(120)]);
    let answer = server.send(request);
    assert_eq!(answer.status, status, "{shown}");
    let body = String::from_utf8_lossy(&answer.body);
    assert!(!answer.head.contains(&server.token) && !body.contains(&server.token), "{shown}");
    assert!(body.len() < 64 && body.starts_with(status), "{shown}: {body}");
}

#[test]
fn without_the_token_in_its_place_everything_is_forbidden() {
    let server = start(None, &[]);
    let (port, token) = (server.port, &server.token);
    let wrong = "0".repeat(token.len());
    let cut = &token[..token.len() - 1];
    let targets = [
        "/",
        "/engine.wasm",
        "/files.json",
        "/files/a",
        "/alive",
        "/mesh",
        "/nothing",
        "/?token=",
        "/?token",
        &format!("/?token={wrong}"),
        &format!("/?token={cut}"),
        &format!("/?token={token}0"),
        &format!("/?Token={token}"),
        &format!("/?token={}", token.to_uppercase().replace(char::is_numeric, "x")),
        &format!("/{token}"),
        &format!("/alive/{token}"),
        &format!("/?x=token={token}"),
        &format!("/;token={token}"),
        &format!("/?token={token}&token={token}"),
        &format!("/?token={token}%00"),
    ];
    for target in targets {
        refused(&server, format!("GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n").as_bytes(), "403");
    }
    for header in
        [format!("Cookie: token={token}"), format!("Authorization: Bearer {token}"), format!("Token: {token}")]
    {
        refused(&server, format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{header}\r\n\r\n").as_bytes(), "403");
    }
}

#[test]
fn other_hosts_and_origins_are_forbidden_though_they_have_the_token() {
    let server = start(None, &[]);
    let port = server.port;
    let host = format!("Host: 127.0.0.1:{port}");
    let forged = [
        "Host: evil.example".to_owned(),
        format!("Host: evil.example:{port}"),
        "Host: 127.0.0.1".to_owned(),
        format!("Host: 127.0.0.1:{port}.evil.example"),
        format!("Host: 127.0.0.1:{port}, evil.example"),
        format!("Host: 127.0.0.2:{port}"),
        format!("Host: [::1]:{port}"),
        format!("Host: 0.0.0.0:{port}"),
        "Host:".to_owned(),
        "X: y".to_owned(),
        format!("{host}\r\n{host}"),
        format!("{host}\r\nHost: evil.example"),
        format!("X-Forwarded-Host: 127.0.0.1:{port}"),
        format!("{host}\r\nOrigin: http://evil.example"),
        format!("{host}\r\nOrigin: null"),
        format!("{host}\r\nOrigin: https://127.0.0.1:{port}"),
        format!("{host}\r\nOrigin: http://127.0.0.1:{port}.evil.example"),
        format!("{host}\r\nOrigin:"),
        format!("{host}\r\nOrigin: http://127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}"),
    ];
    for headers in forged {
        let request = format!("GET /?token={} HTTP/1.1\r\n{headers}\r\n\r\n", server.token);
        refused(&server, request.as_bytes(), "403");
    }
    let own = format!(
        "GET /alive?token={} HTTP/1.1\r\nHost: localhost:{port}\r\nOrigin: http://localhost:{port}\r\n\r\n",
        server.token
    );
    assert_eq!(server.send(own.as_bytes()).status, "204");
}

#[test]
fn nothing_is_read_outside_of_what_was_given() {
    let folder = tempfile::tempdir().unwrap();
    let given = folder.path().join("given");
    fs::create_dir_all(given.join("sub")).unwrap();
    fs::write(given.join("a.urdf"), r#"<robot name="a"><link name="a"/></robot>"#).unwrap();
    fs::write(given.join(".hidden"), "secret").unwrap();
    fs::write(folder.path().join("secret.urdf"), "secret").unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.path(), given.join("up")).unwrap();
        std::os::unix::fs::symlink(folder.path().join("secret.urdf"), given.join("link.urdf")).unwrap();
        std::os::unix::fs::symlink("/", given.join("root")).unwrap();
    }
    let robot = Robot::of(given.join("a.urdf").to_str().unwrap());
    for server in [start(None, std::slice::from_ref(&given)), start(Some(robot), &[])] {
        let listed = String::from_utf8(server.ask("/files.json").body).unwrap();
        assert!(listed.contains("given/a.urdf") && !listed.contains("secret") && !listed.contains("link"), "{listed}");
        let absolute = folder.path().join("secret.urdf").display().to_string();
        let paths = [
            "given/../secret.urdf",
            "given/%2e%2e/secret.urdf",
            "given/%2E%2E%2Fsecret.urdf",
            "given%2f..%2fsecret.urdf",
            "../secret.urdf",
            "%2e%2e/secret.urdf",
            "..%2fsecret.urdf",
            "..%5csecret.urdf",
            "given/..%5csecret.urdf",
            "given/sub/../../secret.urdf",
            "given/./../secret.urdf",
            "given/....//secret.urdf",
            "given//../secret.urdf",
            "given/%252e%252e/secret.urdf",
            "given/%c0%ae%c0%ae/secret.urdf",
            "given/a.urdf%00.stl",
            "given/%00",
            "given",
            "given/",
            "given/sub",
            "given/up/secret.urdf",
            "given/link.urdf",
            "given/root/etc/passwd",
            "given/.hidden",
            "/etc/passwd",
            "%2fetc%2fpasswd",
            "//etc/passwd",
            "etc/passwd",
            &absolute,
            "file:///etc/passwd",
            "",
        ];
        for path in paths {
            let target = format!("/files/{path}");
            let answer = server.ask(&target);
            assert!(matches!(answer.status.as_str(), "404" | "400"), "{target}: {}", answer.status);
            assert!(!String::from_utf8_lossy(&answer.body).contains("secret"), "{target}");
            for robot in ["given/a.urdf", "given/sub/x", "a", ""] {
                let answer = server.ask(&format!("/mesh?robot={robot}&uri={path}"));
                assert!(matches!(answer.status.as_str(), "404" | "400"), "{robot} {path}: {}", answer.status);
            }
        }
        for target in [
            "/../secret.urdf",
            "/%2e%2e/secret.urdf",
            "/files/../../etc/passwd",
            "//",
            "/mesh?robot=../secret.urdf&uri=secret.urdf",
        ] {
            assert_eq!(server.ask(target).status, "404", "{target}");
        }
    }
}

#[test]
fn a_robot_cannot_make_the_server_read_what_is_no_mesh_or_far_away() {
    let folder = tempfile::tempdir().unwrap();
    let given = folder.path().join("a/b/given");
    fs::create_dir_all(&given).unwrap();
    fs::write(folder.path().join("far.stl"), "secret").unwrap();
    fs::write(given.join("notes.txt"), "secret").unwrap();
    let far = folder.path().join("far.stl").display().to_string();
    let uris = ["notes.txt", "../../../far.stl", far.as_str(), "package://../far.stl", "/etc/passwd"];
    let shapes: String =
        uris.iter().map(|uri| format!(r#"<visual><geometry><mesh filename="{uri}"/></geometry></visual>"#)).collect();
    let text = format!(r#"<robot name="a"><link name="a">{shapes}</link></robot>"#);
    fs::write(given.join("a.urdf"), text).unwrap();
    let server = start(Some(Robot::of(given.join("a.urdf").to_str().unwrap())), &[]);
    let robot = server.boot()["robot"].as_str().unwrap().to_owned();
    assert_eq!(server.files().len(), 1);
    for uri in uris {
        assert_eq!(server.ask(&format!("/mesh?robot={robot}&uri={uri}")).status, "404", "{uri}");
    }
}

#[test]
fn other_methods_and_what_is_no_request_are_refused() {
    let server = start(None, &[]);
    let (port, token) = (server.port, &server.token);
    let host = format!("Host: 127.0.0.1:{port}");
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "get", "PROPFIND"] {
        let request = format!("{method} /?token={token} HTTP/1.1\r\n{host}\r\nContent-Length: 4\r\n\r\nbody");
        let answer = server.send(request.as_bytes());
        assert_eq!(answer.status, "405", "{method}");
        assert!(answer.head.contains("Allow: GET, HEAD"));
    }
    let head = server.send(format!("HEAD /engine.wasm?token={token} HTTP/1.1\r\n{host}\r\n\r\n").as_bytes());
    assert!(head.status == "200" && head.body.is_empty() && !head.head.contains("Content-Length: 0"));
    let target = format!("/?token={token}");
    let no_requests: Vec<Vec<u8>> = [
        "nonsense\r\n\r\n".to_owned(),
        "\r\n\r\n".to_owned(),
        format!("GET {target}\r\n\r\n"),
        format!("GET {target} HTTP/2\r\n{host}\r\n\r\n"),
        format!("GET http://127.0.0.1:{port}{target} HTTP/1.1\r\n{host}\r\n\r\n"),
        format!("GET  {target} HTTP/1.1\r\n{host}\r\n\r\n"),
        format!("GET {target} HTTP/1.1\r\n{host}\r\nno colon\r\n\r\n"),
        format!("GET /%zz{target} HTTP/1.1\r\n{host}\r\n\r\n"),
        format!("GET /{}{target} HTTP/1.1\r\n{host}\r\n\r\n", "a".repeat(1 << 20)),
        format!("GET {target} HTTP/1.1\r\n{host}\r\nX: {}\r\n\r\n", "a".repeat(1 << 20)),
        format!("GET {target} HTTP/1.1\r\n{host}\r\n{}\r\n", "X: y\r\n".repeat(100_000)),
    ]
    .map(String::into_bytes)
    .into_iter()
    .chain([
        [0_u8; 64].to_vec(),
        b"GET /\xff\xfe HTTP/1.1\r\n\r\n".to_vec(),
        b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n".to_vec(),
    ])
    .collect();
    for request in no_requests {
        let mut stream = server.connect();
        // The rest of what is too long may find the connection closed.
        drop(stream.write_all(&request));
        drop(stream.shutdown(std::net::Shutdown::Write));
        let mut answer = Vec::new();
        drop(stream.read_to_end(&mut answer));
        let shown = String::from_utf8_lossy(&request[..request.len().min(60)]).into_owned();
        assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 400"), "{shown}");
    }
    assert_eq!(server.ask("/alive").status, "204");
}

#[test]
fn those_who_are_slow_or_many_hold_up_nobody_for_long() {
    let server = start(None, &[]);
    // Half a request each, and nobody closes. More come than are answered at a time.
    let mut waiting: Vec<_> = (0..100).map(|_| server.connect()).collect();
    for stream in &mut waiting {
        drop(stream.write_all(b"GET / HTTP/1.1\r\nHo"));
    }
    let begin = Instant::now();
    let answered = loop {
        // A letter now and then does not buy more time.
        for stream in &mut waiting {
            drop(stream.write_all(b"s"));
        }
        let mut stream = server.connect();
        let request = format!("GET /alive?token={} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", server.token, server.port);
        drop(stream.write_all(request.as_bytes()));
        let mut answer = Vec::new();
        if stream.read_to_end(&mut answer).is_ok() && answer.starts_with(b"HTTP/1.1 204") {
            break begin.elapsed();
        }
        assert!(begin.elapsed() < Duration::from_secs(40), "nobody is answered any more");
        std::thread::sleep(Duration::from_millis(200));
    };
    assert!(answered < Duration::from_secs(30), "{answered:?}");
}

#[test]
fn many_at_once_who_ask_rightly_are_answered() {
    let server = start(Some(Robot::of("panda")), &[]);
    std::thread::scope(|scope| {
        let asks: Vec<_> = (0..24).map(|_| scope.spawn(|| server.ask("/engine.wasm"))).collect();
        for ask in asks {
            let answer = ask.join().unwrap();
            assert_eq!(answer.status, "200");
            assert!(answer.body.len() > 1_000_000);
        }
    });
}
