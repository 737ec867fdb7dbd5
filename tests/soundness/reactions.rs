//! Changes and removals: after any exchange of columns, stamps and logs, no value is borrowed or
//! dropped twice.

use std::mem;

use ecs::__private::{ComponentOf, Kind, Logged, NoRule, Value};
use ecs::component::ComponentSet;
use ecs::prelude::*;
use ecs_tests::fuse::{blows_up, burn};
use ecs_tests::{Ledger, Token};

/// A value whose clone and drop burn the fuse.
#[derive(Component, Debug)]
#[component(tracked, removed = 4)]
struct Loot(u32, Token);

impl Clone for Loot {
    fn clone(&self) -> Self {
        burn("clone");
        Self(self.0, self.1.clone())
    }
}

impl Drop for Loot {
    fn drop(&mut self) {
        burn("drop");
    }
}

#[derive(Resource, Default, Clone)]
struct Read(Vec<u32>);

world! {
    #[derive(Clone)]
    struct Cave { components { Loot, Claimed } resources { read: Read = Read::default() } }
    schedule tick { look; touch; watch }
}

#[system(Cave)]
fn look(mut removed: Removed<Loot>, mut read: ResMut<Read>) {
    read.0 = removed.iter().map(|(_, loot)| loot.0).collect();
}

#[system(Cave)]
fn touch(mut loot: Mut<Loot>, _: Changed<Loot>) {
    loot.0 += 1;
}

#[system(Cave)]
fn watch(came: Entered<(With<Loot>, Without<Claimed>)>, left: Exited<With<Loot>>) {
    let _ = (came.len(), left.iter().count());
}

fn cave(ledger: &Ledger, count: u32) -> (Cave, Vec<Entity>) {
    let mut cave = Cave::new();
    let ids = cave.spawn_batch((0..count).map(|value| Loot(value, ledger.token()))).collect();
    (cave, ids)
}

#[test]
fn swapped_and_emptied_columns_are_sound_by_themselves() {
    let ledger = Ledger::new();
    let (mut one, ids) = cave(&ledger, 300);
    let (mut two, _) = cave(&ledger, 7);
    one.tick();
    one.despawn(ids[200]).unwrap();
    mem::swap(&mut one.loot, &mut two.loot);
    for cave in [&mut one, &mut two] {
        cave.tick();
        for mut loot in cave.query_mut::<Mut<Loot>>() {
            loot.0 += 1;
        }
        cave.query_mut::<(Entity, Option<Mut<Loot>>)>().for_each(|(_, loot)| {
            if let Some(mut loot) = loot {
                loot.0 += u32::from(loot.is_added());
            }
        });
        cave.tick();
    }
    drop(one.remove::<Loot>(ids[2]));
    one.despawn(ids[3]).unwrap();
    one.clear();
    two.clear();
    one.tick();
    let rest = mem::take(&mut two.loot);
    two.tick();
    two.spawn(Loot(1, ledger.token()));
    two.tick();
    two.clear();
    two.tick();
    drop((one, two, rest));
    ledger.assert_settled();
}

#[test]
fn a_clone_that_panics_removes_nothing() {
    let ledger = Ledger::new();
    let (mut cave, ids) = cave(&ledger, 3);
    assert!(blows_up(1, || cave.remove::<Loot>(ids[0])));
    assert!(cave.has::<Loot>(ids[0]));
    assert!(blows_up(1, || cave.columns_mut().loot.remove(ids[1])));
    assert!(cave.has::<Loot>(ids[1]));
    cave.tick();
    assert!(cave.resource::<Read>().0.is_empty());
    cave.despawn(ids[0]).unwrap();
    assert!(blows_up(1, || cave.clone()));
    cave.tick();
    assert_eq!(cave.resource::<Read>().0.len(), 1);
    drop(cave);
    ledger.assert_settled();
}

#[test]
fn drops_that_panic_in_the_log_drop_the_rest() {
    let ledger = Ledger::new();
    let (mut cave, ids) = cave(&ledger, 20);
    for &id in &ids[..4] {
        cave.despawn(id).unwrap();
    }
    assert!(blows_up(1, || cave.despawn(ids[4])), "the oldest is one too many");
    assert!(!cave.contains(ids[4]));
    assert!(blows_up(1, || cave.clear()));
    assert_eq!(cave.entities().len(), 0);
    assert!(blows_up(1, || cave.tick()), "what has been read is freed");
    cave.tick();
    drop(cave);
    ledger.assert_settled();
}

