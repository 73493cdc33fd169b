//! Brings the page to a browser on this machine.
//!
//! Every request is answered or refused in a thread of its own, and the connection closed: a page asks for a handful of things. What
//! a request may not have is told apart by nothing but its status. Nothing but heads of requests is kept in memory: files are sent
//! as they are read.

use crate::answer::Answer;
use crate::folders::{Folders, Listed};
use crate::guard::Guard;
use crate::pack::{self, Content, Packed, Part};
use crate::page;
use crate::request::Request;
use jourdain_kit::host::{Files, Host};
use jourdain_kit::problem::Problem;
use jourdain_kit::resolve::Robot;
use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Most requests that are answered at a time; others are turned away.
const MAX_REQUESTS: usize = 64;
/// Bytes of the stack of a thread that answers: it may read a robot.
const STACK: usize = 8 << 20;
/// How long the server rests if the machine has no more connections.
const REST: Duration = Duration::from_millis(100);

/// What is served, and where.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// A built-in robot or arm, the file of one, or a folder of them; without, the page lets choose.
    pub robot: Option<Robot>,
    /// More folders of robots.
    pub folders: Vec<PathBuf>,
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
    robot: Option<Robot>,
    /// The robot as it was when the page was last loaded.
    packed: Mutex<Option<Packed>>,
    requests: AtomicUsize,
}

impl Server {
    /// Takes the port; requests wait until [`serve`](Self::serve). A file that holds no robot is served too: its
    /// [`refusal`](Self::refusal) is what the page shows, until the file is right and the page loaded again.
    ///
    /// # Errors
    /// No such robot or folder, or a port that cannot be had.
    pub fn bind(options: &Options, host: &dyn Host) -> Result<Self, Problem> {
        let is_folder = |robot: &&Robot| Path::new(&robot.robot).is_dir();
        let folder = options.robot.as_ref().filter(is_folder);
        if let Some(robot) = folder.filter(|robot| **robot != Robot::of(&robot.robot)) {
            let message = format!("`{}` is a folder, and edits are for one robot", robot.robot);
            return Err(Problem::usage(message).hint("name the robot's file"));
        }
        let given: Vec<PathBuf> = folder
            .map(|robot| PathBuf::from(&robot.robot))
            .into_iter()
            .chain(options.folders.iter().cloned())
            .collect();
        let folders = Folders::new(&given)?;
        let robot = options.robot.as_ref().filter(|robot| !is_folder(robot));
        let robot = robot.map(|robot| pack::settled(robot, host)).transpose()?;
        let packed = robot.as_ref().map(|robot| pack::pack(robot, host)).transpose()?;
        let port = options.port;
        let cannot = |error: &io::Error| match error.kind() {
            io::ErrorKind::AddrInUse => Problem::new("port-in-use", format!("port {port} is in use"))
                .hint("end the program that has it, or leave --port out for a free one"),
            _ => Problem::new("cannot-serve", format!("port {port} cannot be had: {error}"))
                .hint("leave --port out for a free one"),
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| cannot(&error))?;
        let port = listener.local_addr().map_err(|error| cannot(&error))?.port();
        let (guard, packed) = (Guard::new(port)?, Mutex::new(packed));
        Ok(Self { listener, shared: Arc::new(Shared { guard, folders, robot, packed, requests: AtomicUsize::new(0) }) })
    }

    /// The address that opens the page.
    #[must_use]
    pub fn address(&self) -> String {
        self.shared.guard.address()
    }

    /// Why the given file holds no robot, if it holds none: the text for people.
    #[must_use]
    pub fn refusal(&self) -> Option<String> {
        self.shared.packed().as_ref().and_then(|packed| packed.refusal.as_ref()).map(Problem::text)
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
                // Too many files are open: some will be closed.
                Err(error) if error.raw_os_error().is_some_and(is_shortage) => {
                    std::thread::sleep(REST);
                    continue;
                }
                Err(error) => return Err(Problem::new("cannot-serve", format!("no more connections: {error}"))),
            };
            let shared = Arc::clone(&self.shared);
            if shared.requests.fetch_add(1, Ordering::Relaxed) >= MAX_REQUESTS {
                shared.requests.fetch_sub(1, Ordering::Relaxed);
                continue;
            }
            let place = Place(Arc::clone(&shared));
            // Nobody can be told if the browser no longer listens, or if there are no more threads.
            let answer = move || {
                drop(shared.converse(stream));
                drop(place);
            };
            drop(std::thread::Builder::new().stack_size(STACK).spawn(answer));
        }
    }
}

