//! Components with `disables`: queries pass over the entities that have them.

use ecs::ChildOf;
use ecs::component::Disabled;
use ecs::prelude::*;
use ecs::query::AllowDisabled;
use ecs::relation::{Propagate, propagate};

#[derive(Component, Clone, PartialEq, Debug)]
struct Place(i32);
#[derive(Component, Clone, PartialEq, Debug)]
struct Speed(i32);
#[derive(Component, Clone, PartialEq, Debug, Default)]
struct Total(i32);
#[derive(Component, Clone, PartialEq, Debug)]
#[component(tracked)]
struct Name(u32);

/// Passed over by queries that require `Speed` or `Name`.
#[derive(Component, Clone, PartialEq, Debug)]
#[component(disables(Speed, Name))]
struct Stunned {
    rounds: u32,
}

/// Passed over by all queries, as with `Disabled`.
#[derive(Component, Clone, PartialEq, Debug)]
#[component(disables)]
struct Asleep;

impl Propagate for Place {
    type Combined = Total;
    fn combine(&self, above: Option<&Total>) -> Total {
        Total(self.0 + above.map_or(0, |above| above.0))
    }
}

#[derive(Resource, Clone, PartialEq, Debug, Default)]
struct Seen {
    entered: Vec<Entity>,
    exited: Vec<Entity>,
    changed: usize,
    whole: usize,
    inserted: usize,
}

world! {
    #[derive(Clone)]
    struct Game {
        components { Place, Speed, Total, Name, Stunned, Disabled, Asleep, ChildOf }
        resources  { seen: Seen = Seen::default() }
    }
    schedule tick { drive; drive_all; drive_each; drive_par; drive_where }
    schedule watch { report }
    schedule sums { propagate::<Place, ChildOf> }
}

#[system(Game)]
fn drive(place: &mut Place, speed: &Speed) {
    place.0 += speed.0;
}

#[system(Game)]
fn drive_all(mut all: Query<(&mut Place, &Speed)>) {
    all.for_each(|(place, speed)| place.0 += 10 * speed.0);
}

#[system(Game)]
fn drive_each(place: &mut Place) {
    place.0 += 100;
}

#[system(Game, par)]
fn drive_par(place: &mut Place, _: Without<Total>) {
    place.0 += 1000;
}

#[system(Game)]
fn drive_where(place: &mut Place, _: AllowDisabled) {
    place.0 += 10_000;
}

#[system(Game)]
fn report(
    entered: Entered<With<Place>>,
    exited: Exited<With<Place>>,
    changed: Query<Entity, Changed<Name>>,
    whole: Query<&Place, Or<(With<Disabled>, Without<Disabled>)>>,
    mut seen: ResMut<Seen>,
) {
    seen.entered.extend(entered);
    seen.exited.extend(exited);
    (seen.changed, seen.whole) = (changed.len(), whole.len());
}

fn places(game: &Game, of: &[Entity]) -> Vec<i32> {
    of.iter().map(|&entity| game.get::<Place>(entity).unwrap().0).collect()
}

#[test]
fn systems_of_all_kinds_pass_over_disabled_entities() {
    let mut game = Game::new();
    let on = game.spawn((Place(0), Speed(1)));
    let off = game.spawn((Place(0), Speed(1), Disabled));
    let asleep = game.spawn((Place(0), Speed(1), Asleep));
    let stunned = game.spawn((Place(0), Speed(1), Stunned { rounds: 1 }));
    game.tick();
    assert_eq!(places(&game, &[on, off, asleep, stunned]), [11_111, 10_000, 10_000, 11_100]);
    game.remove::<Disabled>(off).unwrap();
    game.insert(on, Disabled).unwrap();
    game.tick();
    assert_eq!(places(&game, &[on, off, asleep, stunned]), [21_111, 21_111, 20_000, 22_200]);
}

