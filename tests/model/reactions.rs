//! Random operations on a world with reactions: after each run of a schedule, the reported changes
//! equal those of a plain log of all operations.

use std::collections::{BTreeMap, BTreeSet};

use ecs::prelude::*;
use ecs_tests::random::random_cases;
use proptest::prelude::*;

#[derive(Component, Clone, Copy, PartialEq, Debug)]
#[component(tracked, removed)]
struct Score(u32);
#[derive(Component, Clone)]
struct Marked;

#[derive(Resource, Clone, Default, PartialEq, Debug)]
struct Told {
    changed: Vec<Entity>,
    added: Vec<Entity>,
    entered: Vec<Entity>,
    exited: Vec<Entity>,
    lost: Vec<(Entity, u32)>,
}

world! {
    #[derive(Clone)]
    struct Court { components { Score, Marked } resources { told: Told = Told::default(), ask: Ask = Ask(true) } }
    schedule tick { tell if asked }
}

#[derive(Resource, Clone)]
struct Ask(bool);

#[system(Court)]
fn asked(ask: Res<Ask>) -> bool {
    ask.0
}

type Members = (With<Score>, Without<Marked>);

#[system(Court)]
fn tell(
    changed: Query<Entity, Changed<Score>>,
    added: Query<Entity, (With<Score>, Added<Score>)>,
    entered: Entered<Members>,
    exited: Exited<Members>,
    mut lost: Removed<Score>,
    mut told: ResMut<Told>,
) {
    *told = Told {
        changed: changed.iter().collect(),
        added: added.iter().collect(),
        entered: entered.iter().collect(),
        exited: exited.iter().collect(),
        lost: lost.iter().map(|(entity, score)| (entity, score.0)).collect(),
    };
}

/// The model of an entity: its score, the numbers of the operations that last added and changed it,
/// and its mark.
#[derive(Clone, Default)]
struct Row {
    score: Option<(u32, usize, usize)>,
    marked: bool,
}

#[derive(Default)]
struct Account {
    rows: BTreeMap<Entity, Row>,
    /// The members of a filter at its last run, and the number of that run.
    members: BTreeSet<Entity>,
    asked: usize,
    lost: Vec<(Entity, u32)>,
    deeds: usize,
}

impl Account {
    fn lose(&mut self, entity: Entity) {
        let row = self.rows.get_mut(&entity);
        self.lost.extend(row.and_then(|row| row.score.take()).map(|(value, ..)| (entity, value)));
    }

    fn told(&mut self) -> Told {
        let since = |pick: fn((u32, usize, usize)) -> usize| {
            let rows = self.rows.iter();
            let new = rows.filter(|(_, row)| row.score.is_some_and(|score| pick(score) > self.asked));
            new.map(|(entity, _)| *entity).collect::<Vec<_>>()
        };
        let (added, changed) = (since(|score| score.1), since(|score| score.2));
        let members: BTreeSet<Entity> = self
            .rows
            .iter()
            .filter(|(_, row)| row.score.is_some() && !row.marked)
            .map(|(entity, _)| *entity)
            .collect();
        let stayed = |entity: &&Entity| members.contains(entity) && !added.contains(entity);
        let stayed: BTreeSet<Entity> = self.members.iter().filter(stayed).copied().collect();
        let told = Told {
            entered: members.difference(&stayed).copied().collect(),
            exited: self.members.difference(&stayed).copied().collect(),
            lost: std::mem::take(&mut self.lost),
            changed,
            added,
        };
        (self.members, self.asked) = (members, self.deeds);
        told
    }
}

