//! Aspects: default values, overrides, and the methods that add or remove whole aspects.

use std::cell::Cell;

use ecs::error::{MissingError, NoSuchEntity, NoneOfError, PresentError};
use ecs::prelude::*;
use ecs::{Aspect, MetaAspect};

#[derive(Component, Default, Clone, PartialEq, Debug)]
struct Health {
    now: u32,
    max: u32,
}
#[derive(Component, Default, Clone, PartialEq, Debug)]
struct Speed(u32);
/// A component without a default.
#[derive(Component, Clone, PartialEq, Debug)]
struct Name(String);
#[derive(Component, Default, Clone, PartialEq, Debug)]
struct Place((i32, i32), [i32; 2]);
#[derive(Component, Default, Clone, PartialEq, Debug)]
struct Number(u32);
#[derive(Component, Default, PartialEq, Debug)]
struct Frozen;
#[derive(Component, Default, PartialEq, Debug)]
#[component(requires(Number))]
struct Counted;

thread_local! {
    static NEXT: Cell<u32> = const { Cell::new(0) };
}

fn next() -> u32 {
    NEXT.with(|next| next.replace(next.get() + 1))
}

#[derive(Aspect, PartialEq, Debug)]
struct Body {
    #[aspect(default = Health { now: 5, max: 5 })]
    health: Health,
    speed: Speed,
    #[aspect(.0.1 = 7, .1 = [1, 2])]
    place: Place,
}

#[derive(Aspect, PartialEq, Debug)]
struct Monster {
    #[aspect(.health.max = 9, .speed = Speed(2))]
    body: Body,
    #[aspect(default = Name("rat".into()))]
    name: Name,
}

/// Overrides a field that `Monster` overrides, and one that it does not.
#[derive(Aspect, PartialEq, Debug)]
struct Boss(
    #[aspect(.body.health.max = 90)]
    #[aspect(.body.health.now = Self::LIFE, .name.0 = "boss".into())]
    Renamed,
    #[aspect(default = Number(next()))] Number,
);

impl Boss {
    const LIFE: u32 = 80;
}

#[derive(Aspect, PartialEq, Debug)]
struct Renamed {
    #[aspect(.health.max = 11)]
    body: Body,
    #[aspect(default = Boxed(Name("nobody".into())).0)]
    name: Named,
}

struct Boxed(Name);
type Named = Name;

world! {
    struct Game { components { Health, Speed, Name, Place, Number, Frozen, Counted } }
}

#[test]
fn aspect_fields_have_the_declared_default_or_that_of_their_type() {
    let body = Body::fresh();
    assert_eq!((body.health, body.speed), (Health { now: 5, max: 5 }, Speed(0)));
    assert_eq!(body.place, Place((0, 7), [1, 2]));
    assert_eq!((Body::ASPECT_NAME, Boss::ASPECT_NAME), ("Body", "Boss"));
}

#[test]
fn the_outer_aspect_overrides_the_inner_one_field_by_field() {
    let monster = Monster::fresh();
    assert_eq!(monster.body.health, Health { now: 5, max: 9 });
    assert_eq!((monster.body.speed, monster.body.place), (Speed(2), Place((0, 7), [1, 2])));
    let boss = Boss::fresh();
    assert_eq!(boss.0.body.health, Health { now: 80, max: 90 }, "two levels deep");
    assert_eq!((boss.0.body.speed, boss.0.name), (Speed(0), Name("boss".into())));
}

#[test]
fn the_call_overrides_all() {
    let monster = Monster { name: Name("wolf".into()), ..Monster::fresh() };
    assert_eq!((monster.name, monster.body.speed), (Name("wolf".into()), Speed(2)));
    let boss = Boss::fresh_with(|it| {
        it.0.body.health.max = 1;
        it.0.body.speed = Speed(3);
    });
    assert_eq!((boss.0.body.health, boss.0.body.speed), (Health { now: 80, max: 1 }, Speed(3)));
}

#[test]
fn an_aspect_is_a_bundle() {
    let mut game = Game::new();
    let monster = game.spawn(Monster::fresh());
    assert_eq!(game.entity(monster).unwrap().components().count(), 4);
    let with_more = game.spawn((Monster::fresh(), Number(1), Frozen));
    assert_eq!(game.entity(with_more).unwrap().components().count(), 6);
    let replaced = game.insert(monster, Body::fresh()).unwrap();
    assert_eq!(replaced.0, Some(Health { now: 5, max: 9 }));
    #[system(Game)]
    fn breed(ids: Query<Entity, With<Name>>, mut commands: Commands<Game>) {
        for entity in &ids {
            commands.spawn(Body::fresh());
            let _present_already = commands.insert_if_new(entity, Number(5)).is_err();
        }
    }
    game.run::<breed>();
    assert_eq!((game.query::<&Health>().len(), game.query::<&Name>().len()), (4, 2));
}

