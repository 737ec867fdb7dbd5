//! Moving entities to the slots of those with the same components:
//! [`WorldMemory::regroup`](crate::world::WorldMemory::regroup).

use alloc::vec::Vec;

use super::World;
use crate::component::Has;
use crate::entity::Entity;
use crate::entity::journal::RecordedAction;
use crate::entity::regrouped::Regrouped;
use crate::raw_world::discard::despite_panics;
use crate::raw_world::fields::table;
use crate::raw_world::{ComponentVisitor, WorldFields, journal};
use crate::schedule::states;
use crate::storage::kind::ColumnKind;
use crate::storage::rule_state::ChangeContext;

/// See [`WorldMemory::regroup`](crate::world::WorldMemory::regroup).
pub(crate) fn regroup<W: World>(world: &mut W) -> Regrouped {
    let bits = |column, word| table(world, column).map_or(0, |table| table.word(word));
    let plan = world.__living().plan_regroup(bits);
    // before the journal has a record: it may panic
    world.entities_mut().grow_for(&plan);
    if const { W::JOURNAL > 0 } {
        let leaving: Vec<Entity> = plan.left_slots().map(|slot| world.__living().at(slot as usize)).collect();
        leaving.into_iter().for_each(|entity| journal::record_despawn(world, entity));
    }
    let moved = world.entities_mut().regroup(&plan);
    if moved.is_empty() {
        return moved;
    }
    let mut values = RegroupValues { world, moved: &moved, rules: Vec::new() };
    W::__visit_components(&mut values);
    let rules = values.rules;
    states::of_mut(world).regrouped(&moved);
    if const { W::JOURNAL > 0 } {
        moved.iter().for_each(|(_, entity)| record_spawn(world, entity));
    }
    // last, since rules call code of users, which may panic
    let mut rules = rules.into_iter();
    despite_panics(&mut || rules.next().map(|rule| rule(world, &moved)).is_some());
    moved
}

/// Records that an entity with all its components was spawned.
fn record_spawn<W: World>(world: &W, entity: Entity) {
    journal::record(world, RecordedAction::Spawned, entity);
    let has = |&index: &usize| table(world, index).is_some_and(|table| table.contains(entity.slot()));
    for component in world.__living().columns_of(entity.slot()).filter(has) {
        journal::record(world, RecordedAction::Inserted(component), entity);
    }
}

/// Moves the values of all columns, and collects the functions that tell the rules of components.
struct RegroupValues<'w, W> {
    world: &'w mut W,
    moved: &'w Regrouped,
    rules: Vec<fn(&mut W, &Regrouped)>,
}

impl<W: World> ComponentVisitor<W> for RegroupValues<'_, W> {
    fn visit<T: 'static>(&mut self)
    where
        W: Has<T>,
    {
        self.world.column_mut::<T>().regroup::<W::Kind>(self.moved);
        if <W::Kind as ColumnKind>::GUARDED {
            self.rules.push(tell_rule::<W, T>);
        }
    }
}

fn tell_rule<W: Has<T>, T: 'static>(world: &mut W, moved: &Regrouped) {
    let (column, entities) = world.column_and_entities::<T>();
    column.regroup_rule(ChangeContext::of_many(entities, W::INDEX), moved);
}
