//! Columns outside of a world, for values whose entities do not exist yet.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;

use super::column::Column;

/// Columns outside of a world, by the index of their component in the world. Made when they are
/// first requested.
#[derive(Default)]
pub struct DetachedColumns {
    /// The columns that [`any`](Self::any) has made.
    sent: SentColumns,
    /// The columns that [`of`](Self::of) has made, which does not know that their values are
    /// `Send`.
    made: Vec<(usize, Box<dyn Any>)>,
}

/// Detached columns that may be sent between threads, by the index of their component in the world.
pub(crate) type SentColumns = Vec<(usize, Box<dyn Any + Send>)>;

impl DetachedColumns {
    /// The column of `T`, which has this index in the world; made if it does not exist.
    ///
    /// # Panics
    /// If the column of this index has another type.
    pub(crate) fn of<T: 'static>(&mut self, index: usize) -> &mut Column<T> {
        if self.find(index).is_none() {
            self.made.push((index, Box::new(Column::<T>::new())));
        }
        let column = self.find(index).and_then(<dyn Any>::downcast_mut);
        column.unwrap_or_else(|| panic!("component {index} of a world has two types"))
    }

    /// The column of a component, which `make` makes if it does not exist.
    pub(crate) fn any(&mut self, index: usize, make: impl FnOnce() -> Box<dyn Any + Send>) -> &mut dyn Any {
        if let Some(at) = self.made.iter().position(|(other, _)| *other == index) {
            return &mut *self.made[at].1;
        }
        let at = self.sent.iter().position(|(other, _)| *other == index).unwrap_or_else(|| {
            self.sent.push((index, make()));
            self.sent.len() - 1
        });
        &mut *self.sent[at].1
    }

    fn find(&mut self, index: usize) -> Option<&mut dyn Any> {
        let is = |other: usize| other == index;
        if let Some((_, column)) = self.sent.iter_mut().find(|(other, _)| is(*other)) {
            return Some(&mut **column);
        }
        self.made.iter_mut().find(|(other, _)| is(*other)).map(|(_, column)| &mut **column)
    }

    /// Columns that begin with these.
    pub(crate) fn with(sent: SentColumns) -> Self {
        Self { sent, made: Vec::new() }
    }

    /// The columns that [`any`](Self::any) has made.
    pub(crate) fn into_sent(self) -> SentColumns {
        self.sent
    }
}