#[test]
fn an_aspect_adds_required_components() {
    #[derive(Aspect)]
    struct Guest {
        counted: Counted,
        frozen: Frozen,
    }
    let mut game = Game::new();
    let guest = game.spawn(());
    game.add_aspect(guest, Guest::fresh()).unwrap();
    assert_eq!(game.get(guest), Some(&Number(0)));
    let Guest { counted, frozen } = game.remove_aspect(guest).unwrap();
    assert_eq!((counted, frozen), (Counted, Frozen));
    assert!(game.has::<Number>(guest), "what is required is not a part of the aspect");
}

#[test]
fn a_despawned_entity_has_no_aspect() {
    let mut game = Game::new();
    let entity = game.spawn(Monster::fresh());
    game.despawn(entity).unwrap();
    let gone = NoSuchEntity { entity, world: "Game" };
    assert_eq!(game.add_aspect(entity, Monster::fresh()), Err(PresentError::NoSuchEntity(gone)));
    assert_eq!(game.remove_aspect::<Monster>(entity), Err(MissingError::NoSuchEntity(gone)));
    assert!(!game.has_aspect::<Monster>(entity));
}

/// A generic aspect.
#[derive(Aspect, PartialEq, Debug)]
struct With2<T, U>
where
    U: Component + From<u32>,
{
    first: T,
    #[aspect(default = None.or(None).unwrap_or_else(|| U::from(4)))]
    second: U,
    speed: Speed,
}

impl From<u32> for Number {
    fn from(value: u32) -> Self {
        Self(value)
    }
}

#[test]
fn an_aspect_may_be_generic() {
    #[derive(Aspect)]
    struct Both {
        #[aspect(.first.now = 3)]
        generic: With2<Health, Number>,
        frozen: Frozen,
    }
    let both = Both::fresh();
    assert_eq!((both.generic.first.now, both.generic.second), (3, Number(4)));
    let mut game = Game::new();
    let entity = game.spawn(With2::<Health, Number>::fresh());
    assert!(game.has_aspect::<With2<Health, Number>>(entity) && game.has::<Speed>(entity));
}

/// Two components of one name, and two instances of one generic component, are different
/// components.
#[test]
fn components_of_one_name_are_not_mistaken_for_each_other() {
    mod screen {
        use super::*;
        #[derive(Component, Default, PartialEq, Debug)]
        pub struct Speed(pub u8);
    }
    #[derive(Component, Default, PartialEq, Debug)]
    struct Timer<T: Send + Sync + 'static>(T);
    #[derive(Aspect, PartialEq, Debug)]
    struct Inner {
        pixels: screen::Speed,
        short: Timer<u8>,
    }
    #[derive(Aspect, PartialEq, Debug)]
    struct Outer {
        speed: Speed,
        inner: Inner,
        long: Timer<u64>,
    }
    world! {
        struct Stage { components { Speed, pixels: screen::Speed, short: Timer<u8>, long: Timer<u64> } }
    }
    let mut stage = Stage::new();
    let entity = stage.spawn(Outer::fresh());
    assert_eq!(stage.remove_aspect(entity), Ok(Outer::fresh()));
}

#[derive(Aspect, PartialEq, Debug)]
struct MonsterMind {
    speed: Speed,
    number: Number,
}

#[derive(MetaAspect, PartialEq, Debug)]
enum Mind {
    Player(MonsterMind),
    Idle(Frozen),
    Numb(Number),
}

#[test]
fn the_first_alternative_that_matches_is_taken() {
    let mut game = Game::new();
    let entity = game.spawn((MonsterMind::fresh(), Frozen));
    assert_eq!(
        game.take_one_of(entity),
        Ok(Mind::Player(MonsterMind { speed: Speed(0), number: Number(0) }))
    );
    assert_eq!(game.take_one_of(entity), Ok(Mind::Idle(Frozen)));
    let alternatives: &[_] = &["MonsterMind", "Frozen", "Number"];
    let error = NoneOfError::NoneOf { entity, meta: "Mind", alternatives, world: "Game" };
    assert_eq!(game.take_one_of::<Mind>(entity), Err(error));
    assert_eq!(
        error.to_string(),
        format!(
            "entity {entity} of world `Game` has none of the alternatives of `Mind`: `MonsterMind`, `Frozen`, `Number`"
        )
    );
}

