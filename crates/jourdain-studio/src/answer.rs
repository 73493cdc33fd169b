//! What a browser gets, and how it is sent.
//!
//! Trap: a connection that is closed while the other side still sends is reset, and the answer may be lost with it. So what is still
//! coming is taken and dropped first, for a moment.

use crate::pack::Content;
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read, Write as _};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// How long a browser may take nothing of an answer.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long what is still coming is waited for.
const FAREWELL: Duration = Duration::from_millis(300);

/// An answer before it is sent.
#[derive(Debug)]
pub(crate) struct Answer {
    status: &'static str,
    kind: &'static str,
    /// Headers of its own, each with its end.
    more: &'static str,
    body: Body,
}

#[derive(Debug)]
enum Body {
    Bytes(Cow<'static, [u8]>),
    /// A file of so many bytes.
    File(File, u64),
}

impl Answer {
    fn new(kind: &'static str, body: impl Into<Cow<'static, [u8]>>) -> Self {
        Self { status: "200 OK", kind, more: "", body: Body::Bytes(body.into()) }
    }

    /// A page.
    pub fn html(text: String) -> Self {
        Self::new("text/html; charset=utf-8", text.into_bytes())
    }

    /// Data.
    pub fn json(text: Vec<u8>) -> Self {
        Self::new("application/json", text)
    }

    /// The module, compressed.
    pub fn module(bytes: &'static [u8]) -> Self {
        Self { more: "Content-Encoding: gzip\r\n", ..Self::new("application/wasm", bytes) }
    }

    /// Nothing, but that it is well.
    pub fn empty() -> Self {
        Self { status: "204 No Content", ..Self::new("text/plain; charset=utf-8", &b""[..]) }
    }

    /// A file, sent as it is read; missing if it has gone.
    pub fn content(content: Content) -> Self {
        const KIND: &str = "application/octet-stream";
        match content {
            Content::Made(bytes) => Self::new(KIND, bytes),
            Content::Disk(path) => {
                let open = || {
                    let file = File::open(path)?;
                    let length = file.metadata()?.len();
                    io::Result::Ok(Body::File(file, length))
                };
                open().map_or_else(|_| Self::missing(), |body| Self { body, ..Self::new(KIND, &b""[..]) })
            }
        }
    }

    /// There is no such thing.
    pub fn missing() -> Self {
        Self::refusal("404 Not Found")
    }

    /// Nothing but a status.
    pub fn refusal(status: &'static str) -> Self {
        let more = if status.starts_with("405") { "Allow: GET, HEAD\r\n" } else { "" };
        Self { status, more, ..Self::new("text/plain; charset=utf-8", status.as_bytes()) }
    }

    /// Sends it and ends the connection.
    ///
    /// # Errors
    /// The browser has gone, or takes too long.
    pub fn send(self, mut stream: TcpStream, with_body: bool) -> io::Result<()> {
        stream.set_write_timeout(Some(PATIENCE))?;
        let length = match &self.body {
            Body::Bytes(bytes) => bytes.len() as u64,
            Body::File(_, length) => *length,
        };
        let Self { status, kind, more, body } = self;
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n{more}\
             Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n\
             Referrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n\
             Cross-Origin-Opener-Policy: same-origin\r\nContent-Security-Policy: {POLICY}\r\n\r\n",
        );
        stream.write_all(head.as_bytes())?;
        if with_body {
            match body {
                Body::Bytes(bytes) => stream.write_all(&bytes)?,
                Body::File(file, length) => drop(io::copy(&mut file.take(length), &mut stream)?),
            }
        }
        stream.flush()?;
        farewell(stream)
    }
}

/// Takes what is still coming, for a moment.
fn farewell(mut stream: TcpStream) -> io::Result<()> {
    stream.shutdown(Shutdown::Write)?;
    let end = Instant::now() + FAREWELL;
    let mut buffer = [0; 4096];
    while let Some(left) = end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) {
        stream.set_read_timeout(Some(left))?;
        if stream.read(&mut buffer)? == 0 {
            break;
        }
    }
    Ok(())
}

/// What the page may do: run its own scripts and the module, and ask this server.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; style-src 'unsafe-inline'; \
                      font-src data:; img-src data: blob:; connect-src 'self' data: blob:; worker-src blob:; \
                      frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
