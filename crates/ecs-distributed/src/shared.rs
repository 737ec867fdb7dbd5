//! [`SharedList`]: the resources that the workers exchange after each tick. [`Link`] is what an
//! exchange asks of one of them.

use std::any::type_name;
use std::cell::Cell;

use crate::{Model, Partition, RunError};

/// The resources of a model that the workers exchange after each tick: `()`, one
/// [`Halo`](crate::Halo), [`Totals`](crate::Totals) or [`Messages`](crate::Messages), or a tuple of
/// up to eight. All of them together take one message to each worker.
pub trait SharedList<M: Model> {
    #[doc(hidden)]
    fn links(links: &mut Vec<Box<dyn Link<M>>>);
}

macro_rules! lists {
    ($($name:ident)*) => {
        impl<M: Model, $($name: SharedList<M>),*> SharedList<M> for ($($name,)*) {
            #[allow(unused_variables)]
            fn links(links: &mut Vec<Box<dyn Link<M>>>) {
                $($name::links(links);)*
            }
        }
    };
}
lists!();
lists!(A);
lists!(A B);
lists!(A B C);
lists!(A B C D);
lists!(A B C D E);
lists!(A B C D E F);
lists!(A B C D E F G);
lists!(A B C D E F G H);

thread_local! {
    /// Whether a worker runs its model's tick on this thread.
    static TICKS: Cell<bool> = const { Cell::new(false) };
}

/// Runs a model's tick.
pub(crate) fn run_tick(tick: impl FnOnce()) {
    struct End(bool);
    impl Drop for End {
        fn drop(&mut self) {
            TICKS.set(self.0);
        }
    }
    let _end = End(TICKS.replace(true));
    tick();
}

/// Panics if a system uses a resource that workers do not exchange: what it writes would never
/// arrive, and what it reads would always be empty.
#[track_caller]
pub(crate) fn check_listed<R>(is_listed: bool) {
    if !is_listed && TICKS.get() {
        panic!(
            "the model does not list `{}` in `Model::Shared`, so that workers do not exchange it",
            type_name::<R>()
        );
    }
}

/// The exchange of one resource. The methods are called in this order, after entities have moved.
#[doc(hidden)]
pub trait Link<M: Model>: Send {
    /// Begins anew with a partition: nothing counts as sent or received.
    fn reset(&mut self, model: &M, partition: &Partition, own: usize) {
        let _ = (model, partition, own);
    }

    /// Adds what is sent to each worker, also to this one.
    fn write(&mut self, model: &M, world: &mut M::World, out: &mut [Vec<u8>]) -> Result<(), RunError>;

    /// Reads what a worker has sent. It is called for all workers, in their order.
    fn read(&mut self, from: usize, input: &mut &[u8]) -> Result<(), RunError>;

    /// Whether workers answer what they have read: the same on all workers.
    fn has_answers(&self) -> bool {
        false
    }

    /// Adds the answer to all workers.
    fn write_answers(&mut self, world: &M::World, out: &mut Vec<u8>) -> Result<(), RunError> {
        let _ = (world, out);
        Ok(())
    }

    /// Reads the answer of a worker. It is called for all workers, in their order.
    fn read_answers(&mut self, from: usize, input: &mut &[u8]) -> Result<(), RunError> {
        let _ = (from, input);
        Ok(())
    }

    /// Renews the resource of the world. Returns the number of copies of other workers' entities.
    fn install(&mut self, world: &mut M::World) -> Result<usize, RunError>;

    /// The name of the resource's type, if checkpoints keep something of it.
    fn saved_name(&self) -> Option<&'static str> {
        None
    }

    /// Adds what a checkpoint keeps of the resource.
    fn save(&self, world: &M::World, own: usize, out: &mut Vec<u8>) -> Result<(), RunError> {
        let _ = (world, own, out);
        Ok(())
    }

    /// Reads what [`save`](Self::save) has written, maybe of several workers, one after the other,
    /// into a resource from which the next exchange sends it. `None` if it is damaged.
    fn restore(&mut self, world: &mut M::World, input: &mut &[u8]) -> Option<()> {
        let _ = (world, input);
        Some(())
    }
}
