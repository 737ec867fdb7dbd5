//! Checks of loaded relations. A file with invalid relations, such as a cycle of an acyclic one,
//! gives an error that names the source.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::reverse_index::ReverseIndex;
use super::rule::{first_of, targets, targets_may_dangle};
use super::{Relation, Stored};
use crate::component::IsComponent;
use crate::entity::Entity;
use crate::error::Reason;
use crate::storage::column::Column;
use crate::storage::rule_state::ChangeContext;

/// Fills the reverse index from the values of a loaded column.
///
/// # Errors
/// If a value breaks the rules of the relation; with the slot of its entity.
pub(super) fn load<S: Stored + IsComponent>(
    index: &mut ReverseIndex,
    values: &Column<S>,
    context: ChangeContext<'_>,
) -> Result<(), (u32, String)> {
    // a file does not say which relations were lost before
    index.record_loss(context.tick);
    let pairs = if S::Relation::RELATION_SYMMETRIC { sorted_pairs(values, context) } else { Vec::new() };
    for entity in sources(values, context) {
        let Some(value) = values.get(entity.slot()) else { continue };
        let wrong = |reason: Reason| (entity.slot(), reason.to_string());
        let targets = targets(value);
        if targets.len() != value.edges().len() {
            return Err((entity.slot(), "it has two relations to the same entity".into()));
        }
        for target in targets {
            if !S::Relation::RELATION_TO_SELF && target == entity {
                return Err(wrong(Reason::Itself));
            }
            if !context.entities.contains(target) {
                if targets_may_dangle::<S>() {
                    continue; // the target was despawned before the world was saved
                }
                return Err(wrong(Reason::NoSuchTarget(target)));
            }
            if S::Relation::RELATION_SYMMETRIC && pairs.binary_search(&(target, entity)).is_err() {
                return Err((entity.slot(), "it is related to an entity that is not related to it".into()));
            }
            index.add_edge::<S>(ChangeContext { entity, ..context }, target);
        }
    }
    if S::Relation::RELATION_ACYCLIC { check_acyclic(values, context) } else { Ok(()) }
}

/// The entities that have a value of the relation.
fn sources<'s, S>(values: &'s Column<S>, context: ChangeContext<'s>) -> impl Iterator<Item = Entity> + 's {
    values.slots().map(move |slot| context.entities.at(slot as usize))
}

/// All pairs of a source and a target, sorted.
fn sorted_pairs<S: Stored>(values: &Column<S>, context: ChangeContext<'_>) -> Vec<(Entity, Entity)> {
    let edges = |source: Entity| {
        let edges = values.get(source.slot()).map(S::edges).unwrap_or_default();
        edges.iter().map(move |edge| (source, edge.target()))
    };
    let mut pairs: Vec<(Entity, Entity)> = sources(values, context).flat_map(edges).collect();
    pairs.sort_unstable();
    pairs
}

/// Checks that an exclusive relation has no cycle, by following the targets of each source. Cost:
/// visits each entity once.
///
/// # Errors
/// If there is a cycle; with the slot of an entity in it.
fn check_acyclic<S: Stored>(values: &Column<S>, context: ChangeContext<'_>) -> Result<(), (u32, String)> {
    // for each slot the number of the path that visited it first; paths are numbered from 1
    let mut paths: Vec<u32> = alloc::vec![0; values.words() * 64];
    for (number, source) in (1..).zip(sources(values, context)) {
        let mut at = source;
        while let Some(path) = paths.get_mut(at.slot() as usize) {
            if *path == number {
                return Err((at.slot(), Reason::Cycle(at).to_string()));
            }
            if *path != 0 {
                break;
            }
            *path = number;
            let next = values.get(at.slot()).and_then(first_of);
            let Some(next) = next.filter(|&next| context.entities.contains(next)) else { break };
            at = next;
        }
    }
    Ok(())
}