#[test]
fn an_alternative_of_which_a_part_is_missing_is_not_taken() {
    let mut game = Game::new();
    let entity = game.spawn((Number(3), Name("n".into())));
    assert!(game.has_one_of::<Mind>(entity));
    assert_eq!(game.take_one_of(entity), Ok(Mind::Numb(Number(3))));
    assert!(!game.has_one_of::<Mind>(entity) && game.has::<Name>(entity));
    game.insert(entity, Speed(4)).unwrap();
    assert!(game.take_one_of::<Mind>(entity).is_err());
    assert_eq!(game.get(entity), Some(&Speed(4)));
}

#[test]
fn an_alternative_is_added_as_a_whole_or_not_at_all() {
    let mut game = Game::new();
    let entity = game.spawn(Number(1));
    let error = game.add_one_of(entity, Mind::Player(MonsterMind::fresh()));
    assert_eq!(error, Err(PresentError::Present { entity, component: "Number", world: "Game" }));
    assert!(!game.has::<Speed>(entity));
    assert_eq!(game.add_one_of(entity, Mind::Idle(Frozen)), Ok(()));
    game.despawn(entity).unwrap();
    assert!(matches!(game.take_one_of::<Mind>(entity), Err(NoneOfError::NoSuchEntity(_))));
    assert!(game.add_one_of(entity, Mind::Idle(Frozen)).is_err() && !game.has_one_of::<Mind>(entity));
}

#[test]
fn a_picture_shows_the_components_and_defaults_of_an_aspect() {
    let dot = ecs::aspect::aspect_graph::<Monster>().to_dot();
    assert_eq!(
        dot,
        r#"digraph aspects {
    rankdir=LR; node [fontname="sans-serif"];
    n0 [label="Monster", shape=box, style=rounded];
    n1 [label="Body", shape=box, style=rounded];
    n2 [label="Health", shape=ellipse];
    n3 [label="Speed", shape=ellipse];
    n4 [label="Place", shape=ellipse];
    n5 [label="Name", shape=ellipse];
    n1 -> n2 [label="health = Health { now: 5, max: 5 }"];
    n1 -> n3 [label="speed"];
    n1 -> n4 [label="place\n.0.1 = 7\n.1 = [1, 2]"];
    n0 -> n1 [label="body\n.health.max = 9\n.speed = Speed(2)"];
    n0 -> n5 [label="name = Name(\"rat\".into())"];
}
"#
    );
    assert_eq!(dot, ecs::aspect::aspect_graph::<Monster>().to_dot());
}

#[test]
fn aspects_share_nodes_in_one_picture() {
    let graph = ecs::aspect::aspect_graph::<Monster>()
        .and::<Renamed>()
        .and::<With2<Health, Number>>()
        .and::<Monster>();
    let names: Vec<&str> = graph.nodes.iter().map(|node| node.name).collect();
    assert_eq!(names, ["Monster", "Body", "Health", "Speed", "Place", "Name", "Renamed", "With2", "Number"]);
    assert_eq!(graph.edges.len(), 10);
}

#[test]
fn an_aspect_that_a_rule_refuses_changes_nothing() {
    #[derive(Component, Default, PartialEq, Debug)]
    #[component(unique)]
    struct Crown;
    #[derive(Aspect)]
    struct King {
        speed: Speed,
        crown: Crown,
    }
    #[derive(MetaAspect)]
    enum Rank {
        King(King),
    }
    world! {
        struct Court { components { Speed, Crown } }
    }
    let mut court = Court::new();
    let king = court.spawn(King::fresh());
    let pretender = court.spawn(());
    assert!(matches!(court.add_aspect(pretender, King::fresh()), Err(PresentError::Refused(_))));
    let refused = court.add_one_of(pretender, Rank::King(King::fresh()));
    assert!(refused.unwrap_err().to_string().contains("Crown"));
    assert_eq!(court.entity(pretender).unwrap().components().count(), 0);
    let crown: Rank = court.take_one_of(king).unwrap();
    assert!(court.add_one_of(pretender, crown).is_ok() && court.has_aspect::<King>(pretender));
}