#[test]
fn forgotten_and_exchanged_borrows_change_nothing_but_values() {
    let ledger = Ledger::new();
    let (mut cave, ids) = cave(&ledger, 3);
    let mut query = cave.query_mut::<Mut<Loot>>();
    let [mut a, mut b] = query.get_many_mut([ids[0], ids[2]]).unwrap();
    mem::swap(&mut a, &mut b);
    mem::swap(&mut *a, b.bypass_change_detection());
    a.reborrow().0 = 10;
    let _ = mem::ManuallyDrop::new(a);
    let inner: &mut Loot = b.into_inner();
    inner.0 += 1;
    assert_eq!((cave.get::<Loot>(ids[0]).unwrap().0, cave.get::<Loot>(ids[2]).unwrap().0), (3, 10));
    #[system(Cave)]
    fn forget(removed: Removed<Loot>, came: Entered<With<Loot>>, query: Query<Mut<Loot>>) {
        let _ = Box::leak(Box::new((removed.len(), came, query.len())));
    }
    cave.despawn(ids[1]).unwrap();
    cave.run::<forget>();
    cave.tick();
    assert_eq!(cave.resource::<Read>().0, [1]);
    drop(cave);
    ledger.assert_settled();
}

/// A manual impl of the derive's traits, with false claims about `tracked` and `removed`.
struct Claimed(#[allow(dead_code)] Token);

impl ecs::__private::IsComponent for Claimed {
    type Kind = Kind<Value, false>;
}
impl Component for Claimed {
    const COMPONENT_NAME: &'static str = "Claimed";
}

impl<W: World> ComponentOf<W> for Claimed {
    type Kind = Kind<Value, true, NoRule, Logged<2>>;
    const DIRECT: ComponentSet = ComponentSet::EMPTY;
    fn fill(_: &mut ecs::__private::RequiredInserter<'_, W>) {}
}

impl Clone for Claimed {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

#[test]
fn a_kind_that_is_claimed_here_and_denied_there_is_harmless() {
    #[system(Cave)]
    fn slip(ids: Query<Entity>, mut claimed: Storage<Claimed>) {
        let copy = claimed.iter().next().map(|(_, claimed)| claimed.clone()).unwrap();
        for (i, entity) in ids.iter().enumerate() {
            if i % 3 != 0 {
                drop(claimed.insert(entity, copy.clone()));
            }
        }
        let first = claimed.iter().next().map(|(entity, _)| entity);
        drop(first.and_then(|first| claimed.remove(first)));
    }
    let ledger = Ledger::new();
    let mut cave = Cave::new();
    let ids: Vec<Entity> = (0..3000).map(|_| cave.spawn(())).collect();
    cave.insert_one(ids[0], Claimed(ledger.token())).unwrap();
    cave.run::<slip>();
    let held = cave.query::<&Claimed>().len();
    assert!(held > 1000);
    assert_eq!(cave.query::<Ref<Claimed>>().iter().filter(|claimed| claimed.is_changed()).count(), 0);
    let lent = cave.query_mut::<Mut<Claimed>>().iter_mut().map(|mut claimed| claimed.set_changed()).count();
    assert!(lent < held, "where there are no stamps, no value is lent");
    let both =
        cave.query_mut::<(Entity, Option<Mut<Claimed>>)>().into_iter().filter(|it| it.1.is_some()).count();
    assert!(both <= held && cave.get_tracked::<Claimed>(ids[2999]).is_none());
    assert!(cave.get_ref::<Claimed>(ids[2999]).is_none_or(|claimed| !claimed.is_added()));
    assert!(cave.query::<Entity>().filter::<Changed<Claimed>>().len() <= held);
    cave.insert_one(ids[2999], Claimed(ledger.token())).unwrap();
    assert!(cave.get_tracked::<Claimed>(ids[2999]).is_some());
    let mut copy = cave.clone();
    copy.clear();
    copy.tick();
    cave.tick();
    drop((cave, copy));
    ledger.assert_settled();
}
