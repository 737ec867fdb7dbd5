//! `Target`, `Up`, `RelatedTo` and `Sources` with data, compared with a walk by hand over maps: in
//! trees, in circles, with dead targets, packed and tracked components, in worlds and
//! snapshots, on one, two and four threads.

use std::collections::BTreeMap;

use ecs::prelude::*;
use ecs::schedule::Parallelism;
use ecs::{Many, RelatedTo, Sources, Target, Up};
use ecs_tests::random::random_cases;
use proptest::prelude::*;

#[derive(Component, Clone, PartialEq, Debug)]
struct Plain(u32);
#[derive(Component, Clone, PartialEq, Debug)]
#[component(storage = "packed")]
struct Packed(u32);
#[derive(Component, Clone, PartialEq, Debug)]
#[component(tracked)]
struct Tracked(u32);
/// Its target may be dead, and it may lead in a circle.
#[derive(Relation, Clone)]
#[relation(exclusive, gone = keep)]
struct Follows(Entity);
#[derive(Relation, Clone)]
#[relation(many)]
struct Owes(Entity);
#[derive(Component, Clone, Default, PartialEq, Debug)]
struct Seen(Vec<u32>);

world! {
    #[derive(Clone)]
    struct Game {
        components { Plain, Packed, Tracked, Follows, ChildOf, owes: Many<Owes>, Seen }
    }
    schedule look { look_at_targets, look_up, look_at_sources, look_apart }
}

type Near<'a> = (&'a Plain, Option<&'a Packed>);

#[system(Game, par)]
fn look_at_targets(
    seen: &mut Seen,
    one: Option<Target<Follows, Near>>,
    far: Option<Target<Follows, Target<Follows, &Plain>>>,
) {
    seen.0.clear();
    if let Some((plain, packed)) = one.map(Target::into_inner) {
        seen.0.extend([plain.0, packed.map_or(0, |packed| packed.0)]);
    }
    seen.0.extend(far.map(|far| far.0));
}

#[system(Game, par)]
fn look_up(seen: &mut Seen, up: Up<Follows, (&Packed, Option<Ref<Tracked>>)>) {
    let (packed, tracked) = up.into_inner();
    seen.0.extend([packed.0, tracked.map_or(0, |tracked| tracked.0)]);
}

#[system(Game, par)]
fn look_at_sources(seen: &mut Seen, debtors: Sources<Owes, (&Plain, Option<&Packed>)>) {
    seen.0.extend(debtors.values().map(|(plain, packed)| plain.0 + packed.map_or(0, |packed| packed.0)));
}

/// A tracked value, and the plain one of the leader.
#[derive(Query)]
struct Led<'a> {
    tracked: &'a Tracked,
    leader: Target<Follows, &'a Plain>,
}

#[derive(Query)]
struct Look<'a> {
    entity: Entity,
    near: Option<(&'a Plain, Option<&'a Packed>)>,
    led: Option<Led<'a>>,
    debtors: Sources<'a, Owes, &'a Plain>,
}

#[derive(Query)]
struct Raise<'a> {
    packed: &'a mut Packed,
    tracked: Mut<'a, Tracked>,
}

/// The filter asks for what the target has, and the row for what the entity has.
#[system(Game, par)]
fn look_apart(seen: &mut Seen, _: RelatedTo<Follows, (With<Plain>, Without<Packed>)>, _: Without<Tracked>) {
    seen.0.push(1000);
}

/// An entity of the model.
#[derive(Clone, Default)]
struct Row {
    plain: Option<u32>,
    packed: Option<u32>,
    tracked: Option<u32>,
    follows: Option<Entity>,
    parent: Option<Entity>,
    owes: Vec<Entity>,
}

#[derive(Clone)]
struct Pair {
    game: Game,
    rows: BTreeMap<Entity, Row>,
    /// For each creditor its debtors, in the order in which they were related.
    debtors: BTreeMap<Entity, Vec<Entity>>,
    all: Vec<Entity>,
}

