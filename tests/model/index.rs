//! Random operations on a world with an index and a key, by every way to add, change and remove
//! values: the indexes agree with a plain map.

use std::collections::BTreeMap;

use ecs::command::FailurePolicy;
use ecs::prelude::*;
use ecs_tests::random::random_cases;
use proptest::prelude::*;

#[derive(Component, Clone, PartialEq, Eq, Hash, Debug)]
#[component(index)]
struct Team(u8);

#[derive(Component, Clone, PartialEq, Debug)]
#[component(key = 0)]
struct Seat(u8, u32);

#[derive(Component, Clone)]
struct Joins(u8);

world! {
    #[derive(Clone)]
    struct Game {
        components { Team, Seat, Joins }
        resources { wrong: Wrong = Wrong(0) }
    }
    schedule tick { check, switch, check_again; join; check_last }
}

/// The number of differences between an index and a scan in a system.
#[derive(Resource, Clone)]
struct Wrong(usize);

fn differs<'t>(teams: Lookup<'_, Team>, all: impl Iterator<Item = (Entity, &'t Team)>) -> bool {
    let all: Vec<(Entity, &Team)> = all.collect();
    (0..6).any(|team| {
        let scan = all.iter().filter(|(_, at)| at.0 == team).map(|(entity, _)| *entity);
        !teams.find(&Team(team)).eq(scan)
    })
}

#[system(Game)]
fn check(teams: Lookup<Team>, all: Query<(Entity, &Team)>, mut wrong: ResMut<Wrong>) {
    wrong.0 += usize::from(differs(teams, all.iter()));
}
#[system(Game)]
fn check_again(teams: Lookup<Team>, all: Query<(Entity, &Team)>, mut wrong: ResMut<Wrong>) {
    wrong.0 += usize::from(differs(teams, all.iter()));
}
#[system(Game)]
fn check_last(teams: Lookup<Team>, all: Query<(Entity, &Team)>, mut wrong: ResMut<Wrong>) {
    wrong.0 += usize::from(differs(teams, all.iter()));
}

#[system(Game)]
fn switch(mut team: Mut<Team>, _: With<Joins>) {
    team.0 = (team.0 + 1) % 6;
}

#[system(Game)]
fn join(joining: Query<(Entity, &Joins)>, mut teams: Storage<Team>) {
    for (entity, joins) in &joining {
        match joins.0 % 3 {
            0 => _ = teams.remove(entity),
            1 => _ = teams.insert(entity, Team(joins.0 % 6)).unwrap(),
            _ => teams.iter_mut().filter(|(id, _)| *id == entity).for_each(|(_, mut team)| team.0 = 0),
        }
    }
}

#[derive(Clone, Debug)]
enum Operation {
    Spawn(u8, Option<u8>),
    SpawnMany(Vec<u8>),
    Seat(usize, u8),
    Insert(usize, u8),
    Change(usize, u8),
    ChangeAll(u8),
    View(usize, u8),
    Remove(usize),
    Despawn(usize),
    Commands(usize, u8),
    Join(usize, u8),
    Tick,
    Copy,
    Clear,
    Shrink,
}

fn operation() -> impl Strategy<Value = Operation> {
    use Operation::*;
    prop_oneof![
        4 => (0..6u8, proptest::option::of(0..9u8)).prop_map(|(team, seat)| Spawn(team, seat)),
        1 => proptest::collection::vec(0..6u8, 0..80).prop_map(SpawnMany),
        3 => (any::<usize>(), 0..9u8).prop_map(|(at, seat)| Seat(at, seat)),
        3 => (any::<usize>(), 0..6u8).prop_map(|(at, team)| Insert(at, team)),
        4 => (any::<usize>(), 0..6u8).prop_map(|(at, team)| Change(at, team)),
        1 => (0..6u8).prop_map(ChangeAll),
        2 => (any::<usize>(), 0..6u8).prop_map(|(at, team)| View(at, team)),
        2 => any::<usize>().prop_map(Remove),
        2 => any::<usize>().prop_map(Despawn),
        2 => (any::<usize>(), 0..6u8).prop_map(|(at, team)| Commands(at, team)),
        2 => (any::<usize>(), any::<u8>()).prop_map(|(at, joins)| Join(at, joins)),
        2 => Just(Tick),
        1 => Just(Copy),
        1 => Just(Clear),
        1 => Just(Shrink),
    ]
}

/// The model: a map of seats. Teams are compared with a scan.
#[derive(Default)]
struct Plain {
    seats: BTreeMap<u8, Entity>,
    all: Vec<Entity>,
}

