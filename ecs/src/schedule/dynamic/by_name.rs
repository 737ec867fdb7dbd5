//! Methods of [`Schedule`] that select systems by name, as closures have no type that a program
//! could write.

use super::Schedule;
use crate::raw_world::RawWorld;

/// Methods that select systems by name. The name of a system that is a function is the function's
/// name. Several systems may have the same name.
impl<W: RawWorld> Schedule<W> {
    /// Removes the systems with a name, and returns their number.
    ///
    /// # Panics
    /// If the schedule belongs to another world.
    pub fn remove_named(&mut self, world: &mut W, name: &str) -> usize {
        self.remove_where(world, |task| task.name == name)
    }

    /// Whether the schedule has a system with a name.
    pub fn has_named(&self, name: &str) -> bool {
        self.key_named(name).is_some()
    }

    /// Returns the key of the first system with a name.
    pub fn key_named(&self, name: &str) -> Option<i64> {
        self.key_where(|task| task.name == name)
    }

    /// Sets the key of the systems with a name, as [`set_key`](Self::set_key) does, and returns
    /// their number.
    pub fn set_key_named(&mut self, name: &str, key: i64) -> usize {
        self.set_key_where(|task| task.name == name, key)
    }

    /// Switches the systems with a name on or off, and returns their number.
    pub fn enable_named(&mut self, name: &str, on: bool) -> usize {
        self.enable_where(|task| task.name == name, on)
    }

    /// Whether the schedule has a system with a name that is switched on.
    pub fn is_enabled_named(&self, name: &str) -> bool {
        self.is_enabled_where(|task| task.name == name)
    }
}
