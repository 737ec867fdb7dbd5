//! W: WECS. Its reactions are in `wecs_reactions`, deferred changes in `wecs_deferred`, aspects in
//! `aspects`.

use ecs::error::{MissingError, NoSuchEntity, PresentError, ScheduleError};
use ecs::prelude::*;
use ecs::{EntitySet, Has, HasResource, Schedule, System};
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, PartialEq, Debug)]
struct Gun {
    bullets: u32,
    target: Option<Entity>,
}

impl Default for Gun {
    fn default() -> Self {
        Self { bullets: 6, target: None }
    }
}

#[derive(Component, PartialEq, Debug)]
struct Name(&'static str);
#[derive(Component, PartialEq, Debug)]
struct Health(i32);
#[derive(Component)]
struct Door;
#[derive(Component)]
struct Locked;
#[derive(Resource, Default, Debug, PartialEq)]
struct Report {
    doors: Vec<Entity>,
    people: Vec<Entity>,
    turns: Vec<&'static str>,
}

world! {
    struct Story {
        components { Gun, Name, Health, Door, Locked }
        resources { Report }
    }
    schedule step { duel; survey }
}

/// Removes the gun of each target at once.
#[system(Story)]
fn duel(mut shooters: Local<Vec<Entity>>, mut guns: Storage<Gun>) {
    shooters.clear();
    shooters.extend(guns.iter().map(|(entity, _)| entity));
    for &shooter in shooters.iter() {
        if let Some(target) = guns.get(shooter).and_then(|gun| gun.target) {
            guns.remove(target);
        }
    }
}

/// Several filters in one system.
#[system(Story)]
fn survey(
    doors: Query<Entity, (With<Door>, Without<Locked>)>,
    people: Query<(Entity, &Name), With<Health>>,
    mut report: ResMut<Report>,
) {
    report.doors = doors.iter().collect();
    report.people = people.iter().map(|(entity, _)| entity).collect();
}

#[test]
fn w01_components_have_defaults() {
    let mut story = Story::default();
    let entity = story.spawn(Gun { target: None, ..Gun::default() });
    assert_eq!(story.get(entity), Some(&Gun { bullets: 6, target: None }));
}

#[test]
fn w02_an_entity_is_made_with_its_components() {
    let mut story = Story::default();
    let entity = story.spawn((Name("Ada"), Health(10), Gun::default()));
    assert_eq!(story.entity(entity).unwrap().components().collect::<Vec<_>>(), ["Gun", "Name", "Health"]);
    assert_eq!(story.entities().len(), 1, "a bundle with a component twice does not compile");
}

#[test]
fn w03_ids_have_64_bits_and_a_niche() {
    assert_eq!((size_of::<Entity>(), size_of::<Option<Entity>>()), (8, 8));
    let mut story = Story::default();
    let entity = story.spawn(());
    assert_eq!(Entity::from_bits(entity.to_bits()), Some(entity));
}

#[test]
fn w04_looking_up_the_unknown_or_destroyed_is_no_such_entity() {
    let mut story = Story::default();
    let entity = story.spawn(Name("Ada"));
    story.despawn(entity).unwrap();
    let unknown = Entity::from_bits(7 << 32 | 1000).unwrap();
    for entity in [entity, unknown] {
        let error = NoSuchEntity { entity, world: "Story" };
        assert_eq!(story.entity(entity).err(), Some(error));
        assert_eq!(story.despawn(entity), Err(error));
        assert_eq!(story.remove::<Name>(entity), Err(error));
        assert_eq!(story.try_get::<Name>(entity), Err(MissingError::NoSuchEntity(error)));
    }
}

#[test]
fn w05_adding_a_present_component_is_an_error() {
    let mut story = Story::default();
    let entity = story.spawn(Name("Ada"));
    let error = PresentError::Present { entity, component: "Name", world: "Story" };
    assert_eq!(story.insert_if_new(entity, (Health(1), Name("Bob"))), Err(error));
    assert_eq!((story.get(entity), story.has::<Health>(entity)), (Some(&Name("Ada")), false));
}

#[test]
fn w06_getting_a_missing_component_is_an_error_or_a_default() {
    let mut story = Story::default();
    let entity = story.spawn(Name("Ada"));
    assert!(story.has::<Name>(entity) && !story.has::<Health>(entity));
    let missing = MissingError::Missing { entity, component: "Health", world: "Story" };
    assert_eq!(story.try_get::<Health>(entity), Err(missing));
    assert_eq!(story.get::<Health>(entity).unwrap_or(&Health(3)), &Health(3));
}

#[test]
fn w10_adding_to_the_destroyed_makes_no_zombie() {
    let mut story = Story::default();
    let entity = story.spawn(Name("Ada"));
    story.despawn(entity).unwrap();
    assert!(story.insert(entity, (Health(1), Door)).is_err());
    assert!(story.insert_if_new(entity, Health(1)).is_err());
    assert!(story.columns_mut().health.insert(entity, Health(1)).is_err());
    assert!(story.query::<&Health>().is_empty() && story.query::<&Door>().is_empty());
    assert!(story.entities().is_empty());
    story.step();
    assert_eq!(story.resource::<Report>(), &Report::default());
}

#[test]
fn w14_with_direct_access_presence_changes_at_once() {
    let mut story = Story::default();
    let one = story.spawn((Name("one"), Gun::default()));
    let two = story.spawn((Name("two"), Gun { target: Some(one), ..Gun::default() }));
    story.get_mut::<Gun>(one).unwrap().target = Some(two);
    story.step();
    assert!(story.has::<Gun>(one) && !story.has::<Gun>(two), "who shoots first keeps the gun");
}

#[test]
fn w15_filters_nest_and_an_empty_and_matches_all() {
    let mut story = Story::default();
    let door = story.spawn(Door);
    let locked = story.spawn((Door, Locked));
    let person = story.spawn((Name("Ada"), Health(1)));
    let empty = story.spawn(());
    let all = |entities: Vec<Entity>| entities.into_iter().collect::<EntitySet>();
    let bare = story.query::<&Door>().to_set();
    assert_eq!(bare, all(vec![door, locked]));
    let and = story.query::<Entity>().filter::<And<()>>().to_set();
    assert_eq!(and, all(vec![door, locked, person, empty]));
    let nested = story.query::<Entity>().filter::<Or<(And<(With<Door>, Not<With<Locked>>)>, With<Name>)>>();
    assert_eq!(nested.to_set(), all(vec![door, person]));
}

#[test]
fn w16_an_empty_or_matches_nothing() {
    let mut story = Story::default();
    story.spawn((Door, Locked, Health(1)));
    story.spawn(());
    assert!(story.query::<Entity>().filter::<Or<()>>().is_empty());
    assert_eq!(story.query::<Entity>().filter::<Or<(Or<()>, With<Door>)>>().len(), 1);
}

#[test]
fn w18_a_system_gets_its_entities_by_filter() {
    let mut story = Story::default();
    let door = story.spawn(Door);
    story.spawn((Door, Locked));
    let people = vec![story.spawn((Name("Ada"), Health(1))), story.spawn((Name("Bob"), Health(2)))];
    story.spawn(Name("nobody"));
    story.step();
    assert_eq!(story.resource::<Report>(), &Report { doors: vec![door], people, turns: vec![] });
}

/// Systems that record when they run.
#[system(Story)]
fn dawn(mut report: ResMut<Report>) {
    report.turns.push("dawn");
}

#[system(Story)]
fn noon(mut report: ResMut<Report>) {
    report.turns.push("noon");
}

#[system(Story)]
fn dusk(mut report: ResMut<Report>) -> Result<(), String> {
    report.turns.push("dusk");
    if report.turns.len() > 4 { Err("it is dark".into()) } else { Ok(()) }
}

fn turns(story: &mut Story, day: &mut Schedule<Story>) -> Vec<&'static str> {
    day.run(story).unwrap();
    std::mem::take(&mut story.resource_mut::<Report>().turns)
}

