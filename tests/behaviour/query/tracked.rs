//! Tracked components: the readers of each change.

use ecs::prelude::*;

#[derive(Component, Clone, PartialEq, Debug)]
#[component(tracked)]
struct Position(i32);
#[derive(Component, Clone, Default, PartialEq, Debug)]
#[component(tracked)]
struct Health(u32);
#[derive(Component, Clone, Debug)]
#[component(tracked)]
struct Frozen;
#[derive(Component, Clone, Debug)]
#[component(requires(Health))]
struct Body;
#[derive(Component, Clone, Debug)]
struct Plain(#[allow(dead_code)] u32);

#[derive(Resource, Clone, Default, Debug)]
struct Seen {
    changed: Vec<Entity>,
    added: Vec<Entity>,
    frozen: Vec<Entity>,
    refs: Vec<(Entity, bool, bool)>,
    unchanged: Vec<Entity>,
}

#[derive(Resource, Clone, Default, Debug)]
struct Orders {
    shift: Option<i32>,
    quiet: bool,
}

world! {
    #[derive(Clone)]
    struct Game {
        components { Position, Health, Frozen, Body, Plain }
        resources { seen: Seen = Seen::default(), orders: Orders = Orders::default() }
    }
    schedule tick { before, shift, after }
    schedule watched { watch if loud }
    schedule own { shift_what_changed }
}

#[system(Game)]
fn before(changed: Query<Entity, Changed<Position>>, mut seen: ResMut<Seen>) {
    seen.changed = changed.iter().collect();
}

#[system(Game)]
fn shift(mut position: Mut<Position>, orders: Res<Orders>) {
    if let Some(by) = orders.shift {
        position.0 += by;
    }
}

#[system(Game)]
fn after(
    added: Query<Entity, Added<Position>>,
    frozen: Query<Entity, Added<Frozen>>,
    refs: Query<(Entity, Ref<Position>)>,
    unchanged: Query<Entity, (With<Position>, Not<Changed<Position>>)>,
    mut seen: ResMut<Seen>,
) {
    seen.added = added.iter().collect();
    seen.frozen = frozen.iter().collect();
    seen.refs = refs.iter().map(|(entity, it)| (entity, it.is_added(), it.is_changed())).collect();
    seen.unchanged = unchanged.iter().collect();
}

#[system(Game)]
fn watch(changed: Query<Entity, Or<(Changed<Position>, Changed<Health>)>>, mut seen: ResMut<Seen>) {
    seen.changed.extend(&changed);
}

#[system(Game)]
fn loud(orders: Res<Orders>) -> bool {
    !orders.quiet
}

#[system(Game)]
fn shift_what_changed(
    entity: Entity,
    mut position: Mut<Position>,
    _: Changed<Position>,
    mut seen: ResMut<Seen>,
) {
    position.0 += 1;
    seen.changed.push(entity);
}

fn game(count: i32) -> (Game, Vec<Entity>) {
    let mut game = Game::new();
    let ids = game.spawn_batch((0..count).map(Position)).collect();
    (game, ids)
}

#[test]
fn the_first_run_sees_all_values_and_the_next_only_changed_ones() {
    let (mut game, ids) = game(3);
    game.tick();
    assert_eq!(game.resource::<Seen>().changed, ids);
    assert_eq!(game.resource::<Seen>().added, ids);
    game.tick();
    assert!(game.resource::<Seen>().changed.is_empty());
    assert_eq!(game.resource::<Seen>().unchanged, ids);
    game.get_tracked::<Position>(ids[1]).unwrap().0 = 9;
    game.tick();
    let seen = game.resource::<Seen>();
    assert_eq!(seen.changed, [ids[1]]);
    assert_eq!(seen.refs, [(ids[0], false, false), (ids[1], false, true), (ids[2], false, false)]);
    assert_eq!((seen.unchanged.clone(), seen.added.len()), (vec![ids[0], ids[2]], 0));
}

#[test]
fn a_change_by_a_system_is_seen_by_later_ones_at_once_and_by_earlier_ones_next_time() {
    let (mut game, ids) = game(2);
    game.tick();
    game.resource_mut::<Orders>().shift = Some(1);
    game.tick();
    assert!(game.resource::<Seen>().changed.is_empty());
    assert!(game.resource::<Seen>().refs.iter().all(|seen| seen.2));
    game.resource_mut::<Orders>().shift = None;
    game.tick();
    assert_eq!(game.resource::<Seen>().changed, ids);
    assert!(game.resource::<Seen>().refs.iter().all(|seen| !seen.2));
}

#[test]
fn a_system_does_not_see_its_own_changes_in_its_next_run() {
    let (mut game, ids) = game(2);
    for _ in 0..3 {
        game.own();
    }
    assert_eq!(game.resource::<Seen>().changed, ids);
    game.get_tracked::<Position>(ids[0]).unwrap().set_changed();
    game.own();
    assert_eq!(game.resource::<Seen>().changed, [ids[0], ids[1], ids[0]]);
    assert_eq!(game.get(ids[0]), Some(&Position(2)));
}

#[test]
fn tags_can_be_added() {
    let (mut game, ids) = game(2);
    game.insert(ids[0], Frozen).unwrap();
    game.tick();
    assert_eq!(game.resource::<Seen>().frozen, [ids[0]]);
    game.columns_mut().frozen.insert(ids[1], Frozen).unwrap();
    game.tick();
    assert_eq!(game.resource::<Seen>().frozen, [ids[1]]);
}

#[test]
fn required_components_are_added() {
    let mut game = Game::new();
    let body = game.spawn(Body);
    game.watched();
    assert_eq!(game.resource::<Seen>().changed, [body]);
}

#[test]
fn looking_is_no_change() {
    let (mut game, ids) = game(3);
    game.tick();
    for mut position in game.query_mut::<Mut<Position>>() {
        assert!(position.0 >= 0);
        position.bypass_change_detection().0 += 10;
        let same = Position(position.0);
        assert!(!position.set_if_neq(same));
    }
    game.tick();
    assert!(game.resource::<Seen>().changed.is_empty());
    assert_eq!(game.get(ids[0]), Some(&Position(10)));
    assert!(game.query_mut::<Mut<Position>>().get_mut(ids[2]).unwrap().set_if_neq(Position(0)));
    game.tick();
    assert_eq!(game.resource::<Seen>().changed, [ids[2]]);
}

#[test]
fn views_and_storages_mark_changes() {
    #[system(Game)]
    fn swap(mut positions: Storage<Position>, ids: Local<Option<Entity>>) {
        let _ = ids;
        let first = positions.iter().next().map(|(entity, _)| entity);
        if let Some(mut position) = first.and_then(|first| positions.get_mut(first)) {
            position.0 += 1;
        }
        for (entity, mut position) in positions.iter_mut() {
            if Some(entity) == first {
                position.0 += 1;
            }
        }
    }
    let (mut game, ids) = game(3);
    game.tick();
    let mut view = game.columns_mut().position;
    view.get_mut(ids[1]).unwrap().0 = 7;
    for (entity, mut position) in view.iter_mut() {
        if entity == ids[2] {
            position.0 = 8;
        }
    }
    game.tick();
    assert_eq!(game.resource::<Seen>().changed, [ids[1], ids[2]]);
    game.run::<swap>();
    game.tick();
    assert_eq!(game.resource::<Seen>().changed, [ids[0]]);
    assert_eq!(game.get(ids[0]), Some(&Position(2)));
    assert!(game.entity_mut(ids[0]).unwrap().get_tracked::<Position>().unwrap().is_changed());
    assert!(game.entity(ids[0]).unwrap().get_ref::<Position>().unwrap().is_added());
}

#[test]
fn optional_and_nested_elements_are_lent() {
    #[derive(Query)]
    struct Row<'a> {
        position: Mut<'a, Position>,
        health: Option<Ref<'a, Health>>,
        nested: (Entity, Is<Frozen>),
    }
    #[derive(Query)]
    struct Look<'a> {
        position: Ref<'a, Position>,
        id: Entity,
    }
    #[system(Game)]
    fn each(row: Each<Look>, health: Option<Mut<Health>>, _: Or<(Added<Position>, Changed<Health>)>) {
        if let Some(mut health) = health {
            health.0 += row.position.0 as u32 + row.id.slot();
        }
    }
    let (mut game, ids) = game(2);
    game.insert(ids[1], Health(1)).unwrap();
    game.run::<each>();
    assert_eq!(game.get(ids[1]), Some(&Health(3)));
    let mut found = 0;
    for (mut position, health) in &mut game.query_mut::<(Mut<Position>, Option<Mut<Health>>)>() {
        position.0 += 1;
        found += usize::from(health.is_some_and(|mut health| {
            health.0 = 0;
            health.is_changed()
        }));
    }
    assert_eq!((found, game.get(ids[1])), (1, Some(&Health(0))));
    let looked: Vec<i32> = game.query::<Look>().iter().map(|look| look.position.0).collect();
    assert_eq!(looked, [1, 2]);
    for mut row in game.query_mut::<Row>() {
        assert!(
            row.nested.0 == ids[0] || row.health.is_some_and(|health| health.is_added()) || *row.nested.1
        );
        row.position.0 = 5;
    }
    assert!(game.query_mut::<Row>().iter().all(|(position, ..)| position.0 == 5));
}

