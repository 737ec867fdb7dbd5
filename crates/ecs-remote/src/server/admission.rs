//! [`Admission`]: which requests are read at all, and which may change the world.

use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use hyper::HeaderMap;
use hyper::header;

use crate::dispatch::Response;
use crate::options::{Options, Writes};

/// The rules for requests that their heads decide.
pub(super) struct Admission {
    is_local: bool,
    origins: Vec<String>,
    writes: Writes,
    rate: u32,
    /// The beginning of the present second, and the requests in it.
    second: Mutex<(Instant, u32)>,
}

impl Admission {
    pub(super) fn new(options: &Options) -> Self {
        Self {
            is_local: options.address.is_loopback(),
            origins: options.origins.clone(),
            writes: options.writes.clone(),
            rate: options.limits.rate,
            second: Mutex::new((Instant::now(), 0)),
        }
    }

    /// Whether the request may change the world.
    pub(super) fn check(&self, headers: &HeaderMap) -> Result<bool, Response> {
        let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
        // a page of another site whose name was made to point at the loopback ("DNS rebinding") sends its own name
        if self.is_local && text(header::HOST).is_some_and(|host| !is_loopback(host)) {
            return Err(Response::error(403, "the host is not the loopback"));
        }
        if let Some(origin) = text(header::ORIGIN)
            && !self.admits(origin)
        {
            return Err(Response::error(403, "pages of this origin are not admitted: see `Options::origin`"));
        }
        if !self.has_rate() {
            return Err(Response::error(429, &format!("more than {} requests in a second", self.rate)));
        }
        Ok(match &self.writes {
            Writes::Nobody => false,
            Writes::Anybody => true,
            Writes::Token(token) => {
                let sent = text(header::AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
                sent.is_some_and(|sent| is_same(sent.as_bytes(), token.as_bytes()))
            }
        })
    }

    fn admits(&self, origin: &str) -> bool {
        let host = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        host.is_some_and(is_loopback) || self.origins.iter().any(|admitted| admitted == origin)
    }

    fn has_rate(&self) -> bool {
        let mut second = self.second.lock().unwrap_or_else(PoisonError::into_inner);
        if second.0.elapsed().as_secs() > 0 {
            *second = (Instant::now(), 0);
        }
        second.1 = second.1.saturating_add(1);
        second.1 <= self.rate
    }
}

/// Whether a host, with or without a port, is this machine.
fn is_loopback(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or(rest),
        None => host.split(':').next().unwrap_or(host),
    };
    name == "localhost"
        || name.ends_with(".localhost")
        || name.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// Compares without telling by the time how many bytes are right.
fn is_same(sent: &[u8], token: &[u8]) -> bool {
    let differences = sent.iter().zip(token).fold(0, |all, (a, b)| all | (a ^ b));
    sent.len() == token.len() && std::hint::black_box(differences) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_this_machine_and_no_others_are_the_loopback() {
        for host in ["localhost", "localhost:27750", "127.0.0.1:1", "[::1]:80", "a.localhost", "127.9.9.9"] {
            assert!(is_loopback(host), "{host}");
        }
        for host in
            ["", "localhost.example.org", "example.org:80", "10.0.0.1", "[::2]", "127.0.0.1.example.org"]
        {
            assert!(!is_loopback(host), "{host}");
        }
    }

    #[test]
    fn only_the_whole_token_is_the_token() {
        assert!(is_same(b"secret", b"secret"));
        for sent in ["", "secre", "secrets", "Secret"] {
            assert!(!is_same(sent.as_bytes(), b"secret"), "{sent}");
        }
    }
}