#[test]
fn w23_systems_are_added_while_the_program_runs_and_run_by_their_keys() {
    let (mut story, mut day) = (Story::default(), Schedule::new("day"));
    day.add::<dusk>(&mut story, 20).unwrap();
    day.add::<dawn>(&mut story, 5).unwrap();
    assert_eq!(turns(&mut story, &mut day), ["dawn", "dusk"]);
    day.add::<noon>(&mut story, 12).unwrap();
    assert_eq!(turns(&mut story, &mut day), ["dawn", "noon", "dusk"]);
}

#[test]
fn w24_systems_are_removed_while_the_program_runs() {
    let (mut story, mut day) = (Story::default(), Schedule::new("day"));
    day.add::<dawn>(&mut story, 5).unwrap();
    day.add::<noon>(&mut story, 12).unwrap();
    assert_eq!((day.remove::<dawn>(&mut story), day.remove::<dusk>(&mut story)), (1, 0));
    assert_eq!(turns(&mut story, &mut day), ["noon"]);
}

#[test]
fn w25_a_system_is_not_added_twice() {
    let (mut story, mut day) = (Story::default(), Schedule::new("day"));
    day.add::<noon>(&mut story, 12).unwrap();
    let error = ScheduleError::Present { system: "noon", schedule: "day", world: "Story" };
    assert_eq!(day.add::<noon>(&mut story, 13), Err(error));
    assert_eq!(turns(&mut story, &mut day), ["noon"]);
}