#[derive(Clone, Debug)]
enum Deed {
    Spawn(bool),
    Batch(u8),
    Despawn(usize),
    Insert(usize, u32),
    Remove(usize),
    Change(usize),
    Mark(usize),
    Unmark(usize),
    Clear,
    Tick(bool),
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        8 => any::<bool>().prop_map(Deed::Spawn),
        1 => any::<u8>().prop_map(Deed::Batch),
        6 => any::<usize>().prop_map(Deed::Despawn),
        6 => (any::<usize>(), 0..9u32).prop_map(|(which, value)| Deed::Insert(which, value)),
        6 => any::<usize>().prop_map(Deed::Remove),
        6 => any::<usize>().prop_map(Deed::Change),
        4 => any::<usize>().prop_map(Deed::Mark),
        4 => any::<usize>().prop_map(Deed::Unmark),
        1 => Just(Deed::Clear),
        6 => prop::bool::weighted(0.8).prop_map(Deed::Tick),
    ]
}

fn run(deeds: Vec<Deed>) {
    let (mut court, mut account) = (Court::new(), Account::default());
    for deed in deeds {
        account.deeds += 1;
        let now = account.deeds;
        let pick = |which: usize| account.rows.keys().nth(which % account.rows.len().max(1)).copied();
        match deed {
            Deed::Spawn(scored) => {
                let entity = if scored { court.spawn(Score(1)) } else { court.spawn(()) };
                let score = scored.then_some((1, now, now));
                account.rows.insert(entity, Row { score, marked: false });
            }
            Deed::Batch(count) => {
                let ids: Vec<Entity> = court.spawn_batch((0..count).map(|_| Score(2))).collect();
                let row = Row { score: Some((2, now, now)), marked: false };
                account.rows.extend(ids.into_iter().map(|entity| (entity, row.clone())));
            }
            Deed::Despawn(which) => {
                if let Some(entity) = pick(which) {
                    court.despawn(entity).unwrap();
                    account.lose(entity);
                    account.rows.remove(&entity);
                }
            }
            Deed::Insert(which, value) => {
                if let Some(entity) = pick(which) {
                    court.insert(entity, Score(value)).unwrap();
                    let row = account.rows.get_mut(&entity).unwrap();
                    row.score = Some((value, row.score.map_or(now, |score| score.1), now));
                }
            }
            Deed::Remove(which) => {
                if let Some(entity) = pick(which) {
                    let removed = if which % 2 == 0 {
                        court.remove::<Score>(entity).unwrap()
                    } else {
                        court.columns_mut().score.remove(entity)
                    };
                    assert_eq!(
                        removed.map(|score| score.0),
                        account.rows[&entity].score.map(|score| score.0)
                    );
                    account.lose(entity);
                }
            }
            Deed::Change(which) => {
                if let Some(entity) = pick(which) {
                    if let Some(mut score) = court.get_tracked::<Score>(entity) {
                        score.0 += 1;
                    }
                    if let Some(score) = &mut account.rows.get_mut(&entity).unwrap().score {
                        (score.0, score.2) = (score.0 + 1, now);
                    }
                }
            }
            Deed::Mark(which) => {
                if let Some(entity) = pick(which) {
                    court.insert(entity, Marked).unwrap();
                    account.rows.get_mut(&entity).unwrap().marked = true;
                }
            }
            Deed::Unmark(which) => {
                if let Some(entity) = pick(which) {
                    court.remove::<Marked>(entity).unwrap();
                    account.rows.get_mut(&entity).unwrap().marked = false;
                }
            }
            Deed::Clear => {
                court.clear();
                for entity in account.rows.keys().copied().collect::<Vec<_>>() {
                    account.lose(entity);
                }
                account.rows.clear();
            }
            Deed::Tick(ask) => {
                court.resource_mut::<Ask>().0 = ask;
                if ask {
                    let mut copy = court.clone();
                    court.tick();
                    copy.tick();
                    let expected = account.told();
                    assert_eq!(court.resource::<Told>(), &expected);
                    assert_eq!(copy.resource::<Told>(), &expected);
                } else {
                    court.tick();
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(random_cases(200))]

    #[test]
    fn reactions_agree_with_an_account_of_all_deeds(deeds in prop::collection::vec(deed(), 1..400)) {
        run(deeds);
    }
}
