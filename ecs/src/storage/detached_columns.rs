//! Columns that belong to no world: where values wait for the entities that will have them.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;

use super::column::Column;

/// Columns, by the index of their component in a world: those that were asked for.
#[derive(Default)]
pub struct DetachedColumns(Vec<(usize, Box<dyn Any>)>);

impl DetachedColumns {
    /// The column of `T`.
    pub(crate) fn of<T: 'static>(&mut self, index: usize) -> &mut Column<T> {
        let column = self.any(index, || Box::new(Column::<T>::new()));
        column.downcast_mut().unwrap_or_else(|| panic!("component {index} of a world has two types"))
    }

    /// A column whose type `make` knows.
    pub(crate) fn any(&mut self, index: usize, make: impl FnOnce() -> Box<dyn Any>) -> &mut dyn Any {
        let at = self.0.iter().position(|(other, _)| *other == index).unwrap_or_else(|| {
            self.0.push((index, make()));
            self.0.len() - 1
        });
        &mut *self.0[at].1
    }
}
