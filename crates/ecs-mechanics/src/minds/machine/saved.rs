//! The saved form of a machine, which is checked against the graph of the program: the enum may
//! have changed since.

use serde::Deserialize;

use super::{Machine, StateMachine};

/// The saved form of a machine.
#[derive(Deserialize)]
#[serde(rename = "Machine")]
pub(super) struct SavedMachine<S> {
    now: S,
    next: Option<S>,
    entered: bool,
}

impl<S: StateMachine> TryFrom<SavedMachine<S>> for Machine<S> {
    type Error = String;

    fn try_from(SavedMachine { now, next, entered }: SavedMachine<S>) -> Result<Self, String> {
        if let Some(to) = next.as_ref().map(S::index)
            && !S::GRAPH.allows(now.index(), to)
        {
            let (name, states) = (S::GRAPH.name, S::GRAPH.states);
            let (from, to) = (states[now.index()].name, states[to].name);
            return Err(format!(
                "the saved machine `{name}` is about to change from `{from}` to `{to}`, and the program has no such transition: the states of \
                 `{name}` have changed since; list `{to}` in `#[state(to(..))]` on the variant `{from}` again, or remove the request from the file"
            ));
        }
        Ok(Self { now, next, entered })
    }
}