#[test]
fn a_generic_system_can_require_a_tracked_component() {
    #[system]
    fn reset<T: Component + Default + PartialEq>(mut value: Mut<T>, _: Changed<T>, _: With<Body>) {
        value.set_if_neq(T::default());
    }
    #[system]
    fn bump(entity: Entity, mut value: Mut<Health>, _: Added<Health>, mut bodies: Storage<Body>) {
        value.0 += 1;
        bodies.remove(entity);
    }
    let mut game = Game::new();
    let body = game.spawn((Body, Health(3)));
    game.run::<bump>();
    assert_eq!((game.get(body), game.has::<Body>(body)), (Some(&Health(4)), false));
    game.insert(body, Body).unwrap();
    game.run::<reset<Health>>();
    assert_eq!(game.get(body), Some(&Health(0)));
}

#[test]
fn few_changes_among_many_are_found() {
    let (mut game, ids) = game(50_000);
    game.spawn(Plain(1));
    game.tick();
    let some: Vec<Entity> = ids.iter().copied().step_by(997).collect();
    for &id in &some {
        game.get_tracked::<Position>(id).unwrap().0 += 1;
    }
    let one_by_one: Vec<Entity> = {
        #[system(Game)]
        fn count(changed: Query<Entity, Changed<Position>>) -> usize {
            let (mut one, mut all) = (0, 0);
            for _ in &changed {
                one += 1;
            }
            changed.iter().for_each(|_| all += 1);
            assert_eq!((one, all), (changed.len(), changed.iter().count()));
            one
        }
        assert_eq!(game.run::<count>(), 50_000);
        game.tick();
        game.resource::<Seen>().changed.clone()
    };
    assert_eq!(one_by_one, some);
}

