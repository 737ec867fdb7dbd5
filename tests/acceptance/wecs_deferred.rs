//! W: deferred changes of WECS, the flush, and failures.

use ecs::command::FailurePolicy;
use ecs::error::{PresentError, Unsettled};
use ecs::prelude::*;

#[derive(Component, Clone, PartialEq, Debug)]
struct Gun(Option<Entity>);
#[derive(Component, Clone, PartialEq, Debug)]
struct Health(i32);
#[derive(Component, Clone, PartialEq, Debug)]
struct Bomb {
    number: u32,
    triggers: Option<u32>,
}
#[derive(Event, Clone)]
struct Bang(u32);
#[derive(Resource, Default, Debug)]
struct Seen(Vec<String>);
#[derive(Resource, Default)]
struct Order(Option<fn(Entity, &mut Commands<'_, Story>)>, Option<Entity>);

world! {
    struct Story {
        components { Gun, Health, Bomb }
        resources { Seen, Order }
        events { Bang(external) }
    }
    schedule step { act::<0>, look::<0>; look::<1> }
    schedule flushes { act::<0>; look::<0>; act::<1>; look::<1> }
    schedule duels { duel; survey }
    schedule wounds { disarm, wound; survey }
    schedule cascade -> Result { light; react { explode } max 20; survey }
    schedule fails -> Result { act::<0>; look::<0>, refuse, never }
}

/// The commands of a test. The const parameter gives two systems, since a system occurs once in a
/// schedule.
#[system(Story)]
fn act<const TIME: usize>(order: Res<Order>, mut commands: Commands<Story>) {
    if let (Some(order), Some(entity)) = (order.0, order.1) {
        order(entity, &mut commands);
    }
}

#[system(Story)]
fn look<const TIME: usize>(all: Query<(Entity, Option<&Health>)>, order: Res<Order>, mut seen: ResMut<Seen>) {
    let found = order.1.and_then(|entity| all.get(entity));
    seen.0.push(match found {
        Some((_, health)) => format!("{:?}", health.map(|health| health.0)),
        None => "gone".into(),
    });
}

/// Removes the gun of each target by a command.
#[system(Story)]
fn duel(shooters: Query<&Gun>, mut commands: Commands<Story>) {
    for target in shooters.iter().filter_map(|gun| gun.0) {
        commands.remove::<Gun>(target);
    }
}

/// Removes all guns by commands.
#[system(Story)]
fn disarm(armed: Query<Entity, With<Gun>>, mut commands: Commands<Story>) {
    armed.iter().for_each(|entity| commands.remove::<Gun>(entity));
}

/// Each one with a gun and health, which it tells, wounds its target at once.
#[system(Story)]
fn wound(guns: Query<(Entity, &Gun)>, mut healths: Query<&mut Health>, mut seen: ResMut<Seen>) {
    for (shooter, gun) in &guns {
        seen.0.push(format!("{:?}", healths.get(shooter).map(|health| health.0)));
        if let Some(health) = gun.0.and_then(|target| healths.get_mut(target)) {
            health.0 -= 1;
        }
    }
}

#[system(Story)]
fn survey(guns: Query<&Gun>, bombs: Query<&Bomb>, mut seen: ResMut<Seen>) {
    seen.0.push(format!("{} guns, {} bombs", guns.len(), bombs.len()));
}

#[system(Story)]
fn light(mut commands: Commands<Story>) {
    commands.run(|story| story.send(Bang(0)));
}

/// A bomb that explodes is despawned, and may make another one explode.
#[system(Story)]
fn explode(mut bangs: EventReader<Bang>, bombs: Query<(Entity, &Bomb)>, mut commands: Commands<Story>) {
    for Bang(number) in &mut bangs {
        for (entity, bomb) in bombs.iter().filter(|(_, bomb)| bomb.number == *number) {
            if bomb.triggers != Some(*number) {
                commands.despawn(entity);
            }
            if let Some(next) = bomb.triggers {
                commands.run(move |story| story.send(Bang(next)));
            }
        }
    }
}

#[system(Story)]
fn refuse() -> Result<(), String> {
    Err("no".into())
}

#[system(Story)]
fn never(mut seen: ResMut<Seen>) {
    seen.0.push("never".into());
}

fn story(order: fn(Entity, &mut Commands<'_, Story>)) -> (Story, Entity) {
    let mut story = Story::default();
    story.on_failed_command(FailurePolicy::Ignore);
    let entity = story.spawn(Health(1));
    *story.resource_mut::<Order>() = Order(Some(order), Some(entity));
    (story, entity)
}

fn seen(story: &mut Story) -> Vec<String> {
    std::mem::take(&mut story.resource_mut::<Seen>().0)
}

#[test]
fn w05_adding_is_deferred_and_a_present_or_staged_component_is_an_error() {
    let (mut story, entity) = story(|entity, commands| {
        let present = |component| PresentError::Present { entity, component, world: "Story" };
        assert_eq!(commands.insert_if_new(entity, Health(5)), Err(present("Health")));
        assert_eq!(commands.insert_if_new(entity, Gun(None)), Ok(()));
        assert_eq!(commands.insert_if_new(entity, Gun(None)), Err(present("Gun")));
        assert!(commands.has::<Gun>(entity));
        assert_eq!(commands.get::<Gun>(entity), Some(&Gun(None)));
    });
    story.step();
    assert_eq!(story.get::<Gun>(entity), Some(&Gun(None)));
}

#[test]
fn w07_removed_components_are_readable_until_the_flush() {
    let (mut story, _) = story(|entity, commands| {
        commands.remove::<Health>(entity);
        assert!(!commands.has::<Health>(entity));
    });
    story.step();
    assert_eq!(seen(&mut story), ["Some(1)", "None"]);
}

#[test]
fn w09_the_destroyed_is_gone_at_once_for_the_same_buffer_and_for_others_at_the_flush() {
    let (mut story, _) = story(|entity, commands| {
        commands.despawn(entity);
        assert!(!commands.contains(entity) && !commands.has::<Health>(entity));
        assert_eq!(commands.get::<Health>(entity), None);
    });
    story.step();
    assert_eq!(seen(&mut story), ["Some(1)", "gone"]);
}

#[test]
fn w10_adding_to_the_destroyed_by_commands_makes_no_zombie() {
    let (mut story, entity) = story(|entity, commands| {
        commands.despawn(entity);
        commands.insert(entity, Gun(None));
        assert!(matches!(commands.insert_if_new(entity, Gun(None)), Err(PresentError::NoSuchEntity(_))));
    });
    story.step();
    assert!(!story.contains(entity));
    assert_eq!((story.query::<&Gun>().iter().count(), story.stats().failed_commands), (0, 1));
}

#[test]
fn w11_a_semicolon_is_a_flush_and_one_ends_every_schedule() {
    let (mut story, entity) = story(|entity, commands| {
        commands.run(move |story| story.get_mut::<Health>(entity).unwrap().0 += 1);
    });
    story.flushes();
    assert_eq!(seen(&mut story), ["Some(2)", "Some(3)"]);
    story.resource_mut::<Order>().0 = Some(|entity, commands| commands.despawn(entity));
    story.step();
    assert!(!story.contains(entity));
}

#[test]
fn w12_changes_cascade_until_nothing_is_new() {
    let mut story = Story::default();
    story.spawn_batch((0..10).map(|number| Bomb { number, triggers: Some(number + 1) }));
    story.spawn_batch((20..25).map(|number| Bomb { number, triggers: None }));
    story.cascade().unwrap();
    assert_eq!(seen(&mut story), ["0 guns, 5 bombs"]);
}

#[test]
fn w13_a_cascade_without_an_end_is_an_error_that_names_the_systems() {
    let mut story = Story::default();
    story.spawn(Bomb { number: 0, triggers: Some(0) });
    let error = story.cascade().unwrap_err();
    assert_eq!((error.system, error.schedule), ("explode", "cascade"));
    assert_eq!(error.source.downcast_ref(), Some(&Unsettled { systems: vec!["explode"], most: 20 }));
    assert!(seen(&mut story).is_empty(), "nothing after it runs");
}

#[test]
fn w14_two_entities_shoot_each_others_guns_away_in_one_step() {
    let mut story = Story::default();
    let (left, right) = (story.spawn(Gun(None)), story.spawn(Gun(None)));
    story.get_mut::<Gun>(left).unwrap().0 = Some(right);
    story.get_mut::<Gun>(right).unwrap().0 = Some(left);
    story.duels();
    assert_eq!(seen(&mut story), ["0 guns, 0 bombs"]);
}

/// Presence is that of the start of the stage, and values are those of now.
#[test]
fn w14_a_system_sees_presence_as_it_was_and_values_as_they_are() {
    let mut story = Story::default();
    let (left, right) = (story.spawn((Gun(None), Health(5))), story.spawn((Gun(None), Health(5))));
    story.get_mut::<Gun>(left).unwrap().0 = Some(right);
    story.get_mut::<Gun>(right).unwrap().0 = Some(left);
    story.wounds();
    // `disarm` has taken both guns away before, and the first shot has wounded the second shooter
    assert_eq!(seen(&mut story), ["Some(5)", "Some(4)", "0 guns, 0 bombs"]);
    assert_eq!([left, right].map(|entity| story.get::<Health>(entity).unwrap().0), [4, 4]);
}

#[test]
fn w28_a_failing_system_stops_the_update_and_is_named() {
    let (mut story, _) = story(|_, _| {});
    let error = story.fails().unwrap_err();
    assert_eq!(error.to_string(), "system `refuse` of schedule `fails` of world `Story` failed: no");
    assert_eq!(seen(&mut story), ["Some(1)"]);
}

#[test]
fn w46_the_time_of_each_system_is_known_on_demand() {
    let (mut story, _) = story(|_, _| {});
    story.time_systems(true);
    story.step();
    let timings = story.timings();
    let systems: Vec<&str> = timings.iter().map(|timing| timing.system).collect();
    assert_eq!(systems, ["act::<0>", "look::<0>", "look::<1>"]);
    assert!(timings.iter().all(|timing| timing.runs == 1 && timing.longest == timing.total));
}
