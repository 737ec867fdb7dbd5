//! Entities that move to another world of the same type.

use ecs::component::ComponentHook;
use ecs::error::{InsertError, Reason};
use ecs::prelude::*;
use ecs::system::HookState;

#[derive(Component, Clone, PartialEq, Debug)]
struct Health(i32);
#[derive(Component, Clone, PartialEq, Debug)]
struct Scar(String);
#[derive(Component, Clone, PartialEq, Eq, Hash, Debug)]
#[component(key)]
struct Badge(u32);
#[derive(Component, Clone, PartialEq, Debug)]
#[component(unique)]
struct Camera;
#[derive(Relation, Clone, PartialEq, Debug)]
#[relation(many, gone = keep)]
struct Fears(Entity);
#[derive(Relation, Clone, PartialEq, Debug)]
#[relation(exclusive, symmetric)]
struct Married(Entity);
#[derive(Component, Clone, PartialEq, Debug)]
#[component(hook = Load)]
struct Weight(u32);
#[derive(Clone, Default, PartialEq, Debug)]
struct Load(u32);
#[derive(Component)]
struct Bomb(i32);

impl ComponentHook<Weight> for Load {
    fn validate(&self, old: Option<&Weight>, new: &Weight) -> Result<(), &'static str> {
        let sum = self.0 - old.map_or(0, |old| old.0) + new.0;
        if sum > 100 { Err("a room carries 100") } else { Ok(()) }
    }
    fn inserted(&mut self, _: Entity, old: Option<&Weight>, new: &Weight) {
        self.0 = self.0 + new.0 - old.map_or(0, |old| old.0);
    }
    fn removed(&mut self, _: Entity, old: &Weight) {
        self.0 -= old.0;
    }
}

impl Clone for Bomb {
    fn clone(&self) -> Self {
        Self(self.0)
    }
}

impl Drop for Bomb {
    fn drop(&mut self) {
        assert!(self.0 != 13 || std::thread::panicking(), "the bomb explodes");
    }
}

world! {
    #[derive(Clone)]
    struct Room {
        components { Health, Scar, Badge, Camera, Bomb, Weight, ChildOf, Married, fears: Many<Fears> }
    }
}

#[test]
fn entities_move_with_all_components_and_the_relations_between_them() {
    let (mut cave, mut tower) = (Room::new(), Room::new());
    tower.spawn_batch((0..100).map(Health));
    let bear = cave.spawn(());
    let knight = cave.spawn((Health(3), Badge(1), Camera, Scar("left".into())));
    let horse = cave.spawn((Health(9), ChildOf(knight), Many::from([Fears(knight), Fears(bear)])));
    let hoof = cave.spawn((Health(1), ChildOf(horse)));
    let hay = cave.spawn(Many::one(Fears(horse)));
    let ids = cave.move_entities(&[horse, knight], &mut tower).unwrap();
    let (new_horse, new_knight) = (ids[0], ids[1]);
    assert_eq!(tower.get(new_knight), Some(&Scar("left".into())));
    assert_eq!(tower.find_one::<Badge>(&Badge(1)), Some(new_knight));
    assert_eq!(tower.unique::<Camera>().map(|(entity, _)| entity), Some(new_knight));
    assert_eq!(tower.target::<ChildOf>(new_horse), Some(new_knight));
    assert_eq!(tower.relations::<Fears>(new_horse), [Fears(new_knight)], "not the bear, which stays");
    assert!(!cave.contains(knight) && !cave.contains(horse) && cave.contains(bear));
    assert!(!cave.contains(hoof), "the child of an entity that has left");
    assert_eq!(cave.relations::<Fears>(hay), [Fears(horse)], "`gone = keep`");
    assert_eq!((cave.entities().len(), tower.entities().len()), (2, 102));
    cave.spawn((Camera, Badge(1)));
}

