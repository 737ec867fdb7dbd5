//! Sockets for sessions.

pub(crate) mod datagram;
pub(crate) mod lossy;
pub(crate) mod offline;
