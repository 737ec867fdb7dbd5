//! Wrong manual impls of hidden and public safe traits.

use ecs::prelude::*;
use ecs::world::SnapshotWorld;
use ecs::{HasMut, HasRemoved, HasStamps, HasTracked, HasUnique, Mut, Removed};

use super::ground::{Ledger, Token};

#[derive(Component, Clone)]
struct Plain(Token);
#[derive(Component, Clone)]
#[component(tracked)]
struct Seen(Token);
#[derive(Component, Clone)]
struct Mark;
#[derive(Component, Clone, PartialEq, Eq, Hash)]
#[component(key)]
struct Key(u32);
#[derive(Relation, Clone)]
#[relation(exclusive)]
struct Follows(Entity);

world! {
    struct Hall {
        components { Plain, Seen, Mark, Key, Follows }
    }
    schedule tick { read }
}

// values that change without updates of stamps, indexes and relations
impl HasMut<Seen> for Hall {}
impl HasMut<Mark> for Hall {}
impl HasMut<Key> for Hall {}
impl HasMut<Follows> for Hall {}
// stamps and removed values that the column does not keep
impl HasStamps<Plain> for Hall {}
impl HasTracked<Plain> for Hall {}
impl HasRemoved<Plain> for Hall {
    const MOST: usize = 3;
    const COPY: fn(&Plain) -> Plain = Plain::clone;
}
impl HasUnique<Plain> for Hall {}

/// A snapshot of another world.
impl Clone for Hall {
    fn clone(&self) -> Self {
        let mut other = Self::new();
        other.__entities = self.__entities.clone();
        other
    }
}
impl SnapshotWorld for Hall {
    fn __freeze(&mut self) -> Self {
        std::mem::take(self)
    }
}

#[system(Hall)]
fn read(mut removed: Removed<Plain>, seen: Query<(Entity, Ref<Plain>)>) {
    let _ = removed.iter().map(|(_, plain)| plain.0.number()).sum::<u64>();
    let _ = seen.iter().filter(|(_, plain)| plain.is_changed() && plain.0.number() > 0).count();
}

#[test]
fn worlds_that_claim_more_than_they_have_are_stale_and_nothing_worse() {
    let ledger = Ledger::new();
    let mut hall = Hall::new();
    let ids: Vec<Entity> =
        (0..300).map(|n| hall.spawn((Plain(ledger.token()), Seen(ledger.token()), Mark, Key(n)))).collect();
    for pair in ids.windows(2) {
        hall.insert(pair[0], Follows(pair[1])).unwrap();
    }
    hall.tick();
    // in-place changes of a tracked component, a tag, a key and a relation
    hall.query_mut::<(&mut Seen, &mut Mark)>().for_each(|(seen, _)| seen.0 = ledger.token());
    hall.query_mut::<&mut Key>().for_each(|key| key.0 = 7);
    hall.query_mut::<&mut Follows>().for_each(|follows| follows.0 = ids[0]);
    assert!(hall.find::<Key>(&Key(7)).len() <= ids.len() && hall.find_one::<Key>(&Key(8)).is_none());
    assert!(hall.sources::<Follows>(ids[5]).len() <= ids.len());
    // without stamps
    let lent = hall.query_mut::<Mut<Plain>>().iter_mut().map(|mut plain| plain.set_changed()).count();
    assert!(lent <= ids.len() && hall.unique::<Plain>().is_none());
    for &id in ids.iter().step_by(3) {
        hall.despawn(id).unwrap();
    }
    hall.tick();
    hall.query_mut::<(&mut Plain, Option<&mut Follows>)>()
        .par_for_each(|(plain, _)| plain.0 = plain.0.clone());
    let snapshot = hall.snapshot();
    assert_eq!(hall.query::<&Plain>().len(), 0);
    hall.restore(&snapshot);
    hall.tick();
    hall.clear();
    drop((hall, snapshot));
    ledger.assert_settled();
}
