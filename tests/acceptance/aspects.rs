//! W: the aspects of WECS, and entities that are built from data or from parts.

use std::cell::Cell;

use ecs::aspect::aspect_graph;
use ecs::error::{MissingError, NoneOfError, PresentError};
use ecs::prelude::*;
use ecs::{Aspect, MetaAspect};

#[derive(Component, Default, Clone, PartialEq, Debug)]
struct Health {
    now: i32,
    max: i32,
}
#[derive(Component, Default, Clone, PartialEq, Debug)]
struct Speed(u32);
#[derive(Component, Default, Clone, PartialEq, Debug)]
struct Serial(u32);
#[derive(Component, Default, Clone, PartialEq, Debug)]
struct Input;
#[derive(Component, Default, Clone, PartialEq, Debug)]
struct Plan(Vec<u8>);

thread_local! {
    static SERIAL: Cell<u32> = const { Cell::new(0) };
}

fn serial() -> Serial {
    SERIAL.with(|next| Serial(next.replace(next.get() + 1)))
}

#[derive(Aspect, Clone, PartialEq, Debug)]
struct Body {
    #[aspect(default = Health { now: 5, max: 5 })]
    health: Health,
    speed: Speed,
}

#[derive(Aspect, Clone, PartialEq, Debug)]
struct Monster {
    #[aspect(.health.max = 9, .speed = Speed(2))]
    body: Body,
    #[aspect(default = serial())]
    serial: Serial,
}

#[derive(Aspect, Clone, PartialEq, Debug)]
struct MonsterMind {
    plan: Plan,
}

#[derive(MetaAspect, Clone, PartialEq, Debug)]
enum Mind {
    Player(Input),
    Monster(MonsterMind),
}

world! {
    struct Story { components { Health, Speed, Serial, Input, Plan } }
}

#[test]
fn w01_components_are_data_with_defaults_that_an_aspect_can_name() {
    let mut story = Story::new();
    let entity = story.spawn(Body::fresh());
    assert_eq!(
        (story.get(entity), story.get(entity)),
        (Some(&Health { now: 5, max: 5 }), Some(&Speed::default()))
    );
}

#[test]
fn w33_an_aspect_is_built_from_components_and_aspects() {
    let mut story = Story::new();
    let entity = story.spawn(Monster::fresh());
    assert_eq!(story.entity(entity).unwrap().components().collect::<Vec<_>>(), ["Health", "Speed", "Serial"]);
    assert_eq!(Monster::ASPECT_NAME, "Monster");
    // a component twice in it, a diamond included, does not compile: `tests/ui/aspect`
}

#[test]
fn w34_overrides_merge_call_before_outer_before_inner() {
    let mut story = Story::new();
    let plain = story.spawn(Body::fresh());
    let outer = story.spawn(Monster::fresh());
    let call = story.spawn(Monster::fresh_with(|it| it.body.health.now = 3));
    let health = |entity| story.get::<Health>(entity).unwrap().clone();
    assert_eq!(health(plain), Health { now: 5, max: 5 });
    assert_eq!(health(outer), Health { now: 5, max: 9 });
    assert_eq!(health(call), Health { now: 3, max: 9 });
}

#[test]
fn w35_a_factory_makes_a_fresh_value_for_each_entity() {
    let mut story = Story::new();
    let monsters: Vec<Entity> = story.spawn_batch((0..4).map(|_| Monster::fresh())).collect();
    let first = story.get::<Serial>(monsters[0]).unwrap().0;
    for (n, &monster) in monsters.iter().enumerate() {
        assert_eq!(story.get(monster), Some(&Serial(first + n as u32)));
    }
}

#[test]
fn w36_an_aspect_is_added_all_or_nothing() {
    let mut story = Story::new();
    let entity = story.spawn(Speed(7));
    let error = PresentError::Present { entity, component: "Speed", world: "Story" };
    assert_eq!(story.add_aspect(entity, Monster::fresh()), Err(error));
    assert_eq!(story.entity(entity).unwrap().components().collect::<Vec<_>>(), ["Speed"]);
    assert_eq!((story.get(entity), story.has_aspect::<Monster>(entity)), (Some(&Speed(7)), false));
    let entity = story.spawn(Input);
    assert_eq!(story.add_aspect(entity, Monster::fresh()), Ok(()));
    assert!(story.has_aspect::<Monster>(entity) && story.has_aspect::<Body>(entity));
}

