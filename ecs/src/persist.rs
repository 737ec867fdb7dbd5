//! The parts of saving that the core implements: the compact format, the memory that a file may
//! take, and the trait of saved states.
//!
//! `save` builds files of them. The core names nothing of `save`. Without the feature `serde` only
//! the trait of saved states is here, which then asks for nothing, so that states of systems are
//! written once.

#[cfg(feature = "serde")]
pub(crate) mod compact;
#[cfg(feature = "serde")]
pub(crate) mod erased;
#[cfg(feature = "serde")]
pub(crate) mod image;
#[cfg(feature = "serde")]
pub(crate) mod memory;
#[cfg(feature = "serde")]
pub(crate) mod serialized_parts;
#[cfg(feature = "serde")]
pub(crate) mod state;
#[cfg(not(feature = "serde"))]
#[path = "persist/unsaved_state.rs"]
pub(crate) mod state;
pub(crate) mod state_parts;
