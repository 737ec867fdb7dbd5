//! The versions of what is measured, from the lock file with which this program was built.

/// The lock file.
pub(crate) const LOCK: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.lock"));

/// The version of a package; empty if there is no such package.
pub(crate) fn of(package: &str) -> &'static str {
    let name = format!("name = \"{package}\"");
    let mut lines = LOCK.lines().skip_while(|line| **line != name).skip(1);
    lines.next().and_then(|line| line.strip_prefix("version = \"")?.strip_suffix('"')).unwrap_or_default()
}