impl Pair {
    fn apply(&mut self, (kind, a, b, value): (u8, u16, u16, u32)) {
        let game = &mut self.game;
        if kind == 0 || self.all.is_empty() {
            let entity = game.spawn(Seen::default());
            self.rows.insert(entity, Row::default());
            return self.all.push(entity);
        }
        let at = |number: u16| self.all[number as usize % self.all.len()];
        let (entity, other) = (at(a), at(b));
        let Some(row) = self.rows.get_mut(&entity) else { return };
        match kind {
            1 | 2 => row.plain = game.insert(entity, Plain(value)).is_ok().then_some(value),
            3 => row.packed = game.insert(entity, Packed(value)).is_ok().then_some(value),
            4 => row.tracked = game.insert(entity, Tracked(value)).is_ok().then_some(value),
            5 => {
                _ = game.remove::<(Plain, Tracked)>(entity);
                (row.plain, row.tracked) = (None, None);
            }
            6 => {
                _ = game.remove::<Packed>(entity);
                row.packed = None;
            }
            7..=10 => {
                if game.insert(entity, Follows(other)).is_ok() {
                    row.follows = Some(other);
                }
            }
            11 | 12 => {
                if game.insert(entity, ChildOf(other)).is_ok() {
                    row.parent = Some(other);
                }
            }
            13 | 14 => {
                let is_new = !row.owes.contains(&other);
                if game.relate(entity, Owes(other)).is_ok() && is_new {
                    row.owes.push(other);
                    self.debtors.entry(other).or_default().push(entity);
                }
            }
            _ => {
                game.despawn(entity).unwrap();
                self.rows.retain(|entity, _| game.contains(*entity));
                self.debtors.retain(|entity, _| game.contains(*entity));
                self.debtors.values_mut().for_each(|all| all.retain(|entity| game.contains(*entity)));
                self.rows.values_mut().for_each(|row| row.owes.retain(|entity| game.contains(*entity)));
            }
        }
    }

    fn target(&self, entity: Entity) -> Option<(Entity, &Row)> {
        let target = self.rows.get(&entity)?.follows?;
        Some((target, self.rows.get(&target)?))
    }

    /// The nearest entity along `step` that matches, by a walk of as many steps as there are
    /// entities.
    fn up<'a, T>(
        &'a self,
        entity: Entity,
        step: impl Fn(&Row) -> Option<Entity>,
        of: impl Fn(&'a Row) -> Option<T>,
    ) -> Option<(Entity, T)> {
        let mut at = entity;
        for _ in 0..=self.rows.len() {
            at = step(self.rows.get(&at)?)?;
            if let Some(found) = of(self.rows.get(&at)?) {
                return Some((at, found));
            }
        }
        None
    }

    /// What `look` leaves in `Seen`.
    fn seen(&self, entity: Entity) -> Vec<u32> {
        let (row, mut seen) = (&self.rows[&entity], Vec::new());
        let one = self.target(entity);
        if let Some((_, Row { plain: Some(plain), packed, .. })) = one {
            seen.extend([*plain, packed.unwrap_or(0)]);
        }
        seen.extend(one.and_then(|(target, _)| self.target(target)?.1.plain));
        let of = |row: &Row| row.packed.map(|packed| (packed, row.tracked.unwrap_or(0)));
        if let Some((_, (packed, tracked))) = self.up(entity, |row| row.follows, of) {
            seen.extend([packed, tracked]);
        }
        for debtor in self.debtors.get(&entity).into_iter().flatten() {
            let debtor = &self.rows[debtor];
            seen.extend(debtor.plain.map(|plain| plain + debtor.packed.unwrap_or(0)));
        }
        let apart = one.is_some_and(|(_, target)| target.plain.is_some() && target.packed.is_none());
        seen.extend((apart && row.tracked.is_none()).then_some(1000));
        seen
    }

    /// `Option`s of tuples and of query structs, in a world and in a snapshot, and by id.
    fn check_options(&self, game: &mut Game) -> Result<(), TestCaseError> {
        let near = |row: &Row| row.plain.map(|plain| (plain, row.packed));
        let led = |entity: Entity, row: &Row| Some((row.tracked?, self.target(entity)?.1.plain?));
        let snapshot = game.snapshot();
        let frozen = snapshot.query::<(Option<(&Plain, Option<&Packed>)>, Option<Led>)>();
        let query = game.query::<Look>();
        prop_assert_eq!(query.len(), self.rows.len());
        for Look { entity, near: of_world, led: is_led, debtors } in game.query::<Look>() {
            let row = &self.rows[&entity];
            let (of_snapshot, was_led) = frozen.get(entity).unwrap();
            for found in [of_world, of_snapshot] {
                let found = found.map(|(plain, packed)| (plain.0, packed.map(|packed| packed.0)));
                prop_assert_eq!(found, near(row));
            }
            let by_id = query.get(entity).unwrap().led;
            for found in [is_led, was_led, by_id] {
                prop_assert_eq!(found.map(|led| (led.tracked.0, led.leader.0)), led(entity, row));
            }
            let of_debtors: Vec<u32> = debtors.values().map(|plain| plain.0).collect();
            let all = self.debtors.get(&entity).into_iter().flatten();
            prop_assert_eq!(of_debtors, all.filter_map(|one| self.rows[one].plain).collect::<Vec<_>>());
        }
        let before = game.advance_tick();
        for (entity, raise) in game.query_mut::<(Entity, Option<Raise>)>() {
            let Row { packed, tracked, .. } = &self.rows[&entity];
            prop_assert_eq!(raise.is_some(), packed.is_some() && tracked.is_some());
            if let Some(Raise { packed, mut tracked }) = raise {
                (packed.0, tracked.0) = (packed.0 + 1, tracked.0 + 1);
            }
        }
        for (&entity, row) in &self.rows {
            let both = row.packed.is_some() && row.tracked.is_some();
            let packed = game.get::<Packed>(entity).map(|packed| packed.0);
            prop_assert_eq!(packed, row.packed.map(|packed| packed + u32::from(both)));
            let changed = game.query::<Entity>().filter::<Changed<Tracked>>().since(before);
            prop_assert_eq!(changed.contains(entity), both);
        }
        Ok(())
    }

