//! E: the ECS of the engo game engine.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs::error::{InsertError, Reason, Refused};
use ecs::prelude::*;
use ecs::schedule::Parallelism;

#[derive(Component, PartialEq, Debug)]
struct Space(f32);
#[derive(Component, PartialEq, Debug)]
struct Speed(f32);
#[derive(Component)]
struct Drawable;
#[derive(Component)]
struct Animated;
#[derive(Component)]
struct Hidden;
#[derive(Resource)]
struct Delta(f32);
#[derive(Resource, Default, Debug)]
struct Drawn {
    frames: Vec<&'static str>,
    entities: Vec<Entity>,
}

world! {
    struct Engine {
        components { Space, Speed, Drawable, Animated, Hidden }
        resources { Delta = Delta(0.0), Drawn }
    }
    schedule update { physics; render; done }
    schedule breed { breed_speed, breed_drawable }
}

#[system(Engine, par)]
fn breed_speed(space: &Space, mut commands: ParCommands<Engine>) {
    commands.spawn(Speed(space.0));
}
#[system(Engine, par)]
fn breed_drawable(_: &Space, mut commands: ParCommands<Engine>) {
    commands.spawn(Drawable);
}

#[system(Engine)]
fn physics(space: &mut Space, speed: &Speed, delta: Res<Delta>) {
    space.0 += speed.0 * delta.0;
}

/// Requires one of two components and excludes a third.
#[system(Engine)]
fn render(
    shown: Query<Entity, (Or<(With<Drawable>, With<Animated>)>, Without<Hidden>)>,
    mut drawn: ResMut<Drawn>,
) {
    drawn.entities = shown.iter().collect();
    drawn.frames.push("render");
}

#[system(Engine)]
fn done(mut drawn: ResMut<Drawn>) {
    drawn.frames.push("done");
}

#[test]
fn e01_ids_are_unique() {
    let mut engine = Engine::default();
    let mut ids = BTreeSet::new();
    for _ in 0..1000 {
        let entity = engine.spawn(());
        assert!(ids.insert(entity));
        if entity.slot() % 2 == 0 {
            engine.despawn(entity).unwrap();
        }
    }
    assert_eq!(ids.len(), 1000);
}

#[test]
fn e02_a_batch_is_contiguous_and_unique() {
    let batches = || {
        let mut engine = Engine::default();
        let first = engine.spawn(Space(0.0));
        let mut batch = || engine.spawn_batch((0..500).map(|n| Speed(n as f32))).collect::<Vec<Entity>>();
        (first, [batch(), batch()])
    };
    let (first, ids) = batches();
    for batch in &ids {
        assert!(batch.windows(2).all(|pair| pair[1].slot() == pair[0].slot() + 1));
    }
    let all: BTreeSet<Entity> = ids.iter().flatten().copied().chain([first]).collect();
    assert_eq!(all.len(), 1001, "no id occurs twice");
    assert_eq!(batches(), (first, ids), "the same calls give the same ids");
}

/// Systems on several threads spawn entities: no id occurs twice, and the ids do not depend on the
/// number of threads.
#[test]
fn e02_ids_from_many_threads_are_unique() {
    let ids = |parallelism| {
        let mut engine = Engine::default();
        engine.set_parallelism(parallelism);
        engine.spawn_batch((0..3000).map(|n| Space(n as f32))).for_each(drop);
        engine.breed();
        engine.query::<Entity>().iter().collect::<Vec<Entity>>()
    };
    let all = ids(Parallelism::Always);
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 9000);
    assert_eq!(ids(Parallelism::Never), all);
}

#[test]
fn e03_ids_can_be_sorted() {
    let mut engine = Engine::default();
    let ids: Vec<Entity> = (0..200).map(|n| engine.spawn(Speed(n as f32))).collect();
    let mut shuffled: Vec<Entity> = (0..200).map(|n| ids[n * 77 % 200]).collect();
    shuffled.sort();
    assert_eq!(shuffled, ids);
}