impl Plain {
    fn pick(&self, at: usize) -> Option<Entity> {
        (!self.all.is_empty()).then(|| self.all[at % self.all.len()])
    }
}

fn apply(game: &mut Game, plain: &mut Plain, operation: &Operation) {
    use Operation::*;
    let entity = match operation {
        Seat(at, _)
        | Insert(at, _)
        | Change(at, _)
        | View(at, _)
        | Remove(at)
        | Despawn(at)
        | Commands(at, _)
        | Join(at, _) => {
            let Some(entity) = plain.pick(*at) else { return };
            entity
        }
        _ => Entity::from_bits(1 << 32).unwrap(),
    };
    match operation {
        Spawn(team, None) => plain.all.push(game.spawn(Team(*team))),
        Spawn(team, Some(seat)) => {
            let spawned = game.try_spawn((Team(*team), self::Seat(*seat, 0)));
            assert_eq!(spawned.is_ok(), !plain.seats.contains_key(seat));
            if let Ok(entity) = spawned {
                plain.seats.insert(*seat, entity);
                plain.all.push(entity);
            }
        }
        SpawnMany(teams) => plain.all.extend(game.spawn_batch(teams.iter().map(|&team| Team(team)))),
        Seat(_, seat) => {
            let free = plain.seats.get(seat).is_none_or(|&holder| holder == entity);
            assert_eq!(game.insert(entity, self::Seat(*seat, 1)).is_ok(), free);
            if free {
                plain.seats.retain(|_, holder| *holder != entity);
                plain.seats.insert(*seat, entity);
            }
        }
        Insert(_, team) => _ = game.insert(entity, Team(*team)).unwrap(),
        Change(_, team) => {
            if let Some(mut at) = game.get_tracked::<Team>(entity) {
                at.0 = *team;
            }
        }
        ChangeAll(team) => game.query_mut::<Mut<Team>>().for_each(|mut at| at.0 = (at.0 + team) % 6),
        View(_, team) => {
            let view = &mut game.columns_mut().team;
            match team {
                0 => _ = view.remove(entity),
                1 => _ = view.insert(entity, Team(4)),
                _ => {
                    if let Some(mut at) = view.get_mut(entity) {
                        at.0 = *team;
                    }
                }
            }
        }
        Remove(_) => {
            game.remove::<(Team, self::Seat)>(entity).unwrap();
            plain.seats.retain(|_, holder| *holder != entity);
        }
        Despawn(_) => {
            game.despawn(entity).unwrap();
            plain.seats.retain(|_, holder| *holder != entity);
            plain.all.retain(|&other| other != entity);
        }
        Commands(_, team) => {
            let mut spawned = entity;
            game.with_commands(|mut commands| {
                commands.insert(entity, Team(*team));
                spawned = commands.spawn(Team(*team));
                commands.run(move |game| game.get_tracked::<Team>(entity).unwrap().0 = 5);
                commands.insert(spawned, Team(1));
            });
            plain.all.push(spawned);
        }
        Join(_, joins) => _ = game.insert(entity, Joins(*joins)).unwrap(),
        Tick => game.tick(),
        Copy => *game = game.clone(),
        Shrink => game.shrink_to_fit(),
        Clear => {
            game.clear();
            *plain = Plain::default();
        }
    }
}

fn agree(game: &Game, plain: &Plain) {
    for team in 0..7 {
        let scan = game.query::<(Entity, &Team)>();
        let scan: Vec<Entity> =
            scan.iter().filter(|(_, at)| at.0 == team).map(|(entity, _)| entity).collect();
        assert_eq!(game.find::<Team>(&Team(team)).collect::<Vec<_>>(), scan);
        assert_eq!(game.find_one::<Team>(&Team(team)), scan.first().copied());
    }
    for seat in 0..9 {
        assert_eq!(game.find_one::<Seat>(&seat), plain.seats.get(&seat).copied());
    }
    assert_eq!(game.resource::<Wrong>().0, 0);
}

proptest! {
    #![proptest_config(random_cases(300))]

    #[test]
    fn an_index_agrees_with_a_scan(operations in proptest::collection::vec(operation(), 1..80)) {
        let (mut game, mut plain) = (Game::new(), Plain::default());
        game.on_failed_command(FailurePolicy::Panic);
        for operation in &operations {
            apply(&mut game, &mut plain, operation);
            agree(&game, &plain);
        }
    }
}
