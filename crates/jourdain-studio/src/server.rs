//! Brings the page to a browser on this machine.
//!
//! Every request is answered or refused in a thread of its own, and the connection closed: a page asks for a handful of things. What
//! a request may not have is told apart by nothing but its status.

use crate::folders::Folders;
use crate::guard::Guard;
use crate::page;
use crate::request::Request;
use jourdain::{arms, robots};
use jourdain_kit::problem::Problem;
use std::borrow::Cow;
use std::io::{self, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Most requests that are answered at a time.
const MAX_REQUESTS: usize = 64;
/// How long a browser may take to ask, and to take the answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// What is served, and where.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// A built-in robot or arm, or the file of one; without, the page lets choose.
    pub robot: Option<String>,
    /// The port; 0 for any that is free.
    pub port: u16,
}

/// A server that is bound to its address.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    guard: Guard,
    folders: Folders,
    robot: Option<String>,
    requests: AtomicUsize,
}

/// An answer before it is sent.
struct Answer {
    status: &'static str,
    kind: &'static str,
    is_compressed: bool,
    body: Cow<'static, [u8]>,
}

impl Answer {
    fn new(kind: &'static str, body: impl Into<Cow<'static, [u8]>>) -> Self {
        Self { status: "200 OK", kind, is_compressed: false, body: body.into() }
    }

    fn refusal(status: &'static str) -> Self {
        Self { status, ..Self::new("text/plain; charset=utf-8", status.as_bytes()) }
    }
}

impl Server {
    /// Takes the port; requests wait until [`serve`](Self::serve).
    ///
    /// # Errors
    /// No such robot, or a port that cannot be had.
    pub fn bind(options: &Options) -> Result<Self, Problem> {
        let (folders, robot) = match &options.robot {
            Some(robot) => found(robot).map(|(folders, robot)| (folders, Some(robot)))?,
            None => (Folders::default(), None),
        };
        let port = options.port;
        let cannot = |error: &io::Error| match error.kind() {
            io::ErrorKind::AddrInUse => Problem::new("port-in-use", format!("port {port} is in use"))
                .hint("end the program that has it, or leave --port out for a free one"),
            _ => Problem::new("cannot-serve", format!("port {port} cannot be had: {error}"))
                .hint("leave --port out for a free one"),
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| cannot(&error))?;
        let port = listener.local_addr().map_err(|error| cannot(&error))?.port();
        let shared = Shared { guard: Guard::new(port)?, folders, robot, requests: AtomicUsize::new(0) };
        Ok(Self { listener, shared: Arc::new(shared) })
    }

    /// The address that opens the page.
    #[must_use]
    pub fn address(&self) -> String {
        self.shared.guard.address()
    }

    /// Answers requests until the program ends.
    ///
    /// # Errors
    /// The machine no longer gives connections.
    pub fn serve(&self) -> Result<(), Problem> {
        loop {
            let stream = match self.listener.accept() {
                Ok((stream, _)) => stream,
                // A browser that has gone in the meantime.
                Err(error) if matches!(error.kind(), io::ErrorKind::ConnectionAborted | io::ErrorKind::Interrupted) => {
                    continue;
                }
                Err(error) => return Err(Problem::new("cannot-serve", format!("no more connections: {error}"))),
            };
            let shared = Arc::clone(&self.shared);
            if shared.requests.fetch_add(1, Ordering::Relaxed) >= MAX_REQUESTS {
                shared.requests.fetch_sub(1, Ordering::Relaxed);
                continue;
            }
            std::thread::spawn(move || {
                // Nobody can be told if the browser no longer listens.
                drop(shared.converse(stream));
                shared.requests.fetch_sub(1, Ordering::Relaxed);
            });
        }
    }
}

/// The folders of a robot's file and its path in them; a built-in one has none.
fn found(robot: &str) -> Result<(Folders, String), Problem> {
    if robots::find(robot).is_some() || arms::find(robot).is_some() {
        return Ok((Folders::default(), robot.to_owned()));
    }
    Folders::of_robot(Path::new(robot)).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            let message = format!("`{robot}` is neither a built-in robot, a built-in arm nor a file");
            Problem::new("unknown-robot", message).hint("`jourdain robots` and `jourdain arms` list those built in")
        }
        _ => Problem::new("cannot-read", format!("cannot read the robot: {error}")).file(robot),
    })
}

impl Shared {
    fn converse(&self, mut stream: TcpStream) -> io::Result<()> {
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let (answer, with_body) = match Request::read(&mut stream)? {
            Some(request) => (self.answer(&request), request.method != "HEAD"),
            None => (Answer::refusal("400 Bad Request"), true),
        };
        let mut head = format!(
            "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\nCache-Control: no-store\r\n\
             X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\n\
             Cross-Origin-Resource-Policy: same-origin\r\nContent-Security-Policy: {POLICY}\r\n",
            answer.status,
            answer.kind,
            answer.body.len(),
        );
        if answer.is_compressed {
            head += "Content-Encoding: gzip\r\n";
        }
        stream.write_all((head + "\r\n").as_bytes())?;
        if with_body {
            stream.write_all(&answer.body)?;
        }
        stream.flush()
    }

    fn answer(&self, request: &Request) -> Answer {
        if !self.guard.admits(request) {
            return Answer::refusal("403 Forbidden");
        }
        if request.method != "GET" && request.method != "HEAD" {
            return Answer::refusal("405 Method Not Allowed");
        }
        let missing = || Answer::refusal("404 Not Found");
        match request.path.as_str() {
            "/" => Answer::new("text/html; charset=utf-8", page::served(self.robot.as_deref()).into_bytes()),
            "/engine.wasm" => Answer { is_compressed: true, ..Answer::new("application/wasm", page::ENGINE) },
            "/files.json" => Answer::new("application/json", self.folders.list().to_string().into_bytes()),
            "/alive" => Answer { status: "204 No Content", ..Answer::new("text/plain; charset=utf-8", &b""[..]) },
            "/mesh" => {
                let wanted = request.query("robot").zip(request.query("uri"));
                let read = wanted.and_then(|(robot, uri)| self.folders.mesh(robot, uri));
                read.map_or_else(missing, |bytes| Answer::new("application/octet-stream", bytes))
            }
            path => {
                let read = path.strip_prefix("/files/").and_then(|path| self.folders.read(path));
                read.map_or_else(missing, |bytes| Answer::new("application/octet-stream", bytes))
            }
        }
    }
}

/// What the page may do: run its own scripts and the module, and ask this server.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; style-src 'unsafe-inline'; \
                      font-src data:; img-src data: blob:; connect-src 'self' data: blob:; worker-src blob:; \
                      frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
