//! [`Key`]: the secret by which the processes of a run know each other.

use std::fmt;
use std::path::Path;

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use crate::RunError;

/// The length of a proof.
pub(super) const PROOF: usize = 32;

/// A secret that all processes of a run have. Each connection begins with a proof of both sides
/// that they have it, by HMAC-SHA-256 of random numbers of both; the secret itself is not sent.
///
/// It says who may connect. What is sent afterwards is neither encrypted nor signed: a network that
/// others can listen to, or change, needs a tunnel.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Key([u8; 32]);

impl Key {
    /// The key of a secret of any length. One that cannot be guessed has at least 16 random bytes.
    #[must_use]
    pub fn new(secret: &[u8]) -> Self {
        Self(Sha256::digest(secret).into())
    }

    /// The key of the secret in a file, without the white space around it.
    ///
    /// # Errors
    /// If the file cannot be read, or is empty.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, RunError> {
        let path = path.as_ref();
        let fail =
            |reason: &dyn fmt::Display| RunError::System(format!("the key {}: {reason}", path.display()));
        let secret = std::fs::read(path).map_err(|error| fail(&error))?;
        match secret.trim_ascii() {
            [] => Err(fail(&"the file is empty")),
            secret => Ok(Self::new(secret)),
        }
    }

    fn mac(&self, connects: bool, prover: &[u8], verifier: &[u8]) -> Hmac<Sha256> {
        let mac = Hmac::new_from_slice(&self.0).expect("a key of any length is one");
        mac.chain_update([u8::from(connects)]).chain_update(prover).chain_update(verifier)
    }

    /// The proof of the side that has sent the hello `prover`, for the one that has sent
    /// `verifier`. `connects` says whether the prover has made the connection: a stranger that has
    /// connected to two processes could give each the proof of the other.
    pub(super) fn proof(&self, connects: bool, prover: &[u8], verifier: &[u8]) -> [u8; PROOF] {
        self.mac(connects, prover, verifier).finalize().into_bytes().into()
    }

    /// Whether it is that proof, in a time that does not depend on the bytes.
    pub(super) fn proves(&self, proof: &[u8], connects: bool, prover: &[u8], verifier: &[u8]) -> bool {
        self.mac(connects, prover, verifier).verify_slice(proof).is_ok()
    }
}

/// The key of all runs that have none of their own.
impl Default for Key {
    fn default() -> Self {
        Self::new(b"")
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}
