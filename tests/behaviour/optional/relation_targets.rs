//! Components that every target of a relation has: `#[relation(target(Health))]`.

use ecs::command::FailurePolicy;
use ecs::prelude::*;
use ecs::save::{Baseline, DanglingIds, Replica, Selection};
use ecs::{Many, Prefab};
use serde::{Deserialize, Serialize};

/// The same world without the rule, whose files and deltas the other one reads.
mod loose {
    use ecs::prelude::*;
    use serde::{Deserialize, Serialize};

    use super::{Health, Lost};

    #[derive(Relation, Reflect, Clone)]
    #[relation(exclusive)]
    pub struct Attacks(pub Entity);
    #[derive(Relation, Reflect, Clone)]
    #[relation(exclusive, gone = mark(Lost))]
    pub struct Watches(pub Entity);

    world! {
        #[derive(Clone, Serialize, Deserialize)]
        pub struct Game { components { Health, Lost, Attacks, Watches } }
    }
}

#[derive(Component, Clone, Reflect, Default, PartialEq, Debug)]
pub struct Health(u32);
#[derive(Component, Clone, Reflect, Default)]
pub struct Lost;
#[derive(Component, Reflect, Clone)]
#[component(requires(Health))]
struct Body;

#[derive(Relation, Reflect, Clone, PartialEq, Debug)]
#[relation(exclusive, target(Health))]
struct Attacks(Entity);
#[derive(Relation, Reflect, Clone, Debug)]
#[relation(exclusive, gone = mark(Lost), target(Health))]
struct Watches(Entity);
#[derive(Relation, Reflect, Clone, Debug)]
#[relation(many, gone = cascade, target(Health, Body))]
struct Needs(Entity);
#[derive(Relation, Reflect, Clone, Debug)]
#[relation(exclusive, to_self, target(Health))]
struct Heals(Entity);
/// A cycle of these despawns itself.
#[derive(Relation, Reflect, Clone, Debug)]
#[relation(exclusive, gone = cascade, target(Health))]
struct LeansOn(Entity);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Game { components { Health, Lost, Body, Attacks, Watches, needs: Many<Needs>, Heals, LeansOn } }
}

const LACKS: &str = "has no `Health`, which every target of the relation has";

#[test]
fn an_error_names_relation_target_and_component() {
    let mut game = Game::new();
    let [hero, rock] = [game.spawn(()), game.spawn(())];
    let errors = [
        game.insert(hero, Attacks(rock)).unwrap_err().to_string(),
        game.relate(hero, Attacks(rock)).unwrap_err().to_string(),
        game.relate_batch([(hero, Attacks(rock))]).unwrap_err().to_string(),
    ];
    let expected =
        format!("entity {hero} of world `Game` cannot have component `Attacks`: its target {rock} {LACKS}");
    assert_eq!(errors, [&*expected; 3]);
    assert!(game.try_spawn(Attacks(rock)).unwrap_err().to_string().ends_with(LACKS));
    game.insert(rock, Health(1)).unwrap();
    let error = game.relate(hero, Needs(rock)).unwrap_err().to_string();
    assert!(error.contains("has no `Body`"), "{error}");
    // the component must be there before
    assert!(game.insert(hero, (Health(3), Heals(hero))).is_err());
    game.insert(hero, Health(3)).unwrap();
    game.insert(hero, Heals(hero)).unwrap();
}

#[test]
fn a_command_for_a_target_without_the_component_fails() {
    let mut game = Game::new();
    game.on_failed_command(FailurePolicy::Ignore);
    let [hero, goblin] = [game.spawn(()), game.spawn(Health(1))];
    game.with_commands(|mut commands| {
        commands.remove::<Health>(goblin);
        commands.relate(hero, Attacks(goblin));
    });
    assert!(!game.has::<Attacks>(hero));
}

#[test]
fn what_a_method_has_taken_is_returned_though_a_policy_despawns_the_entity() {
    let mut game = Game::new();
    let goblin = game.spawn(Body);
    let limb = game.spawn((Body, Many::one(Needs(goblin))));
    game.relate(goblin, Needs(limb)).unwrap();
    assert_eq!(game.remove::<(Health, Many<Needs>)>(goblin).unwrap().0, Some(Health(0)));
    assert!(game.contains(goblin) && !game.contains(limb));
}

