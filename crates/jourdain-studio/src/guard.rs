//! Who may ask: those who know the token, from a page of this server, by the name of this machine.
//!
//! The token keeps other users and programs of the machine out. Host and Origin keep pages of the network out that try to speak to
//! this one in the browser's name: such a page can make the browser send a request, but it cannot choose these two headers.

use crate::request::Request;
use jourdain_kit::problem::Problem;

/// Bytes of a token.
const TOKEN: usize = 24;

/// The rules of one server.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    port: u16,
    token: String,
}

impl Guard {
    /// With a new token.
    ///
    /// # Errors
    /// The machine has no random numbers.
    pub fn new(port: u16) -> Result<Self, Problem> {
        let mut bytes = [0; TOKEN];
        getrandom::fill(&mut bytes)
            .map_err(|error| Problem::new("no-random-numbers", format!("no token can be made: {error}")))?;
        Ok(Self { port, token: bytes.iter().map(|byte| format!("{byte:02x}")).collect() })
    }

    /// The address that opens the page.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/?token={}", self.port, self.token)
    }

    /// True if the request may be answered.
    pub fn admits(&self, request: &Request) -> bool {
        let names = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", self.port));
        let is_ours = |host: &str| names.iter().any(|name| name == host);
        let host = request.header("host").is_some_and(is_ours);
        let origin = match request.header("origin") {
            Some(origin) => origin.strip_prefix("http://").is_some_and(is_ours),
            None => !request.has_header("origin"),
        };
        host && origin && request.query("token").is_some_and(|token| is_same(token.as_bytes(), self.token.as_bytes()))
    }
}

/// Compares in a time that does not tell how much is right.
fn is_same(given: &[u8], expected: &[u8]) -> bool {
    given.len() == expected.len() && given.iter().zip(expected).fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admits(guard: &Guard, target: &str, headers: &str) -> bool {
        let text = format!("GET {target} HTTP/1.1\r\n{headers}\r\n");
        guard.admits(&Request::read(&mut text.as_bytes()).unwrap().unwrap())
    }

    #[test]
    fn only_the_token_the_host_and_the_origin_of_this_server_pass() {
        let guard = Guard::new(4321).unwrap();
        let target = format!("/?token={}", guard.token);
        let host = "Host: 127.0.0.1:4321\r\n";
        assert!(admits(&guard, &target, host));
        assert!(admits(&guard, &target, "Host: localhost:4321\r\nOrigin: http://localhost:4321\r\n"));
        for headers in ["", "Host: 127.0.0.1\r\n", "Host: 127.0.0.1:4322\r\n", "Host: evil.example:4321\r\n"] {
            assert!(!admits(&guard, &target, headers), "{headers}");
        }
        for origin in ["http://evil.example", "null", "https://127.0.0.1:4321", "http://127.0.0.1:1"] {
            assert!(!admits(&guard, &target, &format!("{host}Origin: {origin}\r\n")), "{origin}");
        }
        let wrong = guard.token.replace(|c| c != '0', "0");
        for target in
            ["/", "/?token=", "/?token=0", &format!("/?token={wrong}"), &format!("{target}&token={}", guard.token)]
        {
            assert!(!admits(&guard, target, host), "{target}");
        }
    }

    #[test]
    fn tokens_are_long_and_never_the_same() {
        let [a, b] = [Guard::new(1).unwrap(), Guard::new(1).unwrap()];
        assert_eq!(a.token.len(), 2 * TOKEN);
        assert_ne!(a.token, b.token);
    }
}
