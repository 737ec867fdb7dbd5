//! [`Options`] of a server, and its [`Limits`].

use std::fmt;
use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use ecs::reflect::AllowList;

/// The address, the permissions and the limits of a server.
///
/// ```
/// use ecs_remote::{Options, Writes};
///
/// let options = Options::new().port(27750).writes(Writes::Token("a secret of this run".into()));
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    pub(crate) address: IpAddr,
    pub(crate) port: u16,
    pub(crate) reads: Reads,
    pub(crate) writes: Writes,
    pub(crate) origins: Vec<String>,
    pub(crate) allow: AllowList,
    pub(crate) limits: Limits,
}

/// The requests that are answered. The others get the status 401.
#[derive(Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Reads {
    /// Those with the header `Authorization: Bearer TOKEN`, and those with the token of
    /// [`Writes::Token`].
    Token(String),
    /// All that reach the server. The flecs explorer cannot send a token.
    #[default]
    Anybody,
}

/// The requests that may change the world. The others get an error that says so.
#[derive(Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Writes {
    /// None.
    #[default]
    Nobody,
    /// Those with the header `Authorization: Bearer TOKEN`.
    Token(String),
    /// All that are answered. The flecs explorer cannot send a token.
    Anybody,
}

// a token does not get into logs
impl fmt::Debug for Reads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Token(_) => "Token(..)",
            Self::Anybody => "Anybody",
        })
    }
}

impl fmt::Debug for Writes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Nobody => "Nobody",
            Self::Token(_) => "Token(..)",
            Self::Anybody => "Anybody",
        })
    }
}

/// The bounds of what requests can cost. The product of the first three is about the memory that
/// clients can occupy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// The connections that are read and answered at once. A connection carries one request after
    /// the other, until others wait in the queue of the operating system. Default: 64.
    pub connections: usize,
    /// The bytes of a request's body. Default: 64 KiB.
    pub body: usize,
    /// The bytes of an answer. Default: 4 MiB.
    pub response: usize,
    /// The requests of a second; more wait for the next second. Default: 1,000.
    pub rate: u32,
    /// The time from the beginning of a request to the end of its answer, which includes the time
    /// in the queue. A connection without a request is closed after 2 seconds. A watch lasts
    /// longer, unless its client reads nothing for this time. Default: 10 seconds.
    pub timeout: Duration,
    /// The requests that one call of [`Remote::serve`](crate::Remote::serve) answers. Equal ones
    /// that only read, and wait together, count as one. Default: 256.
    pub per_call: usize,
    /// The time of a call of [`Remote::serve`](crate::Remote::serve). A request that takes longer
    /// goes on in the next call. A single value that is read or written, a change, and a method of
    /// the program are not divided. Default: 2 milliseconds.
    pub budget: Duration,
    /// The requests in one batch of JSON-RPC. Default: 64.
    pub batch: usize,
    /// The entities in one result. A query of JSON-RPC without a `limit` that finds more gets the
    /// error -32001. Default: 20,000.
    pub results: usize,
    /// The steps of one request or one batch, in all calls that answer it: values that it compares
    /// or sorts, entities that it returns, components that it reads or writes, aspects and types
    /// that it describes. More get the error -32001 of JSON-RPC, or the status 422. Default:
    /// 1,000,000.
    pub work: usize,
    /// The clients that watch at once. Each occupies one of the connections, and one connection is
    /// always left for requests, so that no more than `connections - 1` clients watch. Default: 16.
    pub watchers: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 64,
            body: 64 << 10,
            response: 4 << 20,
            rate: 1_000,
            timeout: Duration::from_secs(10),
            per_call: 256,
            budget: Duration::from_millis(2),
            batch: 64,
            results: 20_000,
            work: 1_000_000,
            watchers: 16,
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            address: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: 27750,
            reads: Reads::Anybody,
            writes: Writes::Nobody,
            origins: Vec::new(),
            allow: AllowList::new(),
            limits: Limits::default(),
        }
    }
}

impl Options {
    /// Port 27750 of the loopback, where the flecs explorer looks for a program. No request may
    /// change the world.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Listens on another port; 0 is any free port: see
    /// [`Remote::address`](crate::Remote::address).
    #[must_use]
    pub fn port(self, port: u16) -> Self {
        Self { port, ..self }
    }

    /// Listens on another address than the loopback. Everybody who reaches the address can then
    /// read what is not hidden, unless [`reads`](Self::reads) needs a token.
    #[must_use]
    pub fn address(self, address: IpAddr) -> Self {
        Self { address, ..self }
    }

    /// Sets the requests that are answered.
    ///
    /// ```
    /// use ecs_remote::{Options, Reads};
    ///
    /// let options = Options::new().reads(Reads::Token("a secret of this run".into()));
    /// assert!(!format!("{options:?}").contains("secret"));
    /// ```
    #[must_use]
    pub fn reads(self, reads: Reads) -> Self {
        Self { reads, ..self }
    }

    /// Sets the requests that may change the world.
    #[must_use]
    pub fn writes(self, writes: Writes) -> Self {
        Self { writes, ..self }
    }

    /// Admits the web pages of a site, such as `https://www.flecs.dev`, whose explorer runs in the
    /// browser. Pages that the loopback serves are always admitted. A request of any other page is
    /// refused, since every page that a person visits could send one.
    #[must_use]
    pub fn origin(mut self, origin: impl Into<String>) -> Self {
        self.origins.push(origin.into());
        self
    }

    /// Hides everything that the list does not allow.
    #[must_use]
    pub fn allow(self, allow: AllowList) -> Self {
        Self { allow, ..self }
    }

    /// Sets the limits.
    ///
    /// ```
    /// use ecs_remote::{Limits, Options};
    ///
    /// let mut limits = Limits::default();
    /// limits.results = 100;
    /// let options = Options::new().limits(limits);
    /// ```
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }
}
