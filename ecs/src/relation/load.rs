//! Relations from a file: what a living world never lets happen is an error that names the source.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::reverse_index::ReverseIndex;
use super::rule::{first_of, targets};
use super::{Gone, Relation, Stored};
use crate::base::mask::Bits;
use crate::component::Component;
use crate::entity::Entity;
use crate::error::Reason;
use crate::storage::column::Column;
use crate::storage::rule_state::ChangeContext;

/// Looks at all values of a column, and remembers who points to whom.
pub(super) fn load<S: Stored + Component>(
    web: &mut ReverseIndex,
    values: &Column<S>,
    context: ChangeContext<'_>,
) -> Result<(), (u32, String)> {
    for entity in sources(values, context) {
        let Some(value) = values.get(entity.slot()) else { continue };
        let wrong = |reason: Reason| (entity.slot(), reason.to_string());
        let targets = targets(value);
        if targets.len() != value.edges().len() {
            return Err((entity.slot(), "it is related to the same entity twice".into()));
        }
        for target in targets {
            if target == entity {
                return Err(wrong(Reason::Itself));
            }
            if !context.entities.contains(target) {
                if let Gone::Keep | Gone::Mark = S::Relation::RELATION_GONE {
                    continue; // it dangles, as it did
                }
                return Err(wrong(Reason::NoSuchTarget(target)));
            }
            if S::Relation::RELATION_SYMMETRIC && !points_to(values, target, entity) {
                return Err((entity.slot(), "it is related to an entity that is not related to it".into()));
            }
            web.gain(ChangeContext { entity, ..context }, target);
        }
    }
    if S::Relation::RELATION_ACYCLIC { leads_nowhere_twice(values, context) } else { Ok(()) }
}

/// The entities that have a value.
fn sources<'s, S>(values: &'s Column<S>, context: ChangeContext<'s>) -> impl Iterator<Item = Entity> + 's {
    (0..values.words())
        .flat_map(|word| Bits(values.word(word)).map(move |bit| word * 64 + bit))
        .map(move |slot| context.entities.at(slot))
}

fn points_to<S: Stored>(values: &Column<S>, source: Entity, target: Entity) -> bool {
    let edges = values.get(source.slot()).map(S::edges).unwrap_or_default();
    edges.iter().any(|edge| edge.target() == target)
}

/// That no way along first targets comes back to where it was. Each entity is gone through once.
fn leads_nowhere_twice<S: Stored>(
    values: &Column<S>,
    context: ChangeContext<'_>,
) -> Result<(), (u32, String)> {
    // for each slot the number of the way that came by first, from 1 on
    let mut ways: Vec<u32> = alloc::vec![0; values.words() * 64];
    for (number, source) in (1..).zip(sources(values, context)) {
        let mut at = source;
        while let Some(way) = ways.get_mut(at.slot() as usize) {
            if *way == number {
                return Err((at.slot(), Reason::Cycle(at).to_string()));
            }
            if *way != 0 {
                break;
            }
            *way = number;
            let next = values.get(at.slot()).and_then(first_of);
            let Some(next) = next.filter(|&next| context.entities.contains(next)) else { break };
            at = next;
        }
    }
    Ok(())
}