#[test]
fn w37_removing_an_aspect_gives_its_components_back() {
    let mut story = Story::new();
    let monster = Monster::fresh();
    let entity = story.spawn((monster.clone(), Input));
    assert_eq!(story.remove_aspect(entity), Ok(monster));
    assert_eq!(story.entity(entity).unwrap().components().collect::<Vec<_>>(), ["Input"]);
    let missing = MissingError::Missing { entity, component: "Health", world: "Story" };
    assert_eq!(story.remove_aspect::<Body>(entity), Err(missing));
    story.insert(entity, Health::default()).unwrap();
    let missing = MissingError::Missing { entity, component: "Speed", world: "Story" };
    assert_eq!(story.remove_aspect::<Body>(entity), Err(missing));
    assert!(story.has::<Health>(entity), "nothing is taken where one is missing");
}

fn swap_minds(story: &mut Story, one: Entity, two: Entity) -> Result<(), Box<dyn std::error::Error>> {
    let (first, second): (Mind, Mind) = (story.take_one_of(one)?, story.take_one_of(two)?);
    story.add_one_of(one, second)?;
    story.add_one_of(two, first)?;
    Ok(())
}

#[test]
fn w38_the_first_alternative_that_matches_is_removed_and_returned() {
    let mut story = Story::new();
    let hero = story.spawn((Body::fresh(), Input));
    let rat = story.spawn((Body::fresh(), Plan(vec![1, 2])));
    swap_minds(&mut story, hero, rat).unwrap();
    assert_eq!((story.get(hero), story.has::<Input>(hero)), (Some(&Plan(vec![1, 2])), false));
    assert!(story.has::<Input>(rat) && !story.has_aspect::<MonsterMind>(rat));
    swap_minds(&mut story, hero, rat).unwrap();
    assert_eq!(
        (story.has::<Input>(hero), story.get(rat)),
        (true, Some(&Plan(vec![1, 2]))),
        "twice is nothing"
    );

    let both = story.spawn((Plan(vec![]), Input));
    assert_eq!(story.take_one_of(both), Ok(Mind::Player(Input)), "in the order of the text");
    assert_eq!(story.take_one_of(both), Ok(Mind::Monster(MonsterMind { plan: Plan(vec![]) })));
    let alternatives: &[_] = &["Input", "MonsterMind"];
    let none = NoneOfError::NoneOf { entity: both, meta: "Mind", alternatives, world: "Story" };
    assert_eq!(story.take_one_of::<Mind>(both), Err(none));
}

/// Nested meta-aspects: minds with their cameras.
mod cameras {
    use ecs::prelude::*;
    use ecs::{Aspect, MetaAspect};

    #[derive(Component, Default, Clone, PartialEq, Debug)]
    pub struct Input(pub u8);
    #[derive(Component, Default, Clone, PartialEq, Debug)]
    pub struct Plan(pub Vec<u8>);
    #[derive(Component, Default, Clone, PartialEq, Debug)]
    pub struct Position(pub i32);
    #[derive(Component, Default, Clone, PartialEq, Debug)]
    pub struct Zoom(pub u32);
    #[derive(Component, Default, Clone, PartialEq, Debug)]
    pub struct Height(pub u32);
    #[derive(Component, Default, Clone, PartialEq, Debug)]
    #[component(unique)]
    pub struct Screen;