#[test]
fn a_query_that_names_a_component_does_not_pass_over_it() {
    let mut game = Game::new();
    let on = game.spawn(Place(0));
    let off = game.spawn((Place(1), Disabled));
    let both = game.spawn((Place(2), Disabled, Asleep));
    let query = game.query::<(Entity, &Place)>();
    assert!(query.iter().map(|(entity, _)| entity).eq([on]));
    assert_eq!((query.len(), query.contains(off), query.get(off).is_none()), (1, false, true));
    assert_eq!(query.single().unwrap().0, on);
    assert!(game.query::<Entity>().filter::<With<Disabled>>().iter().eq([off]), "the other one is asleep");
    assert!(game.query::<Entity>().filter::<(With<Disabled>, With<Asleep>)>().iter().eq([both]));
    assert!(game.query::<(Entity, Is<Asleep>)>().iter().map(|(entity, _)| entity).eq([on]));
    assert!(game.query::<(Entity, Option<&Disabled>)>().iter().map(|(entity, _)| entity).eq([on, off]));
    assert!(game.entities().iter().eq([on]));
    assert!(game.entities().filter::<Not<With<Disabled>>>().iter().eq([on]));
    assert!(game.entities().filter::<AllowDisabled>().iter().eq([on, off, both]));
    assert!(game.entities().filter::<(AllowDisabled, Without<Asleep>)>().iter().eq([on, off]));
    assert_eq!(game.stats().entities, 3);
    game.query_mut::<&mut Place>().pairs_mut(|_, _| panic!("one entity"));
    assert!(game.query_mut::<&mut Place>().get_many_mut([on, off]).is_err());
    assert_eq!(game.queries::<(&mut Place, Entity)>().0.len(), 1);
}

#[test]
fn a_disabled_component_hides_the_entity_from_queries_that_require_it() {
    let mut game = Game::new();
    let one = game.spawn((Place(1), Speed(1), Name(1)));
    let two = game.spawn((Place(2), Speed(2), Stunned { rounds: 2 }));
    assert!(game.query::<(Entity, &Speed)>().iter().map(|(entity, _)| entity).eq([one]));
    assert!(game.entities().filter::<With<Speed>>().iter().eq([one]));
    assert!(
        game.entities().filter::<Or<(With<Speed>, With<Total>)>>().iter().eq([one, two]),
        "it does not require it"
    );
    assert_eq!((game.query::<&Place>().len(), game.entities().len()), (2, 2));
    assert!(game.entities().filter::<Without<Speed>>().is_empty());
    assert_eq!(
        game.query::<(&Place, Option<&Speed>)>().iter().filter(|(_, speed)| speed.is_some()).count(),
        2
    );
    assert_eq!(game.query::<(&Speed, &Stunned)>().len(), 1);
    assert_eq!(game.query::<&Speed>().filter::<AllowDisabled>().len(), 2);
    assert_eq!(game.get(two), Some(&Speed(2)), "`get` begins with the entity");
}

#[test]
fn disabling_is_an_exit_and_enabling_an_entry() {
    let mut game = Game::new();
    let (one, two) = (game.spawn((Place(0), Name(1))), game.spawn((Place(0), Name(2))));
    game.watch();
    assert_eq!(game.resource::<Seen>().entered, [one, two]);
    game.insert(two, Disabled).unwrap();
    game.get_tracked::<Name>(two).unwrap().0 = 3;
    game.watch();
    let seen = game.resource::<Seen>();
    assert_eq!((seen.exited.as_slice(), seen.changed, seen.whole), ([two].as_slice(), 0, 2));
    game.remove::<Disabled>(two).unwrap();
    game.watch();
    assert_eq!(game.resource::<Seen>().entered, [one, two, two]);
    game.insert(one, Stunned { rounds: 1 }).unwrap();
    game.watch();
    assert_eq!(
        game.resource::<Seen>().exited,
        [two],
        "`Place` is not among the components that `Stunned` disables"
    );
}

#[test]
fn verbs_that_begin_with_an_entity_reach_disabled_entities() {
    let mut game = Game::new();
    let parent = game.spawn((Place(3), Total(0), Disabled));
    let child = game.spawn((Place(4), Total(0), ChildOf(parent)));
    assert_eq!((game.get(parent), game.contains(parent)), (Some(&Place(3)), true));
    assert_eq!(game.sources::<ChildOf>(parent), [child]);
    assert!(game.entities().iter().eq([child]), "children are not disabled with their parent");
    game.sums();
    assert_eq!((game.get(parent), game.get(child)), (Some(&Total(3)), Some(&Total(7))));
    game.despawn(parent).unwrap();
    assert_eq!(game.stats().entities, 0);
}