#[test]
fn w26_a_system_that_is_removed_during_an_update_no_longer_runs() {
    let (mut story, mut day) = (Story::default(), Schedule::new("day"));
    day.add::<dawn>(&mut story, 5).unwrap();
    day.add::<noon>(&mut story, 12).unwrap();
    day.add_exclusive(&mut story, "hurry", 6, |story: &mut Story| {
        story.edit_schedule("day", |day, story| {
            day.remove::<noon>(story);
            day.remove::<dawn>(story);
        });
    })
    .unwrap();
    assert_eq!(turns(&mut story, &mut day), ["dawn"]);
    assert!(turns(&mut story, &mut day).is_empty());
}

#[test]
fn w27_a_system_that_is_added_during_an_update_runs_from_the_next_one_on() {
    let (mut story, mut day) = (Story::default(), Schedule::new("day"));
    day.add::<dawn>(&mut story, 5).unwrap();
    day.add_exclusive(&mut story, "wait", 6, |story: &mut Story| {
        story.edit_schedule("day", |day, story| {
            let _ = day.add::<noon>(story, 12);
        });
    })
    .unwrap();
    assert_eq!(turns(&mut story, &mut day), ["dawn"]);
    assert_eq!(turns(&mut story, &mut day), ["dawn", "noon"]);
}

#[test]
fn w28_a_failing_system_stops_the_update() {
    let (mut story, mut day) = (Story::default(), Schedule::new("day"));
    day.add::<dusk>(&mut story, 1).unwrap();
    day.add::<noon>(&mut story, 2).unwrap();
    day.run(&mut story).unwrap();
    day.run(&mut story).unwrap();
    let error = day.run(&mut story).unwrap_err();
    assert_eq!(error.to_string(), "system `dusk` of schedule `day` of world `Story` failed: it is dark");
    assert_eq!(story.resource::<Report>().turns, ["dusk", "noon", "dusk", "noon", "dusk"]);
}

#[test]
fn w29_a_dangling_id_is_a_normal_state() {
    let mut story = Story::default();
    let target = story.spawn(Name("Bob"));
    let shooter = story.spawn(Gun { target: Some(target), ..Gun::default() });
    story.despawn(target).unwrap();
    let kept = story.get::<Gun>(shooter).unwrap().target.unwrap();
    assert!(!story.contains(kept) && story.get::<Name>(kept).is_none());
    story.step();
    assert_eq!(
        story.get::<Gun>(shooter).unwrap().target,
        Some(target),
        "healing it is the system's business"
    );
}

#[test]
fn w29_a_relation_has_a_policy_for_despawned_targets_and_finds_dangling_references() {
    #[derive(Relation, Clone, PartialEq, Debug)]
    #[relation(exclusive, gone = keep)]
    struct Aims(Entity);
    world! { struct Range { components { Aims } } schedule tick { heal; } }

    #[system(Range)]
    fn heal(aims: ecs::Related<Aims>, mut commands: Commands<Range>) {
        for (shooter, _) in aims.dangling() {
            commands.remove::<Aims>(shooter);
        }
    }

    let mut range = Range::new();
    let (target, other) = (range.spawn(()), range.spawn(()));
    let [first, second] = [range.spawn(Aims(target)), range.spawn(Aims(other))];
    range.despawn(target).unwrap();
    assert_eq!(range.get(first), Some(&Aims(target)), "a normal state");
    assert!(range.insert(second, Aims(target)).is_err(), "but none to begin with");
    range.tick();
    assert_eq!((range.get::<Aims>(first), range.get::<Aims>(second)), (None, Some(&Aims(other))));
}

#[test]
fn w29_a_dangling_id_survives_a_save() {
    let mut archive = Archive::new(Chapter(1));
    let gone = archive.spawn(Title("gone".into()));
    let reader = archive.spawn(Points(Some(gone)));
    archive.despawn(gone).unwrap();
    let mut loaded = Archive::load(&archive.to_bytes().unwrap()).unwrap();
    assert_eq!(loaded.get(reader), Some(&Points(Some(gone))));
    assert!(!loaded.contains(gone));
    assert_ne!(loaded.spawn(Title("new".into())), gone);
}

#[derive(Component, Serialize, Deserialize, PartialEq, Debug)]
struct Title(String);
#[derive(Component, Serialize, Deserialize, PartialEq, Debug)]
struct Points(Option<Entity>);
#[derive(Resource, Serialize, Deserialize, PartialEq, Debug)]
struct Chapter(u32);