    #[derive(Aspect, Clone, PartialEq, Debug)]
    pub struct Overhead {
        pub height: Height,
        pub zoom: Zoom,
    }
    #[derive(Aspect, Clone, PartialEq, Debug)]
    pub struct PlayerMind {
        pub input: Input,
        pub screen: Screen,
    }
    #[derive(MetaAspect, Clone, PartialEq, Debug)]
    pub enum Camera {
        Overhead(Overhead),
        FirstPerson(Zoom),
    }
    #[derive(MetaAspect, Clone, PartialEq, Debug)]
    pub enum Mind {
        Player(PlayerMind, #[one_of] Camera),
        Ghost(#[one_of] Camera),
        Monster(Plan),
    }

    world! {
        pub struct Stage { components { Input, Plan, Position, Zoom, Height, Screen } }
    }
}

#[test]
fn w38_alternatives_nest_and_minds_are_swapped_with_their_cameras() {
    use cameras::*;
    let mut stage = Stage::new();
    let player_mind = || PlayerMind { input: Input(3), screen: Screen };
    let overhead = || Overhead { height: Height(9), zoom: Zoom(2) };
    let hero = stage.spawn((Position(1), player_mind(), overhead()));
    let rat = stage.spawn((Position(2), Plan(vec![1])));
    let swap = |stage: &mut Stage| {
        let (first, second): (Mind, Mind) =
            (stage.take_one_of(hero).unwrap(), stage.take_one_of(rat).unwrap());
        stage.add_one_of(hero, second).unwrap();
        stage.add_one_of(rat, first).unwrap();
    };
    swap(&mut stage);
    assert_eq!(stage.entity(hero).unwrap().components().collect::<Vec<_>>(), ["Plan", "Position"]);
    assert!(stage.has_aspect::<PlayerMind>(rat) && stage.has_aspect::<Overhead>(rat));
    swap(&mut stage);
    let all = stage.entity(hero).unwrap().components().collect::<Vec<_>>();
    assert_eq!(all, ["Input", "Position", "Zoom", "Height", "Screen"]);
    assert_eq!((stage.get(hero), stage.get(rat)), (Some(&Height(9)), Some(&Plan(vec![1]))));

    // the first matching camera in source order is taken
    let mind = stage.take_one_of::<Mind>(hero).unwrap();
    assert_eq!(mind, Mind::Player(player_mind(), Camera::Overhead(overhead())));
    let near = stage.spawn((player_mind(), Zoom(7)));
    assert!(stage.has_one_of::<Mind>(near) && stage.has_one_of::<Camera>(near));
    assert_eq!(stage.take_one_of(near), Ok(Mind::Player(player_mind(), Camera::FirstPerson(Zoom(7)))));
    // a mind without a camera does not match `Player`, and a camera without a mind matches `Ghost`
    let blind = stage.spawn(player_mind());
    let alternatives: &[_] = &["PlayerMind, Camera", "Camera", "Plan"];
    let none = NoneOfError::NoneOf { entity: blind, meta: "Mind", alternatives, world: "Stage" };
    assert_eq!(stage.take_one_of::<Mind>(blind), Err(none));
    assert!(stage.has_aspect::<PlayerMind>(blind), "nothing is taken then");
    let ghost = stage.spawn(Zoom(1));
    assert_eq!(stage.take_one_of(ghost), Ok(Mind::Ghost(Camera::FirstPerson(Zoom(1)))));
}

#[test]
fn w38_of_nested_alternatives_all_is_added_or_nothing() {
    use cameras::*;
    let mut stage = Stage::new();
    let mind = || Mind::Player(PlayerMind { input: Input(1), screen: Screen }, Camera::FirstPerson(Zoom(1)));
    // the entity has the camera already
    let zoomed = stage.spawn(Zoom(5));
    let error = PresentError::Present { entity: zoomed, component: "Zoom", world: "Stage" };
    assert_eq!(stage.add_one_of(zoomed, mind()), Err(error));
    assert_eq!(stage.entity(zoomed).unwrap().components().collect::<Vec<_>>(), ["Zoom"]);
    assert_eq!(stage.get(zoomed), Some(&Zoom(5)));
    // the entity has the mind already
    let steered = stage.spawn(Input(9));
    assert!(stage.add_one_of(steered, mind()).is_err());
    assert_eq!(stage.entity(steered).unwrap().components().collect::<Vec<_>>(), ["Input"]);
    // a rule refuses it
    let first = stage.spawn(Screen);
    let second = stage.spawn(());
    assert!(matches!(stage.add_one_of(second, mind()), Err(PresentError::Refused(_))));
    assert_eq!(stage.entity(second).unwrap().components().count(), 0);
    stage.despawn(first).unwrap();
    assert_eq!(stage.add_one_of(second, mind()), Ok(()));
}

#[test]
fn w31_a_picture_of_aspects() {
    let graph = aspect_graph::<Monster>();
    let names: Vec<_> = graph.nodes.iter().map(|node| (node.name, node.aspect)).collect();
    let [aspects @ .., _, _, _] = &names[..] else { panic!("{names:?}") };
    assert_eq!((aspects, names.len()), (&[("Monster", true), ("Body", true)][..], 5));
    let dot = graph.to_dot();
    assert!(dot.starts_with("digraph aspects {") && dot.ends_with("}\n"));
    assert!(dot.contains(r#"label="body\n.health.max = 9\n.speed = Speed(2)""#), "{dot}");
    assert!(dot.contains(r#"label="health = Health { now: 5, max: 5 }""#), "{dot}");
}

#[test]
fn r08_entities_are_built_from_data_into_very_different_loadouts() {
    let mut story = Story::new();
    let written = ["body", "body mind", "monster", "input", ""];
    let ids = written.map(|line| {
        let entity = story.spawn(());
        for word in line.split_whitespace() {
            match word {
                "body" => story.add_aspect(entity, Body::fresh()).unwrap(),
                "monster" => story.add_aspect(entity, Monster::fresh()).unwrap(),
                "mind" => story.add_aspect(entity, MonsterMind::fresh()).unwrap(),
                _ => story.insert_if_new(entity, Input).unwrap(),
            }
        }
        entity
    });
    assert_eq!(ids.map(|id| story.entity(id).unwrap().components().count()), [2, 3, 3, 1, 0]);
}