/// Codes of EMFILE, ENFILE and ENOBUFS (Linux, others) and of their kin on Windows.
fn is_shortage(code: i32) -> bool {
    if cfg!(windows) { matches!(code, 10024 | 10055) } else { matches!(code, 23 | 24 | 55 | 105) }
}

/// One of the requests at a time; given back however it ends.
struct Place(Arc<Shared>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.requests.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Shared {
    fn packed(&self) -> MutexGuard<'_, Option<Packed>> {
        self.packed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn converse(&self, mut stream: TcpStream) -> io::Result<()> {
        let request = Request::receive(&mut stream)?;
        let (answer, with_body) = match &request {
            Some(request) => (self.answer(request), request.method != "HEAD"),
            None => (Answer::refusal("400 Bad Request"), true),
        };
        answer.send(stream, with_body)
    }

    fn answer(&self, request: &Request) -> Answer {
        if !self.guard.admits(request) {
            return Answer::refusal("403 Forbidden");
        }
        if request.method != "GET" && request.method != "HEAD" {
            return Answer::refusal("405 Method Not Allowed");
        }
        match request.path.as_str() {
            "/" => self.page().map_or_else(|_| Answer::refusal("500 Internal Server Error"), Answer::html),
            "/engine.wasm" => Answer::module(page::ENGINE),
            "/files.json" => Answer::json(serde_json::to_vec(&self.list()).unwrap_or_else(|_| b"[]".to_vec())),
            "/alive" => Answer::empty(),
            "/mesh" => {
                let wanted = request.query("robot").zip(request.query("uri"));
                wanted.and_then(|(robot, uri)| self.mesh(robot, uri)).map_or_else(Answer::missing, Answer::content)
            }
            path => {
                let wanted = path.strip_prefix("/files/");
                wanted.and_then(|path| self.file(path)).map_or_else(Answer::missing, Answer::content)
            }
        }
    }

    /// The page, with the robot as its files are now.
    fn page(&self) -> Result<String, Problem> {
        if let Some(robot) = &self.robot
            && let Ok(packed) = pack::pack(robot, &Files)
        {
            *self.packed() = Some(packed);
        }
        let packed = self.packed();
        match (&*packed, self.folders.only()) {
            (None, Some((path, kind))) => page::served(Some((&path, kind, None))),
            (None, None) => page::served(None),
            (Some(packed), _) => page::served(Some((&packed.robot, packed.kind.name(), Some(&packed.edits)))),
        }
    }

    /// What the robot takes, and what is in the folders.
    fn list(&self) -> Vec<Listed> {
        let packed = self.packed();
        let parts = packed.iter().flat_map(|packed| packed.parts.iter().map(|part| listed(part, packed)));
        let mut files: Vec<Listed> = parts.collect();
        files.extend(
            self.folders
                .list()
                .into_iter()
                .filter(|file| files.iter().all(|known| known.path != file.path))
                .collect::<Vec<_>>(),
        );
        files
    }

    fn file(&self, path: &str) -> Option<Content> {
        let part =
            |packed: &Packed| packed.parts.iter().find(|part| part.name == path).map(|part| part.content.clone());
        self.packed().as_ref().and_then(part).or_else(|| self.folders.find(path).map(Content::Disk))
    }

    fn mesh(&self, robot: &str, uri: &str) -> Option<Content> {
        let part = |packed: &Packed| {
            let mesh = packed.parts.iter().find(|part| part.mesh.as_deref() == Some(uri) && packed.robot == robot);
            mesh.map(|part| part.content.clone())
        };
        self.packed().as_ref().and_then(part).or_else(|| self.folders.mesh(robot, uri).map(Content::Disk))
    }
}

/// A file of the robot as the page is told of it. All but meshes are needed to read it.
fn listed(part: &Part, packed: &Packed) -> Listed {
    let kind = match &part.mesh {
        Some(_) => "other",
        None if part.name == packed.robot => packed.kind.name(),
        None => "part",
    };
    let size = match &part.content {
        Content::Made(bytes) => bytes.len() as u64,
        Content::Disk(path) => path.metadata().map_or(0, |metadata| metadata.len()),
    };
    Listed { path: part.name.clone(), kind, size }
}
