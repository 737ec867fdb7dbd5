//! Saving of ids, the allocator and reserved slots: [`ids`] is the serialized form of an
//! [`Entity`](super::Entity), [`image`] the form of the allocator.

pub(crate) mod ids;
pub(crate) mod image;
#[cfg(test)]
mod model;
mod reserved_slots;