#[test]
fn e05_children_are_appended_and_removed_and_listed_children_first() {
    world! { struct Tree { components { ChildOf } } }

    let mut tree = Tree::new();
    let root = tree.spawn(());
    let [arm, leg] = [tree.spawn(()), tree.spawn(())];
    tree.insert(arm, ChildOf(root)).unwrap();
    tree.insert(leg, ChildOf(root)).unwrap();
    let hand = tree.spawn(ChildOf(arm));
    let fingers: Vec<Entity> = tree.spawn_batch([ChildOf(hand); 5]).collect();
    assert_eq!(tree.sources::<ChildOf>(root), [arm, leg]);
    let listed: Vec<Entity> = tree.related::<ChildOf>().descendants_bottom_up(root).collect();
    assert_eq!(listed, [fingers.as_slice(), &[hand, arm, leg]].concat());

    // without a check in engo
    let error = tree.insert(root, ChildOf(hand)).unwrap_err();
    assert!(matches!(error, InsertError::Refused(Refused { reason: Reason::Cycle(_), .. })), "{error}");
    tree.insert(arm, ChildOf(root)).unwrap();
    assert_eq!(tree.sources::<ChildOf>(root), [arm, leg], "it is there once");
    tree.insert(hand, ChildOf(leg)).unwrap();
    assert!(tree.sources::<ChildOf>(arm).is_empty(), "another parent moves it");

    assert_eq!(tree.remove::<ChildOf>(leg), Ok(Some(ChildOf(root))));
    assert_eq!((tree.sources::<ChildOf>(root), tree.target::<ChildOf>(leg)), ([arm].as_slice(), None));
}

/// `Update(dt)`: the time that has passed is a resource.
#[test]
fn e06_update_runs_every_system_once_in_order_with_the_time_that_has_passed() {
    let mut engine = Engine::default();
    let body = engine.spawn((Space(1.0), Speed(8.0)));
    let mut places = Vec::new();
    for delta in [0.5, 0.25] {
        engine.resource_mut::<Delta>().0 = delta;
        engine.update();
        places.push(engine.get::<Space>(body).unwrap().0);
    }
    assert_eq!(engine.resource::<Drawn>().frames, ["render", "done", "render", "done"]);
    assert_eq!(places, [5.0, 7.0], "`physics` has run once in each update");
}

/// Higher first: the negative priority is the key, and the default key is zero.
#[test]
fn e08_systems_run_by_priority_which_is_zero_by_default_and_then_in_the_order_of_adding() {
    let mut engine = Engine::default();
    let mut systems = Schedule::<Engine>::new("systems");
    let default = i64::default();
    for (name, priority) in
        [("plain", default), ("low", -5), ("plain too", default), ("high", 100), ("one", 1)]
    {
        let draw = move |mut drawn: ResMut<Drawn>| drawn.frames.push(name);
        systems.add_fn(&mut engine, name, -priority, draw).unwrap();
    }
    systems.run(&mut engine).unwrap();
    assert_eq!(engine.resource::<Drawn>().frames, ["high", "one", "plain", "plain too", "low"]);
    // the order is that of the keys and of the adding, not of the last run
    assert_eq!(
        systems.iter().collect::<Vec<_>>(),
        [("high", -100), ("one", -1), ("plain", 0), ("plain too", 0), ("low", 5)]
    );
}

#[test]
fn e09_a_changed_priority_takes_effect_when_sorted_or_with_the_next_system() {
    let mut engine = Engine::default();
    let mut systems = Schedule::<Engine>::new("systems");
    systems.add::<render>(&mut engine, -1).unwrap();
    systems.add::<done>(&mut engine, 0).unwrap();
    let mut frames = |systems: &mut Schedule<Engine>| {
        systems.run(&mut engine).unwrap();
        std::mem::take(&mut engine.resource_mut::<Drawn>().frames)
    };
    systems.set_key::<done>(-2);
    assert_eq!(frames(&mut systems), ["render", "done"]);
    systems.sort();
    assert_eq!(frames(&mut systems), ["done", "render"]);
    systems.set_key::<done>(2);
    assert_eq!(frames(&mut systems), ["done", "render"]);
    systems.add::<physics>(&mut engine, 5).unwrap();
    assert_eq!(systems.iter().map(|(name, _)| name).collect::<Vec<_>>(), ["render", "done", "physics"]);
}

