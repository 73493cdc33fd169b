//! A request as it is read: its first line and headers, never more than is sensible. Bodies are not wanted.

use std::io::{self, Read};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Most bytes of first line and headers.
const MAX_HEAD: usize = 16 << 10;
/// How long a browser may take to ask, in all.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a browser asks for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Request {
    /// `GET`, …
    pub method: String,
    /// The path, its escapes resolved.
    pub path: String,
    /// Names and values behind the question mark, escapes resolved.
    pub query: Vec<(String, String)>,
    /// Names in small letters, and values.
    pub headers: Vec<(String, String)>,
}

impl Request {
    /// Receives the head of a request; `None` if it is none.
    ///
    /// # Errors
    /// It does not come in time.
    pub fn receive(stream: &mut TcpStream) -> io::Result<Option<Self>> {
        let end = Instant::now() + PATIENCE;
        Self::read(&mut Hurried { stream, end })
    }

    /// Reads the head of a request; `None` if it is none.
    pub fn read(from: &mut impl Read) -> io::Result<Option<Self>> {
        let mut head: Vec<u8> = Vec::new();
        let mut buffer = [0; 1024];
        loop {
            let count = from.read(&mut buffer)?;
            if count == 0 || head.len() + count > MAX_HEAD {
                return Ok(None);
            }
            // The end may have begun in what was there before.
            let begin = head.len().saturating_sub(3);
            head.extend_from_slice(&buffer[..count]);
            if head[begin..].windows(4).any(|end| end == b"\r\n\r\n") {
                return Ok(std::str::from_utf8(&head).ok().and_then(Self::parse));
            }
        }
    }

    fn parse(head: &str) -> Option<Self> {
        let mut lines = head.split("\r\n");
        let mut words = lines.next()?.split(' ');
        let (method, target, version) = (words.next()?, words.next()?, words.next()?);
        if words.next().is_some() || !version.starts_with("HTTP/1.") || !target.starts_with('/') {
            return None;
        }
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let pairs = query.split('&').filter(|pair| !pair.is_empty());
        let pair = |pair: &str| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            Some((resolved(&name.replace('+', " "))?, resolved(&value.replace('+', " "))?))
        };
        let headers = lines.take_while(|line| !line.is_empty()).map(|line| {
            let (name, value) = line.split_once(':')?;
            Some((name.to_ascii_lowercase(), value.trim().to_owned()))
        });
        Some(Self {
            method: method.to_owned(),
            path: resolved(path)?,
            query: pairs.map(pair).collect::<Option<_>>()?,
            headers: headers.collect::<Option<_>>()?,
        })
    }

    /// The value of a name behind the question mark; `None` also if it is there twice.
    pub fn query(&self, name: &str) -> Option<&str> {
        single(&self.query, name)
    }

    /// The value of a header; `None` also if it is there twice.
    pub fn header(&self, name: &str) -> Option<&str> {
        single(&self.headers, name)
    }

    /// True if there is such a header.
    pub fn has_header(&self, name: &str) -> bool {
        self.headers.iter().any(|(known, _)| known == name)
    }
}

/// A connection that is read until a time, however little comes at once.
struct Hurried<'s> {
    stream: &'s mut TcpStream,
    end: Instant,
}

impl Read for Hurried<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        self.stream.read(buffer)
    }
}

fn single<'a>(pairs: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let mut found = pairs.iter().filter(|(known, _)| known == name);
    match (found.next(), found.next()) {
        (Some((_, value)), None) => Some(value),
        _ => None,
    }
}

/// A text with its `%XX` resolved; `None` if one of them is none, or the whole is not UTF-8.
fn resolved(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let (digits, after) = rest.split_at_checked(2)?;
        let digits = std::str::from_utf8(digits).ok().filter(|digits| digits.chars().all(|c| c.is_ascii_hexdigit()))?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = after;
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Request> {
        Request::read(&mut text.as_bytes()).unwrap()
    }

    #[test]
    fn a_request_is_read_with_its_escapes() {
        let request =
            read("GET /files/my%20arm.urdf?token=a%2Bb&x HTTP/1.1\r\nHost: localhost:1\r\nX: y\r\n\r\n").unwrap();
        assert_eq!((request.method.as_str(), request.path.as_str()), ("GET", "/files/my arm.urdf"));
        assert_eq!((request.query("token"), request.query("x"), request.query("y")), (Some("a+b"), Some(""), None));
        assert_eq!(request.header("host"), Some("localhost:1"));
    }

    #[test]
    fn what_is_no_request_is_none() {
        let endless = format!("GET / HTTP/1.1\r\nX: {}\r\n\r\n", "y".repeat(MAX_HEAD));
        let bad = [
            "",
            "GET / HTTP/1.1\r\n",
            "GET /\r\n\r\n",
            "GET http://a/ HTTP/1.1\r\n\r\n",
            "GET /%zz HTTP/1.1\r\n\r\n",
            "GET /%ff HTTP/1.1\r\n\r\n",
            "GET /%4 HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nno colon\r\n\r\n",
            &endless,
        ];
        for text in bad {
            assert_eq!(read(text), None, "{}", &text[..text.len().min(40)]);
        }
    }

    #[test]
    fn what_is_said_twice_is_not_said() {
        let request = read("GET /?token=a&token=b HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n").unwrap();
        assert_eq!((request.query("token"), request.header("host")), (None, None));
        assert!(request.has_header("host"));
    }
}
