//! Columns outside of a world, for values whose entities do not exist yet.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;

use super::column::Column;

/// Columns outside of a world, by the index of their component in the world. Made when they are first requested.
#[derive(Default)]
pub struct DetachedColumns(Vec<(usize, Box<dyn Any>)>);

impl DetachedColumns {
    /// The column of `T`, which has this index in the world; made if it does not exist.
    ///
    /// # Panics
    /// If the column of this index has another type.
    pub(crate) fn of<T: 'static>(&mut self, index: usize) -> &mut Column<T> {
        let column = self.any(index, || Box::new(Column::<T>::new()));
        column.downcast_mut().unwrap_or_else(|| panic!("component {index} of a world has two types"))
    }

    /// The column of a component, which `make` makes if it does not exist.
    pub(crate) fn any(&mut self, index: usize, make: impl FnOnce() -> Box<dyn Any>) -> &mut dyn Any {
        let at = self.0.iter().position(|(other, _)| *other == index).unwrap_or_else(|| {
            self.0.push((index, make()));
            self.0.len() - 1
        });
        &mut *self.0[at].1
    }
}
