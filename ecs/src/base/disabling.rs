//! The queries that pass over the entities with a component, as a constant.

use super::component_set::ComponentSet;

/// The queries that pass over the entities with a component, unless they name it:
/// `#[component(disables)]`.
#[derive(Clone, Copy, Debug)]
pub enum Disables {
    /// None.
    Nothing,
    /// All queries.
    Entity,
    /// The queries that require one of these components: `#[component(disables(Velocity))]`.
    Components(ComponentSet),
}