#[test]
fn a_kept_relation_is_one_to_the_target_still() {
    let mut game = Game::new();
    let goblin = game.spawn(Health(1));
    let owl = game.spawn(Watches(goblin));
    game.remove::<Health>(goblin).unwrap();
    assert!(game.has::<Lost>(owl));
    assert_eq!((game.target::<Watches>(owl), game.sources::<Watches>(goblin)), (Some(goblin), &[owl][..]));
    game.remove::<Lost>(owl).unwrap();
    game.insert(goblin, Health(1)).unwrap();
    game.despawn(goblin).unwrap();
    assert!(game.has::<Lost>(owl));
}

#[test]
fn all_values_of_a_prefab_count() {
    let mut game = Game::new();
    let text = r#"{ "hero": { "Attacks": "goblin" }, "goblin": { "Body": null } }"#;
    let prefab: Prefab<Game> = serde_json::from_str(text).unwrap();
    let instance = prefab.spawn(&mut game).unwrap();
    assert_eq!(game.target::<Attacks>(instance["hero"]), Some(instance["goblin"]));
    let text = r#"{ "hero": { "Attacks": "rock" }, "rock": { "Lost": null } }"#;
    let prefab: Prefab<Game> = serde_json::from_str(text).unwrap();
    let error = prefab.spawn(&mut game).unwrap_err().to_string();
    assert!(error.contains("hero") && error.contains("`rock` has no `Health`"), "{error}");
    assert_eq!(game.entities().len(), 2);
}

#[test]
fn a_file_with_another_target_is_refused() {
    let mut other = loose::Game::new();
    let rock = other.spawn(());
    let hero = other.spawn(loose::Watches(rock));
    // a relation that may be kept without the component
    let mut game = Game::load(&other.to_bytes().unwrap()).unwrap();
    assert_eq!(game.sources::<Watches>(rock), [hero]);
    other.insert(hero, loose::Attacks(rock)).unwrap();
    let bytes = other.to_bytes().unwrap();
    let error = Game::load(&bytes).unwrap_err().to_string();
    assert!(error.contains("component `Attacks`") && error.contains(LACKS), "{error}");
    let before = game.to_bytes().unwrap();
    let error = game.merge(&bytes, DanglingIds::Refuse).unwrap_err().to_string();
    assert!(error.contains("component `Attacks`") && error.contains(LACKS), "{error}");
    assert_eq!(before, game.to_bytes().unwrap());
    other.insert(rock, Health(1)).unwrap();
    Game::load(&other.to_bytes().unwrap()).unwrap();
    game.merge(&other.to_bytes().unwrap(), DanglingIds::Refuse).unwrap();
}

#[test]
fn a_delta_with_another_target_is_refused_and_a_loss_is_applied() {
    let (mut other, mut game, mut replica) = (loose::Game::new(), Game::new(), Replica::new());
    let [rock, hero] = [other.spawn(Health(1)), other.spawn(())];
    let (from, to) =
        (Selection::of::<(Health, loose::Attacks)>(), Selection::<Game>::of::<(Health, Attacks)>());
    let first = from.delta(&Baseline::nothing(), &other, 1).unwrap();
    to.apply(&mut game, &mut replica, &first).unwrap();
    let own = game.spawn(Attacks(replica.get(rock).unwrap()));

    let known = from.baseline(&mut other, 1);
    other.remove::<Health>(rock).unwrap();
    let lost = from.delta(&known, &other, 2).unwrap();
    other.insert(hero, loose::Attacks(rock)).unwrap();
    let wrong = from.delta(&known, &other, 2).unwrap();
    let error = to.apply(&mut game, &mut replica, &wrong).unwrap_err().to_string();
    assert!(error.contains("component `Attacks` of entity") && error.contains(LACKS), "{error}");
    assert!(game.has::<Attacks>(own));
    to.apply(&mut game, &mut replica, &lost).unwrap();
    assert!(!game.has::<Attacks>(own));
}

