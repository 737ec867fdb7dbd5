//! [`Admission`]: which requests are read at all, and which may change the world.

use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use hyper::header::{self, HeaderName};
use hyper::{HeaderMap, Uri, Version};

use crate::dispatch::Response;
use crate::options::{Options, Reads, Writes};

/// The rules for requests that their heads decide.
pub(super) struct Admission {
    is_local: bool,
    origins: Vec<String>,
    reads: Reads,
    writes: Writes,
    rate: u32,
    /// The beginning of the present second, and the requests in it.
    second: Mutex<(Instant, u32)>,
}

/// The rights of a request that is admitted.
pub(super) struct Rights {
    pub(super) may_read: bool,
    pub(super) may_write: bool,
}

impl Admission {
    pub(super) fn new(options: &Options) -> Self {
        Self {
            is_local: options.address.is_loopback(),
            origins: options.origins.clone(),
            reads: options.reads.clone(),
            writes: options.writes.clone(),
            rate: options.limits.rate,
            second: Mutex::new((Instant::now(), 0)),
        }
    }

    /// The rights of a request.
    pub(super) fn check(&self, version: Version, uri: &Uri, headers: &HeaderMap) -> Result<Rights, Response> {
        let host = single(headers, header::HOST)?;
        if host.is_none() && version == Version::HTTP_11 {
            return Err(Response::error(400, "the header `Host` is missing"));
        }
        // a page of another site whose name was made to point at the loopback ("DNS rebinding")
        // sends its own name
        let mut hosts = host.into_iter().chain(uri.authority().map(|authority| authority.as_str()));
        if self.is_local && hosts.any(|host| !is_loopback(host)) {
            return Err(Response::error(403, "the host is not the loopback"));
        }
        if let Some(origin) = single(headers, header::ORIGIN)?
            && !self.admits(origin)
        {
            return Err(Response::error(403, "pages of this origin are not admitted: see `Options::origin`"));
        }
        let sent = single(headers, header::AUTHORIZATION)?.and_then(|value| value.strip_prefix("Bearer "));
        let is_token = |token: &str| sent.is_some_and(|sent| is_same(sent.as_bytes(), token.as_bytes()));
        let has_write_token = matches!(&self.writes, Writes::Token(token) if is_token(token));
        let may_read = match &self.reads {
            Reads::Anybody => true,
            Reads::Token(token) => is_token(token) || has_write_token,
        };
        let may_write = has_write_token || may_read && self.writes == Writes::Anybody;
        Ok(Rights { may_read, may_write })
    }

    fn admits(&self, origin: &str) -> bool {
        let host = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        host.is_some_and(is_loopback) || self.origins.iter().any(|admitted| admitted == origin)
    }

    /// The time that a request has to wait, since the present second has as many requests as it may
    /// have.
    pub(super) fn wait(&self) -> Option<Duration> {
        let mut second = self.second.lock().unwrap_or_else(PoisonError::into_inner);
        let elapsed = second.0.elapsed();
        if elapsed.as_secs() > 0 {
            *second = (Instant::now(), 0);
        }
        if second.1 >= self.rate.max(1) {
            return Some(Duration::from_secs(1).saturating_sub(elapsed).max(Duration::from_millis(1)));
        }
        second.1 += 1;
        None
    }
}

/// The value of a header that occurs at most once. Two are refused, since a proxy in front of the
/// server might have checked the other one.
fn single(headers: &HeaderMap, name: HeaderName) -> Result<Option<&str>, Response> {
    let mut values = headers.get_all(&name).iter();
    match (values.next(), values.next()) {
        (value, None) => Ok(value.map(|value| value.to_str().unwrap_or("?"))),
        _ => Err(Response::error(400, &format!("the header `{name}` occurs twice"))),
    }
}

/// Whether a host, with or without a port, is this machine.
fn is_loopback(host: &str) -> bool {
    let (name, port) = match host.strip_prefix('[').map(|rest| rest.split_once(']')) {
        Some(Some((name, port))) => (name, port),
        Some(None) => return false,
        None => host.split_at(host.find(':').unwrap_or(host.len())),
    };
    let is_port = port.is_empty()
        || port.strip_prefix(':').is_some_and(|port| port.bytes().all(|byte| byte.is_ascii_digit()));
    let name = name.to_ascii_lowercase();
    let is_name = name == "localhost"
        || name.ends_with(".localhost")
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-'))
        || name.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback());
    is_port && is_name
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
        for host in [
            "localhost",
            "LOCALHOST",
            "A.LocalHost:80",
            "localhost:27750",
            "127.0.0.1:1",
            "[::1]:80",
            "a.localhost",
            "127.9.9.9",
        ] {
            assert!(is_loopback(host), "{host}");
        }
        for host in [
            "",
            "localhost.example.org",
            "example.org:80",
            "10.0.0.1",
            "[::2]",
            "127.0.0.1.example.org",
            "localhost:x@example.org",
            "localhost@example.org",
            "[::1]example.org",
            "[::1",
            "localhost:80:80",
            "example.org/.localhost",
            "user@a.localhost",
            "localhost/path",
        ] {
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
