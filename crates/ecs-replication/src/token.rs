//! [`same_token`]: a comparison that tells an attacker nothing by its time.

use std::hint::black_box;

/// Whether two tokens are equal, in a time that depends only on the length of `given`, which the
/// client has chosen.
///
/// ```
/// assert!(ecs_replication::same_token(b"secret", b"secret"));
/// assert!(!ecs_replication::same_token(b"secreT", b"secret"));
/// assert!(!ecs_replication::same_token(b"", b"secret"));
/// ```
#[must_use]
pub fn same_token(given: &[u8], known: &[u8]) -> bool {
    let mut differs = usize::from(given.len() != known.len());
    for (at, &byte) in given.iter().enumerate() {
        // the bytes of the known one again, if it is shorter
        let other = known.get(at % known.len().max(1)).copied().unwrap_or(0);
        differs |= usize::from(black_box(byte ^ other));
    }
    black_box(differs) == 0
}