#[test]
#[should_panic = "component `Health` is one that targets of a relation have"]
fn a_view_of_one_column_does_not_remove_the_component() {
    let mut game = Game::new();
    let goblin = game.spawn(Health(1));
    game.columns_mut().health.remove(goblin);
}

#[test]
fn a_clone_without_the_component_is_no_target() {
    use ecs::world::MoveComponents;

    let mut game = Game::new();
    let hero = game.spawn(Health(3));
    game.insert(hero, Heals(hero)).unwrap();
    let twin = game.clone_entity(hero).unwrap();
    assert_eq!(game.target::<Heals>(twin), Some(twin));
    let ghost = game.clone_entity_without::<Health>(hero).unwrap();
    assert!(!game.has::<Heals>(ghost));
}

#[test]
fn an_entity_that_a_removal_despawns_is_gone_for_each_method() {
    use ecs::world::MoveComponents;

    let cycle = || {
        let mut game = Game::new();
        let [a, b] = [1, 2].map(|n| game.spawn(Health(n)));
        game.insert(a, LeansOn(b)).unwrap();
        game.insert(b, LeansOn(a)).unwrap();
        (game, a)
    };
    let (mut game, a) = cycle();
    assert_eq!(game.take_entity::<Health>(a), Ok(Some(Health(1))));
    assert!(game.entities().is_empty());
    let (mut game, a) = cycle();
    let mut entity = game.entity_mut(a).unwrap();
    assert_eq!(entity.remove::<Health>(), Some(Health(1)));
    assert_eq!((entity.remove::<Health>(), entity.get::<Health>()), (None, None));
    assert!(entity.insert_if_new(Health(2)).is_err());
    entity.despawn();
    assert!(game.entities().is_empty());
}

mod aspects {
    use ecs::Aspect;
    use ecs::prelude::*;
    use ecs::reflect::{AspectList, AspectNames, ReflectWorld};
    use serde::{Deserialize, Serialize};

    #[derive(Component, Serialize, Deserialize, Default, PartialEq, Debug)]
    struct Health(u32);
    #[derive(Component, Serialize, Deserialize, Default)]
    struct Plan(u32);
    #[derive(Component, Serialize, Deserialize, Default)]
    #[component(unique)]
    struct Crown(u32);
    #[derive(Relation, Serialize, Deserialize)]
    #[relation(exclusive, target(Health))]
    struct Attacks(Entity);

    #[derive(Aspect)]
    struct Monster {
        health: Health,
        plan: Plan,
    }
    #[derive(Aspect)]
    struct King {
        health: Health,
        crown: Crown,
    }
    #[derive(Aspect)]
    struct Ghost {
        plan: Plan,
    }

    world! {
        #[derive(Reflect)]
        struct Game { components { Health, Plan, Crown, Attacks } }
    }
    impl AspectNames for Game {
        fn aspect_names(list: AspectList<Self>) -> AspectList<Self> {
            list.aspect::<Monster>().aspect::<King>().aspect::<Ghost>()
        }
    }

    #[test]
    fn aspects_are_exchanged_before_a_relation_ends() {
        let mut game = Game::new();
        let goblin = game.spawn(Monster::fresh());
        let hero = game.spawn(Attacks(goblin));
        // both have the component
        game.reflect_mut().swap_aspect(goblin, "Monster", "King", &[("Health", 7.into())]).unwrap();
        assert_eq!((game.get(goblin), game.target::<Attacks>(hero)), (Some(&Health(7)), Some(goblin)));
        // an exchange that is refused
        let other = game.spawn(Monster::fresh());
        game.insert(hero, Attacks(other)).unwrap();
        game.reflect_mut().swap_aspect(other, "Monster", "King", &[]).unwrap_err();
        assert_eq!(game.target::<Attacks>(hero), Some(other));
        game.insert(hero, Attacks(goblin)).unwrap();
        game.reflect_mut().swap_aspect(goblin, "King", "Ghost", &[]).unwrap();
        assert_eq!(game.target::<Attacks>(hero), None);
    }
}