#[test]
fn bulk_verbs_follow_the_query_that_they_are() {
    let mut game = Game::new();
    let on = game.spawn(Place(0));
    let off = game.spawn((Place(1), Disabled));
    assert_eq!(game.retain::<&Place>(|_| false), 1);
    assert!(!game.contains(on) && game.contains(off));
    assert_eq!(game.despawn_all::<With<Place>>(), 0);
    assert_eq!(game.remove_all::<Place>(), 1, "it asks for no query");
    assert_eq!(game.despawn_all::<AllowDisabled>(), 1);
}

#[test]
fn snapshots_and_clones_pass_over_the_same_entities() {
    let mut game = Game::new();
    let on = game.spawn((Place(0), Speed(1)));
    let off = game.spawn((Place(1), Speed(1), Disabled));
    let stunned = game.spawn((Place(2), Speed(1), Stunned { rounds: 1 }));
    let before = game.snapshot();
    game.remove::<Disabled>(off).unwrap();
    assert!(before.query::<(Entity, &Place)>().iter().map(|(entity, _)| entity).eq([on, stunned]));
    assert!(before.query::<(Entity, &Speed)>().iter().map(|(entity, _)| entity).eq([on]));
    assert!(before.query::<Entity>().filter::<With<Speed>>().iter().eq([on]));
    assert!(before.query::<Entity>().filter::<(With<Speed>, AllowDisabled)>().iter().eq([on, off, stunned]));
    assert!(before.query::<Entity>().filter::<With<Disabled>>().iter().eq([off]));
    assert!(before.query::<(Entity, Is<Stunned>, &Speed)>().get(stunned).is_some());
    assert_eq!((before.len(), game.clone().entities().len(), game.entities().len()), (2, 3, 3));
    game.restore(&before);
    assert_eq!(game.entities().len(), 2);
}

#[test]
fn many_words_of_entities_are_passed_over_as_one() {
    let mut game = Game::new();
    for i in 0..1000 {
        let entity = game.spawn((Place(i), Speed(1)));
        if i % 3 == 0 || (128..640).contains(&i) {
            game.insert(entity, Disabled).unwrap();
        }
    }
    let expected: Vec<i32> = (0..1000).filter(|i| i % 3 != 0 && !(128..640).contains(i)).collect();
    let query = game.query::<&Place>();
    assert!(query.iter().map(|place| place.0).eq(expected.iter().copied()));
    let mut folded = Vec::new();
    query.iter().for_each(|place| folded.push(place.0));
    assert_eq!(folded, expected);
    let mut chunked = Vec::new();
    for places in game.query_mut::<&Place>().chunks_mut() {
        chunked.extend(places.iter().map(|place| place.0));
    }
    assert_eq!(chunked, expected);
    assert_eq!(game.query_mut::<&mut Place>().par_map(|place| place.0), expected);
}

#[test]
fn the_graph_of_components_has_the_options() {
    let graph = ecs::component::component_graph::<Game>();
    let [speed, name, stunned, disabled] = [1, 3, 4, 5].map(|at| &graph.nodes[at]);
    assert_eq!((speed.name, stunned.disables.as_slice()), ("Speed", [1, 3].as_slice()));
    assert_eq!(
        (name.options(), disabled.options()),
        (vec!["tracked".to_owned()], vec!["disables".to_owned()])
    );
    assert!(disabled.disables_entities && !stunned.disables_entities);
    assert!(graph.to_dot().contains(r#"c4 -> c3 [label="disables"];"#));
}

mod packed {
    use ecs::prelude::*;

    #[derive(Component)]
    struct Place(i32);
    #[derive(Component)]
    #[component(storage = "packed", disables)]
    struct Asleep(u8);

    world! { struct Den { components { Place, Asleep } } schedule night { wander } }

    #[system(Den)]
    fn wander(place: &mut Place) {
        place.0 += 1;
    }

    #[test]
    fn a_packed_component_disables_as_well() {
        let mut den = Den::new();
        let [awake, asleep] = [den.spawn(Place(0)), den.spawn((Place(0), Asleep(3)))];
        den.night();
        assert_eq!(
            [awake, asleep].map(|entity| den.get::<Place>(entity).map(|place| place.0)),
            [Some(1), Some(0)]
        );
        assert_eq!(den.query::<&Place>().len(), 1);
        assert_eq!(den.query::<(&Place, &Asleep)>().iter().map(|(_, asleep)| asleep.0).sum::<u8>(), 3);
    }
}
