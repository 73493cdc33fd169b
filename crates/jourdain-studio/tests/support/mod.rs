//! A server that runs, and a client that writes what it likes.

use jourdain_kit::host::Files;
use jourdain_kit::resolve::Robot;
use jourdain_studio::{Options, Server};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::time::Duration;

/// A server with its port and token.
pub struct Started {
    pub port: u16,
    pub token: String,
}

/// What came back.
#[derive(Debug)]
pub struct Answer {
    pub status: String,
    pub head: String,
    pub body: Vec<u8>,
}

/// Starts a server, which ends with the tests.
pub fn start(robot: Option<Robot>, folders: &[PathBuf]) -> Started {
    let options = Options { robot, folders: folders.to_vec(), port: 0 };
    serve(Server::bind(&options, &Files).unwrap())
}

/// Lets a server answer, until the tests end.
pub fn serve(server: Server) -> Started {
    let address = server.address();
    std::thread::spawn(move || server.serve());
    let (port, token) = address.strip_prefix("http://127.0.0.1:").unwrap().split_once("/?token=").unwrap();
    Started { port: port.parse().unwrap(), token: token.to_owned() }
}

impl Started {
    /// A connection that gives up after a while.
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// The answer to bytes as they are.
    pub fn send(&self, request: &[u8]) -> Answer {
        let mut stream = self.connect();
        stream.write_all(request).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer.windows(4).position(|end| end == b"\r\n\r\n").unwrap();
        let head = String::from_utf8(answer[..end].to_vec()).unwrap();
        let status = head.split(' ').nth(1).unwrap().to_owned();
        Answer { status, head, body: answer[end + 4..].to_vec() }
    }

    /// The answer to a browser of this machine.
    pub fn get(&self, target: &str) -> Answer {
        self.send(format!("GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", self.port).as_bytes())
    }

    /// The same with the token.
    pub fn ask(&self, target: &str) -> Answer {
        let mark = if target.contains('?') { '&' } else { '?' };
        self.get(&format!("{target}{mark}token={}", self.token))
    }

    /// What the page begins with.
    pub fn boot(&self) -> serde_json::Value {
        let page = String::from_utf8(self.ask("/").body).unwrap();
        let boot = page.split_once(r#"<script id="boot" type="application/json">"#).unwrap().1;
        serde_json::from_str(boot.split_once("</script>").unwrap().0).unwrap()
    }

    /// Paths and kinds of the files for the page.
    pub fn files(&self) -> Vec<(String, String)> {
        let listed: serde_json::Value = serde_json::from_slice(&self.ask("/files.json").body).unwrap();
        let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
        listed.as_array().unwrap().iter().map(|file| (text(&file["path"]), text(&file["kind"]))).collect()
    }
}