#[test]
fn a_key_or_a_unique_component_of_the_other_world_is_an_error_that_changes_nothing() {
    let (mut cave, mut tower) = (Room::new(), Room::new());
    let guard = tower.spawn((Badge(7), Camera));
    let (a, b) = (cave.spawn((Health(1), Badge(1))), cave.spawn((Health(2), Badge(7))));
    let eye = cave.spawn(Camera);
    let error = cave.move_entities(&[a, b], &mut tower).unwrap_err();
    assert!(
        matches!(error, InsertError::Refused(refused) if refused.reason == Reason::Duplicate(guard)),
        "{error}"
    );
    let error = cave.move_entities(&[eye], &mut tower).unwrap_err();
    assert!(
        matches!(error, InsertError::Refused(refused) if refused.reason == Reason::HeldBy(guard)),
        "{error}"
    );
    assert_eq!((cave.entities().len(), tower.entities().len()), (3, 1));
    assert_eq!(cave.find_one::<Badge>(&Badge(7)), Some(b));
    cave.despawn(a).unwrap();
    let error = cave.move_entities(&[b, a], &mut tower).unwrap_err();
    assert!(matches!(error, InsertError::NoSuchEntity(error) if error.entity == a));
    assert!(cave.contains(b));
}

#[test]
fn an_entity_that_is_listed_twice_moves_once() {
    let (mut cave, mut tower) = (Room::new(), Room::new());
    let (a, b) = (cave.spawn((Badge(1), Health(1))), cave.spawn(()));
    cave.insert(a, Married(b)).unwrap();
    let ids = cave.move_entities(&[a, b, a], &mut tower).unwrap();
    assert_eq!((ids[0], tower.entities().len()), (ids[2], 2));
    assert_eq!(
        (tower.target::<Married>(ids[0]), tower.target::<Married>(ids[1])),
        (Some(ids[1]), Some(ids[0]))
    );
    assert_eq!(cave.move_entities(&[], &mut tower), Ok(vec![]));
}

#[test]
fn a_panic_in_the_drop_of_an_entity_that_is_despawned_comes_after_all_moves() {
    let (mut cave, mut tower) = (Room::new(), Room::new());
    let (a, b) = (cave.spawn(Health(1)), cave.spawn(Health(2)));
    cave.spawn((ChildOf(a), Bomb(13)));
    let result =
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| cave.move_entities(&[a, b], &mut tower)));
    assert!(result.is_err());
    assert_eq!((cave.entities().len(), tower.query::<&Health>().iter().count()), (0, 2));
}

#[test]
fn moves_back_and_forth_keep_the_values() {
    let (mut cave, mut tower) = (Room::new(), Room::new());
    let mut ids: Vec<Entity> = cave.spawn_batch((0..500).map(|n| (Health(n), Badge(n as u32)))).collect();
    for _ in 0..4 {
        ids = cave.move_entities(&ids, &mut tower).unwrap();
        std::mem::swap(&mut cave, &mut tower);
    }
    assert_eq!((cave.entities().len(), tower.entities().len()), (500, 0));
    assert!(ids.iter().enumerate().all(|(n, &id)| cave.get(id) == Some(&Health(n as i32))));
    assert!((0..500).all(|n| cave.find_one::<Badge>(&Badge(n)) == Some(ids[n as usize])));
}

#[test]
fn hooks_follow_the_values_and_the_other_world_validates_them() {
    let (mut cave, mut tower) = (Room::new(), Room::new());
    let (a, b, c) = (cave.spawn(Weight(60)), cave.spawn(Weight(30)), cave.spawn(()));
    cave.swap::<Weight>(a, b).unwrap();
    cave.swap::<Weight>(b, c).unwrap();
    assert_eq!(
        (cave.get(a), cave.get(c), cave.has::<Weight>(b)),
        (Some(&Weight(30)), Some(&Weight(60)), false)
    );
    cave.move_components::<Weight>(c, b).unwrap();
    assert_eq!(HookState::<Weight>::of(&cave).0, 90, "a value that moves is not counted twice");
    tower.spawn(Weight(50));
    let error = cave.move_entities(&[a, b], &mut tower).unwrap_err();
    assert!(
        matches!(error, InsertError::Refused(refused) if refused.reason == Reason::Invalid("a room carries 100"))
    );
    cave.move_entities(&[a], &mut tower).unwrap();
    assert_eq!((HookState::<Weight>::of(&cave).0, HookState::<Weight>::of(&tower).0), (60, 80));
    cave.move_all_components(b, c).unwrap();
    cave.move_all_components(c, b).unwrap();
    assert_eq!(HookState::<Weight>::of(&cave).0, 60);
}
