//! [`View`]: the part of the world that some clients see in one tick, and the deltas that they
//! share.

use std::sync::Arc;

use ecs::World;
use ecs::save::{Baseline, ChangedSlots, SaveError, Selection};

/// The state to which a client was brought; `None` for nothing. Clients of equal views share it.
pub(crate) type State<W> = Option<Arc<Baseline<W>>>;

/// The changes between two frames that were sent.
pub(crate) struct Step {
    /// The frame to which it leads.
    pub(crate) frame: u64,
    pub(crate) slots: ChangedSlots,
}

/// The part of the world that some clients see in one tick.
pub(crate) struct View<W> {
    pub(crate) baseline: Arc<Baseline<W>>,
    /// The hash of all of it. It is made for the first client that needs it.
    hash: Option<u64>,
    /// The step from each state that one of these clients has.
    steps: Vec<(State<W>, Arc<Step>)>,
    deltas: Vec<MadeDelta>,
}

/// A delta that was made, for clients that were sent the same steps and have acknowledged the same
/// frame.
struct MadeDelta {
    from: u64,
    steps: Vec<Arc<Step>>,
    bytes: Arc<[u8]>,
}

impl<W: World> View<W> {
    pub(crate) fn new(baseline: Baseline<W>) -> Self {
        Self { baseline: Arc::new(baseline), hash: None, steps: Vec::new(), deltas: Vec::new() }
    }

    pub(crate) fn hash(&mut self, selection: &Selection<W>, world: &W) -> Result<u64, SaveError> {
        if let Some(hash) = self.hash {
            return Ok(hash);
        }
        let hash = selection.hash_by(world, Some)?;
        self.hash = Some(hash);
        Ok(hash)
    }

    /// The step from the state `last`. It is made for the first client that needs it.
    pub(crate) fn step(
        &mut self,
        selection: &Selection<W>,
        last: &State<W>,
        world: &W,
    ) -> Result<Arc<Step>, SaveError> {
        let address = |state: &State<W>| state.as_ref().map(Arc::as_ptr);
        if let Some((_, step)) = self.steps.iter().find(|(from, _)| address(from) == address(last)) {
            return Ok(Arc::clone(step));
        }
        let nothing = Baseline::nothing();
        let slots = selection.changed_slots(last.as_deref().unwrap_or(&nothing), world)?;
        let step = Arc::new(Step { frame: self.baseline.frame(), slots });
        self.steps.push((last.clone(), Arc::clone(&step)));
        Ok(step)
    }

    /// The delta of these steps. It is made for the first client that needs it.
    pub(crate) fn delta(
        &mut self,
        selection: &Selection<W>,
        steps: Vec<Arc<Step>>,
        from: u64,
        world: &W,
    ) -> Result<Arc<[u8]>, SaveError> {
        let same = |made: &[Arc<Step>]| {
            made.len() == steps.len() && made.iter().zip(&steps).all(|(one, other)| Arc::ptr_eq(one, other))
        };
        if let Some(made) = self.deltas.iter().find(|made| made.from == from && same(&made.steps)) {
            return Ok(Arc::clone(&made.bytes));
        }
        let changes = steps.iter().map(|step| &step.slots);
        let bytes: Arc<[u8]> = selection.delta_of(changes, from, world, self.baseline.frame())?.into();
        self.deltas.push(MadeDelta { from, steps, bytes: Arc::clone(&bytes) });
        Ok(bytes)
    }
}