#[test]
fn e07_a_system_prepares_the_world_when_it_is_added_and_before_it_is_listed() {
    #[derive(Resource, Default)]
    struct Found(usize);

    world! {
        struct Stage {
            components { Drawable }
            resources { found: Found = Found(0) }
        }
        schedule update { look }
    }

    fn new(stage: &mut Stage) {
        stage.spawn(Drawable);
    }

    #[system(Stage, init = new)]
    fn look(shown: Query<&Drawable>, mut found: ResMut<Found>) {
        found.0 = shown.len();
    }

    let mut stage = Stage::new();
    assert_eq!(stage.query::<&Drawable>().len(), 1, "before the first run");
    stage.update();
    stage.update();
    assert_eq!(stage.resource::<Found>().0, 1, "and once");

    let mut later = Schedule::<Stage>::new("later");
    later.add::<look>(&mut stage, 0).unwrap();
    assert_eq!(stage.query::<&Drawable>().len(), 2, "also when it is added at run time, before it runs");
    later.run(&mut stage).unwrap();
    assert_eq!(stage.resource::<Found>().0, 2);

    // the schedule does not have a system whose preparation fails
    #[system(Stage, init = fail)]
    fn never() {}
    fn fail(_: &mut Stage) {
        panic!("no stage");
    }
    let added = catch_unwind(AssertUnwindSafe(|| later.add::<never>(&mut stage, 1)));
    assert_eq!(added.unwrap_err().downcast_ref(), Some(&"no stage"));
    assert_eq!(later.iter().collect::<Vec<_>>(), [("look", 0)]);
}

#[test]
fn e11_systems_match_entities_by_their_components() {
    let mut engine = Engine::default();
    engine.resource_mut::<Delta>().0 = 0.5;
    let moving = engine.spawn((Space(1.0), Speed(4.0)));
    let resting = engine.spawn(Space(1.0));
    engine.update();
    assert_eq!((engine.get(moving), engine.get(resting)), (Some(&Space(3.0)), Some(&Space(1.0))));
    engine.insert(resting, Speed(2.0)).unwrap();
    engine.update();
    assert_eq!(engine.get(resting), Some(&Space(2.0)), "membership is not fixed when the entity is made");
}

#[test]
fn e12_a_list_means_any_of() {
    let mut engine = Engine::default();
    let drawable = engine.spawn(Drawable);
    let animated = engine.spawn(Animated);
    let both = engine.spawn((Animated, Drawable));
    engine.spawn(Space(0.0));
    engine.update();
    let mut expected = vec![drawable, animated, both];
    expected.sort();
    assert_eq!(engine.resource::<Drawn>().entities, expected);
}

#[test]
fn e13_exclusion_wins() {
    let mut engine = Engine::default();
    let shown = engine.spawn((Animated, Drawable));
    let hidden = engine.spawn((Animated, Drawable, Hidden));
    engine.update();
    assert_eq!(engine.resource::<Drawn>().entities, [shown]);
    engine.insert(shown, Hidden).unwrap();
    engine.remove::<Hidden>(hidden).unwrap();
    engine.update();
    assert_eq!(engine.resource::<Drawn>().entities, [hidden]);
}

#[test]
fn e14_removing_an_entity_removes_it_from_every_system() {
    let mut engine = Engine::default();
    let entity = engine.spawn((Drawable, Space(0.0), Speed(1.0)));
    engine.update();
    assert_eq!(engine.resource::<Drawn>().entities, [entity]);
    engine.despawn(entity).unwrap();
    engine.update();
    assert!(engine.resource::<Drawn>().entities.is_empty() && engine.query::<&Space>().is_empty());
}

#[test]
fn e14_a_relation_decides_the_fate_of_children() {
    #[derive(Relation)]
    #[relation(exclusive, gone = remove)]
    struct Rides(Entity);
    #[derive(Relation)]
    #[relation(exclusive, gone = keep)]
    struct Hunts(Entity);
    world! { struct Park { components { ChildOf, Rides, Hunts } } }

    let mut park = Park::new();
    let horse = park.spawn(());
    let saddle = park.spawn(ChildOf(horse));
    let buckle = park.spawn(ChildOf(saddle));
    let (rider, wolf) = (park.spawn(Rides(horse)), park.spawn(Hunts(horse)));
    park.despawn(horse).unwrap();
    assert_eq!([saddle, buckle, rider, wolf].map(|entity| park.contains(entity)), [false, false, true, true]);
    assert_eq!((park.target::<Rides>(rider), park.target::<Hunts>(wolf)), (None, Some(horse)));
}

#[test]
fn e15_time_is_a_resource() {
    let mut engine = Engine::default();
    let entity = engine.spawn((Space(0.0), Speed(1.0)));
    for delta in [0.25, 0.5, 1.0] {
        *engine.resource_mut::<Delta>() = Delta(delta);
        engine.update();
    }
    assert_eq!(engine.get(entity), Some(&Space(1.75)));
}
