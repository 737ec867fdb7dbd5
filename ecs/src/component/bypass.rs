//! [`Mut::bypass_change_detection`]: changes without a mark, for components without an index.

use super::Component;
use super::markers::Unseen;
use crate::change::Mut;

impl<T> Mut<'_, T> {
    /// The mutable value, without marking it as changed. Snapshots still see the change. An indexed
    /// component does not have this method, since its index would miss the change.
    #[inline(always)]
    pub fn bypass_change_detection(&mut self) -> &mut T
    where
        T: Component<Kind: Unseen<T>>,
    {
        self.bypass()
    }
}