#[test]
fn generic_components_and_enums_can_be_tracked() {
    #[derive(Component, Clone, Debug)]
    #[component(tracked, removed = 2, crate = ::ecs)]
    struct Pair<T: Clone, const N: usize>([T; N]);
    #[derive(Component, Clone, PartialEq, Debug)]
    #[component(removed, requires(Health), tracked)]
    enum Mood {
        Glad,
        Sad,
    }
    #[derive(Resource, Default)]
    struct Lost(Vec<u8>, Vec<Mood>);
    world! {
        struct Inner {
            components { bytes: Pair<u8, 2>, words: Pair<u16, 1>, Mood, Health }
            resources { lost: Lost = Lost::default() }
        }
        schedule tick { count }
    }
    #[system(Inner)]
    fn count(
        mut bytes: Removed<Pair<u8, 2>>,
        mut moods: Removed<Mood>,
        sad: Query<Mut<Mood>, Changed<Pair<u16, 1>>>,
        mut lost: ResMut<Lost>,
    ) {
        lost.0.extend(bytes.iter().flat_map(|(_, pair)| pair.0));
        lost.1.extend(moods.iter().map(|(_, mood)| mood.clone()));
        for mut mood in sad {
            *mood = Mood::Sad;
        }
    }
    let mut inner = Inner::new();
    let (one, two) = (inner.spawn((Pair([1_u8, 2]), Mood::Glad)), inner.spawn((Pair([3_u16]), Mood::Glad)));
    inner.tick();
    assert_eq!((inner.get(one), inner.get(two)), (Some(&Mood::Glad), Some(&Mood::Sad)));
    inner.despawn(one).unwrap();
    inner.remove::<Mood>(two).unwrap();
    inner.tick();
    assert_eq!(inner.resource::<Lost>().0, [1, 2]);
    assert_eq!(inner.resource::<Lost>().1, [Mood::Glad, Mood::Sad]);
}

#[test]
fn a_unit_test_calls_a_system_with_values_of_its_own() {
    let (mut position, mut changed) = (Position(1), false);
    let orders = Orders { shift: None, quiet: false };
    shift(Mut::new(&mut position, &mut changed), Res::new(&orders));
    assert!(!changed);
    let orders = Orders { shift: Some(2), quiet: false };
    shift(Mut::new(&mut position, &mut changed), Res::new(&orders));
    assert_eq!((position.0, changed), (3, true));
    let seen = Ref::new(&position, false, true);
    assert!(seen.is_changed() && !seen.is_added());
}

#[test]
fn a_mutable_borrow_tells_whether_its_value_was_added() {
    #[derive(Resource, Default)]
    struct Told(Vec<(bool, bool, bool)>);
    world! {
        struct Ward {
            components { Health }
            resources { told: Told = Told::default() }
        }
        schedule tick { heal }
    }
    /// Heals those that have less than 10.
    #[system(Ward)]
    fn heal(mut health: Mut<Health>, mut told: ResMut<Told>) {
        let (is_added, is_changed) = (health.is_added(), health.is_changed());
        if health.0 < 10 {
            health.0 += 1;
        }
        told.0.push((is_added, is_changed, health.is_changed()));
        assert_eq!(health.is_added(), is_added, "a value that is changed is not added");
    }
    let mut ward = Ward::new();
    let entity = ward.spawn(Health(20));
    ward.tick();
    ward.tick();
    ward.get_tracked::<Health>(entity).unwrap().0 = 9;
    ward.tick();
    ward.tick();
    ward.insert(entity, Health(9)).unwrap();
    ward.tick();
    ward.despawn(entity).unwrap();
    ward.spawn(Health(9));
    ward.tick();
    let told = std::mem::take(&mut ward.resource_mut::<Told>().0);
    let expected = [
        (true, true, true),
        (false, false, false),
        (false, true, true),
        (false, false, false),
        (false, true, true),
        (true, true, true),
    ];
    assert_eq!(told, expected);
}