world! {
    #[derive(Serialize, Deserialize)]
    struct Archive {
        components { Title, Points }
        resources { Chapter }
    }
}

#[test]
fn w50_a_world_is_saved_and_loaded() {
    let mut archive = Archive::new(Chapter(3));
    let title = archive.spawn(Title("WECS".into()));
    let points = archive.spawn(Points(Some(title)));
    let text = serde_json::to_string(&archive).unwrap();
    let loaded = [serde_json::from_str(&text).unwrap(), Archive::load(&archive.to_bytes().unwrap()).unwrap()];
    for loaded in loaded {
        assert_eq!(loaded.get(title), Some(&Title("WECS".into())));
        assert_eq!(loaded.get(points), Some(&Points(Some(title))));
        assert_eq!((loaded.resource::<Chapter>(), loaded.hash()), (&Chapter(3), archive.hash()));
    }
}

#[test]
fn w30_the_access_of_a_system_is_known() {
    let touches = |name: &str| {
        let params = <survey as System<Story>>::DESC.params;
        params.iter().find(|param| param.name == name).unwrap().access
    };
    let (door, name) = (<Story as Has<Door>>::INDEX, <Story as Has<Name>>::INDEX);
    assert!(touches("doors").with.contains(door) && !touches("doors").read.contains(door));
    assert!(touches("people").read.contains(name) && touches("people").write.is_empty());
    assert!(touches("report").resources_write.contains(<Story as HasResource<Report>>::INDEX));
    let guns = <duel as System<Story>>::DESC.params[1].access;
    assert!(guns.presence_write.contains(<Story as Has<Gun>>::INDEX));
}

/// The component is chosen when the system is scheduled or run.
#[system]
fn count_all<T: Component>(found: Query<&T>) -> usize {
    found.len()
}

#[test]
fn w32_a_system_is_written_for_a_type_that_is_bound_later() {
    let mut story = Story::default();
    story.spawn((Door, Locked));
    story.spawn(Door);
    assert_eq!((story.run::<count_all<Door>>(), story.run::<count_all<Locked>>()), (2, 1));
}

/// The same for a system that a schedule of a library binds, and one that is added to a run-time
/// schedule.
mod w32_library {
    use super::*;

    #[derive(Component)]
    pub struct Marked;
    #[derive(Component)]
    pub struct Struck;
    #[derive(Resource, Default)]
    pub struct Counted(pub [usize; 2]);

    parts! {
        pub(super) counting {
            components { Marked, Struck }
            resources { counted: Counted = Counted::default() }
            schedule count { count_into::<Marked, 0>, count_into::<Struck, 1> }
        }
    }

    #[system]
    pub fn count_into<T: Component, const AT: usize>(found: Query<&T>, mut counted: ResMut<Counted>) {
        counted.0[AT] = found.len();
    }
}

#[test]
fn w32_a_system_is_bound_when_it_is_added() {
    use w32_library::{Counted, Marked, Struck, count_into};
    world! {
        struct Census { include w32_library::counting; }
        schedule tick { include w32_library::count }
    }
    let mut census = Census::new();
    census.spawn((Marked, Struck));
    census.spawn(Marked);
    census.tick();
    assert_eq!(census.resource::<Counted>().0, [2, 1]);

    // in a run-time schedule
    let mut added = Schedule::<Census>::new("added");
    added.add::<count_into<Struck, 0>>(&mut census, 0).unwrap();
    added.run(&mut census).unwrap();
    assert_eq!(census.resource::<Counted>().0, [1, 1]);
    added.add::<count_into<Marked, 1>>(&mut census, 0).unwrap();
    added.run(&mut census).unwrap();
    assert_eq!(census.resource::<Counted>().0, [1, 2], "each addition binds its own type");
    added.close(&mut census);
}

#[test]
fn w45_a_world_and_its_systems_are_listed_and_run() {
    let mut story = Story::default();
    let door = story.spawn(Door);
    for _ in 0..3 {
        story.step();
    }
    assert_eq!(story.resource::<Report>().doors, [door]);
}

#[test]
fn w53_membership_follows_every_change() {
    let mut story = Story::default();
    let entity = story.spawn(Name("Ada"));
    let member =
        |story: &Story| story.query::<&Name>().filter::<(With<Health>, Without<Locked>)>().contains(entity);
    assert!(!member(&story));
    story.insert(entity, Health(1)).unwrap();
    assert!(member(&story));
    story.insert(entity, Locked).unwrap();
    assert!(!member(&story));
    story.remove::<Locked>(entity).unwrap();
    assert!(member(&story));
    story.despawn(entity).unwrap();
    assert!(!member(&story));
}
