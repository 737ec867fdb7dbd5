//! The systems of a schedule by their names: closures have no type that could be written down.

use super::Schedule;
use crate::world::World;

/// By name. A system that is a function goes by the function's name; several may have the same.
impl<W: World> Schedule<W> {
    /// Removes the systems of a name; how many there were.
    ///
    /// # Panics
    /// If the schedule belongs to another world.
    pub fn remove_named(&mut self, world: &mut W, name: &str) -> usize {
        self.remove_where(world, |task| task.name == name)
    }

    /// Whether a system of this name stands in the schedule.
    pub fn has_named(&self, name: &str) -> bool {
        self.key_named(name).is_some()
    }

    /// The key of the first system of a name.
    pub fn key_named(&self, name: &str) -> Option<i64> {
        self.key_where(|task| task.name == name)
    }

    /// Sets the key of the systems of a name, as [`set_key`](Self::set_key); how many there are.
    pub fn set_key_named(&mut self, name: &str, key: i64) -> usize {
        self.set_key_where(|task| task.name == name, key)
    }

    /// Switches the systems of a name on or off; how many there are.
    pub fn enable_named(&mut self, name: &str, on: bool) -> usize {
        self.enable_where(|task| task.name == name, on)
    }

    /// Whether a system of this name is on.
    pub fn is_enabled_named(&self, name: &str) -> bool {
        self.is_enabled_where(|task| task.name == name)
    }
}
