//! Components that exclude each other: an entity has one of them at most.

use ecs::command::FailurePolicy;
use ecs::error::{InsertError, PresentError, Reason, Refused};
use ecs::prelude::*;

#[derive(Component, Clone, PartialEq, Debug)]
#[component(excludes(Burning, Wet))]
struct Frozen;

#[derive(Component, Clone, PartialEq, Debug)]
#[component(excludes(Frozen), tracked, removed, requires(Warm))]
struct Burning(u32);

#[derive(Component, Clone, PartialEq, Debug)]
#[component(excludes(Frozen), unique)]
struct Wet(u32);

#[derive(Component, Clone, PartialEq, Debug, Default)]
struct Warm(u32);

world! {
    #[derive(Clone)]
    struct Game { components { Frozen, Burning, Wet, Warm } }
    schedule tick { thaw; count }
}

#[system(Game)]
fn thaw(entity: Entity, _: With<Frozen>, mut commands: Commands<Game>) {
    commands.remove::<Frozen>(entity);
    commands.insert(entity, Wet(1));
}

#[system(Game)]
fn count(wet: Query<(&Wet, Option<&Frozen>)>, either: Query<Entity, Or<(With<Wet>, With<Frozen>)>>) {
    assert!(wet.iter().all(|(_, frozen)| frozen.is_none()) && either.len() >= wet.len());
}

fn refused(entity: Entity, component: &'static str, other: &'static str) -> Refused {
    Refused { entity: Some(entity), component, world: "Game", reason: Reason::Excluded(other) }
}

#[test]
fn the_second_of_two_is_refused_whichever_it_is() {
    let mut game = Game::new();
    let ice = game.spawn((Frozen, Warm(1)));
    let fire = game.spawn(Burning(1));
    let error = game.insert(ice, (Warm(2), Burning(2))).unwrap_err();
    assert_eq!(error, InsertError::Refused(refused(ice, "Burning", "Frozen")));
    let text = format!(
        "entity {ice} of world `Game` cannot have component `Burning`: the entity has `Frozen`, and the two \
         exclude each other; remove `Frozen` first"
    );
    assert_eq!(error.to_string(), text);
    assert_eq!((game.get(ice), game.has::<Burning>(ice)), (Some(&Warm(1)), false), "nothing has changed");
    assert_eq!(game.insert(fire, Frozen), Err(InsertError::Refused(refused(fire, "Frozen", "Burning"))));
    assert_eq!(game.insert_one(fire, Frozen), Err(InsertError::Refused(refused(fire, "Frozen", "Burning"))));
    assert_eq!(
        game.insert_if_new(fire, Frozen),
        Err(PresentError::Refused(refused(fire, "Frozen", "Burning")))
    );
    assert_eq!(
        game.insert(fire, (Burning(3), Wet(1))),
        Ok((Some(Burning(1)), None)),
        "these two go together"
    );
    assert_eq!(game.insert(ice, Wet(1)), Err(InsertError::Refused(refused(ice, "Wet", "Frozen"))));
    assert_eq!(game.insert(ice, Frozen), Ok(Some(Frozen)), "itself is no other");
}

#[test]
fn when_one_is_gone_the_other_may_come() {
    let mut game = Game::new();
    let entity = game.spawn(Frozen);
    game.remove::<Frozen>(entity).unwrap();
    assert_eq!(game.insert(entity, Burning(1)), Ok(None));
    game.despawn(entity).unwrap();
    let next = game.spawn(Frozen);
    assert!(game.insert(next, Burning(1)).is_err());
    let mut copy = game.clone();
    assert!(copy.insert(next, Burning(1)).is_err());
    game.tick();
    assert!(game.has::<Wet>(next) && game.insert(next, Burning(1)).is_ok());
    game.clear();
    let batch: Vec<Entity> = game.spawn_batch([(Burning(1), Warm(1)), (Burning(2), Warm(2))]).collect();
    assert!(game.insert(batch[1], Frozen).is_err());
}

#[test]
fn commands_that_add_the_second_of_two_excluding_components_fail() {
    let mut game = Game::new();
    game.on_failed_command(FailurePolicy::Call(|stray| {
        assert!(matches!(stray.refused.unwrap().reason, Reason::Excluded("Frozen" | "Burning")));
    }));
    let entity = game.spawn(Warm(0));
    game.with_commands(|mut commands| {
        commands.insert(entity, Frozen);
        commands.insert(entity, Burning(1));
        commands.remove::<Frozen>(entity);
        commands.insert(entity, Burning(2));
        let fire = commands.spawn(Burning(3));
        commands.insert_if_new(fire, Frozen).unwrap();
    });
    assert_eq!((game.stats().failed_commands, game.get(entity)), (2, Some(&Burning(2))));
}

#[test]
fn a_view_removes_one_of_them() {
    let mut game = Game::new();
    let entity = game.spawn((Burning(1), Wet(2)));
    game.get_tracked::<Burning>(entity).unwrap().0 = 5;
    assert_eq!(game.unique::<Wet>(), Some((entity, &Wet(2))));
    assert_eq!(game.columns_mut().burning.remove(entity), Some(Burning(5)));
    assert_eq!(game.columns_mut().wet.remove(entity), Some(Wet(2)));
    assert_eq!(game.insert(entity, Frozen), Ok(None));
}