    fn check(&mut self) -> Result<(), TestCaseError> {
        self.check_options(&mut self.game.clone())?;
        let mut ticked: Vec<Game> = [Parallelism::Never, Parallelism::Always]
            .into_iter()
            .map(|parallelism| {
                let mut game = self.game.clone();
                game.set_parallelism(parallelism);
                game.look();
                game
            })
            .collect();
        for &entity in self.rows.keys() {
            for game in &ticked {
                prop_assert_eq!(&game.get::<Seen>(entity).unwrap().0, &self.seen(entity), "{}", entity);
            }
        }
        let game = &mut ticked[0];
        let snapshot = game.snapshot();
        // one query of each kind, in the world and in the snapshot, and by id
        let expected: Vec<_> = self
            .rows
            .keys()
            .filter_map(|&entity| Some((entity, self.up(entity, |row| row.parent, |row| row.plain)?)))
            .map(|(entity, (at, plain))| (entity, at, plain))
            .collect();
        let up = game.query::<(Entity, Up<ChildOf, &Plain>)>();
        let mut found: Vec<_> = up.iter().map(|(entity, up)| (entity, up.entity(), up.0)).collect();
        found.sort();
        prop_assert_eq!(&found, &expected);
        prop_assert_eq!(up.len(), expected.len());
        for &entity in &self.all {
            let is_there = expected.iter().find(|(one, ..)| *one == entity);
            prop_assert_eq!(up.get(entity).map(|(_, up)| up.entity()), is_there.map(|(_, at, _)| *at));
        }
        let frozen = snapshot.query::<(Entity, Up<ChildOf, &Plain>)>();
        let mut found: Vec<_> = frozen.iter().map(|(entity, up)| (entity, up.entity(), up.0)).collect();
        found.sort();
        prop_assert_eq!(&found, &expected);
        let targets = snapshot.query::<(Entity, Option<Target<Follows, &Packed>>)>();
        for (entity, target) in targets.iter() {
            let packed = self.target(entity).and_then(|(_, row)| row.packed);
            prop_assert_eq!(target.map(|target| target.0), packed);
        }
        let related = snapshot.query::<Entity>().filter::<RelatedTo<Follows, With<Tracked>>>();
        let of_world = game.entities().filter::<RelatedTo<Follows, With<Tracked>>>();
        let not = game.entities().filter::<Not<RelatedTo<Follows, With<Tracked>>>>();
        for &entity in self.rows.keys() {
            let passes = self.target(entity).is_some_and(|(_, row)| row.tracked.is_some());
            prop_assert_eq!(related.contains(entity), passes);
            prop_assert_eq!(of_world.contains(entity), passes);
            prop_assert_eq!(not.contains(entity), !passes);
        }
        Ok(())
    }
}

proptest! {
    #![proptest_config(random_cases(200))]

    #[test]
    fn what_is_read_along_relations_agrees_with_a_walk(
        operations in prop::collection::vec((0..16_u8, any::<u16>(), any::<u16>(), 1..900_u32), 1..250),
    ) {
        let mut pair = Pair {
            game: Game::new(),
            rows: BTreeMap::new(),
            debtors: BTreeMap::new(),
            all: Vec::new(),
        };
        for _ in 0..8 {
            pair.apply((0, 0, 0, 0));
        }
        for (number, operation) in operations.into_iter().enumerate() {
            pair.apply(operation);
            if number % 8 == 0 {
                pair.check()?;
            }
        }
        pair.check()?;
    }
}
