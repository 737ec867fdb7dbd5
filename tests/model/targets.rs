//! Relations whose targets have components, compared with rows of a map. All ways that make or
//! remove a component or a relation are called in random order: verbs, commands of systems on one
//! thread and on several, names, clones, files, merges, deltas, snapshots, and moves to other slots
//! and to another world.

use std::collections::{BTreeMap, BTreeSet};

use ecs::children;
use ecs::error::SpawnAtError;
use ecs::prelude::*;
use ecs::reflect::ReflectWorld;
use ecs::relation::Gone;
use ecs::save::{Baseline, DanglingIds, Replica, Selection};
use ecs::schedule::Parallelism;
use ecs::world::{GenericComponents, MoveComponents};
use ecs::{HasRelation, Many, Snapshot};
use ecs_tests::random::random_cases;
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Reflect, PartialEq, Debug)]
struct Health(u32);
#[derive(Component, Clone, Reflect, PartialEq, Debug)]
#[component(removed)]
struct Armor;
#[derive(Component, Clone, Reflect, Default)]
struct Bereaved;
/// Its `Health` is removed by a command.
#[derive(Component, Clone, Reflect)]
struct Stripped;
/// A command relates it to the entity.
#[derive(Component, Clone, Reflect)]
struct Aims(Entity);

macro_rules! relations {
    ($($name:ident [$($option:tt)*];)*) => {$(
        #[derive(Relation, Clone, Reflect, PartialEq, Debug)]
        #[relation($($option)*)]
        struct $name(Entity);
        impl From<Entity> for $name {
            fn from(target: Entity) -> Self {
                Self(target)
            }
        }
    )*};
}

relations! {
    Attacks [exclusive, target(Health)];
    BarOf [exclusive, acyclic, gone = cascade, target(Health)];
    Fears [exclusive, gone = mark(Bereaved), target(Health, Armor)];
    Heals [exclusive, to_self, target(Health)];
    Owes [many, gone = remove, target(Armor)];
    Hears [many, gone = keep, target(Health)];
}

world! {
    #[derive(Clone, Serialize, Deserialize, Reflect)]
    struct Game {
        components {
            Health, Armor, Bereaved, Stripped, Aims, Attacks, BarOf, Fears, Heals, owes: Many<Owes>,
            hears: Many<Hears>,
        }
    }
    schedule tick { strip, aim; }
}

#[system(Game, par)]
fn strip(entity: Entity, _: With<Stripped>, mut commands: ParCommands<Game>) {
    commands.remove::<Health>(entity);
}

#[system(Game)]
fn aim(aiming: Query<(Entity, &Aims)>, mut commands: Commands<Game>) {
    for (entity, aims) in &aiming {
        commands.relate(entity, Attacks(aims.0));
    }
}

type All = (Health, Armor, Bereaved, Stripped, Aims, Attacks, BarOf, Fears, Heals, Many<Owes>, Many<Hears>);

/// The rules of a relation.
struct Rules {
    exclusive: bool,
    gone: Gone,
    acyclic: bool,
    to_self: bool,
    health: bool,
    armor: bool,
}

const fn rules(exclusive: bool, gone: Gone, [acyclic, to_self, health, armor]: [bool; 4]) -> Rules {
    Rules { exclusive, gone, acyclic, to_self, health, armor }
}

const RULES: [Rules; 6] = [
    rules(true, Gone::Remove, [false, false, true, false]),
    rules(true, Gone::Cascade, [true, false, true, false]),
    rules(true, Gone::Mark, [false, false, true, true]),
    rules(true, Gone::Remove, [false, true, true, false]),
    rules(false, Gone::Remove, [false, false, false, true]),
    rules(false, Gone::Keep, [false, false, true, false]),
];

#[derive(Clone, Default)]
struct Row {
    health: Option<u32>,
    armor: bool,
    bereaved: bool,
    stripped: bool,
    aims: Option<Entity>,
    targets: [Vec<Entity>; 6],
}

#[derive(Clone, Default)]
struct Model(BTreeMap<Entity, Row>);

impl Model {
    /// Whether the relation `at` of `source` may point to `target`.
    fn allowed(&self, at: usize, source: Entity, target: Entity) -> bool {
        let rules = &RULES[at];
        self.0.contains_key(&source)
            && self.fits(at, target)
            && (source != target || rules.to_self)
            && !(rules.acyclic && self.leads(at, target, source))
    }

    /// Whether an entity is alive and has what a target of the relation has.
    fn fits(&self, at: usize, target: Entity) -> bool {
        let (to, rules) = (self.0.get(&target), &RULES[at]);
        to.is_some_and(|to| (to.health.is_some() || !rules.health) && (to.armor || !rules.armor))
    }

    fn leads(&self, at: usize, mut from: Entity, to: Entity) -> bool {
        while from != to {
            let next = self.0.get(&from).and_then(|row| row.targets[at].first());
            match next {
                Some(&next) => from = next,
                None => return false,
            }
        }
        true
    }

    fn relate(&mut self, at: usize, source: Entity, target: Entity) {
        let targets = &mut self.0.get_mut(&source).unwrap().targets[at];
        if RULES[at].exclusive {
            targets.clear();
        }
        if !targets.contains(&target) {
            targets.push(target);
        }
    }

    /// Applies the policy of a relation to the sources of an entity.
    fn gone(&mut self, at: usize, target: Entity) {
        let sources: Vec<Entity> = self.sources(at, target);
        for source in sources {
            match RULES[at].gone {
                Gone::Keep => {}
                Gone::Mark => self.0.get_mut(&source).unwrap().bereaved = true,
                Gone::Remove => {
                    self.0.get_mut(&source).unwrap().targets[at].retain(|&other| other != target);
                }
                Gone::Cascade => self.kill(source),
            }
        }
    }

    fn sources(&self, at: usize, target: Entity) -> Vec<Entity> {
        let is_one = |(_, row): &(&Entity, &Row)| row.targets[at].contains(&target);
        self.0.iter().filter(is_one).map(|(&source, _)| source).collect()
    }

    fn kill(&mut self, entity: Entity) {
        if self.0.remove(&entity).is_some() {
            (0..6).for_each(|at| self.gone(at, entity));
        }
    }

    /// A row without ids of despawned entities. A merge gives these other ids, so that they stay
    /// dead if a restored world spawns entities with the former ones.
    fn without_dead(&self, row: &Row) -> Row {
        let mut row = row.clone();
        row.targets.iter_mut().for_each(|targets| targets.retain(|id| self.0.contains_key(id)));
        row.aims = row.aims.filter(|id| self.0.contains_key(id));
        row
    }

    /// Removes components of an entity.
    fn remove(&mut self, entity: Entity, health: bool, armor: bool) {
        let Some(row) = self.0.get_mut(&entity) else { return };
        let (had_health, had_armor) = (row.health.is_some(), row.armor);
        if health {
            row.health = None;
        }
        row.armor &= !armor;
        for (at, rules) in RULES.iter().enumerate() {
            let lost = rules.health && health && had_health || rules.armor && armor && had_armor;
            if lost && self.0.contains_key(&entity) {
                self.gone(at, entity);
            }
        }
    }
}

/// An operation, two entities, a relation and a number.
type Operation = (u8, u16, u16, u8, u32);

struct Pair {
    game: Game,
    model: Model,
    all: Vec<Entity>,
    snapshot: Option<(Snapshot<Game>, Model)>,
    copy: Game,
    replica: Replica,
    known: Baseline<Game>,
}

/// Calls a function with the type of a relation.
macro_rules! with_relation {
    ($at:expr, $call:ident($($argument:expr),*)) => {
        match $at {
            0 => $call::<Attacks>($($argument),*),
            1 => $call::<BarOf>($($argument),*),
            2 => $call::<Fears>($($argument),*),
            3 => $call::<Heals>($($argument),*),
            4 => $call::<Owes>($($argument),*),
            _ => $call::<Hears>($($argument),*),
        }
    };
}

fn relate<R: Relation + From<Entity> + Send + Sync>(
    game: &mut Game,
    way: u32,
    source: Entity,
    target: Entity,
) -> bool
where
    Game: HasRelation<R>,
{
    let has = |game: &Game| game.relations::<R>(source).iter().any(|edge| edge.target() == target);
    match way % 3 {
        0 => game.relate(source, R::from(target)).is_ok(),
        1 => game.relate_batch([(source, R::from(target))]).is_ok(),
        _ => {
            game.with_commands(|mut commands| commands.relate(source, R::from(target)));
            has(game)
        }
    }
}

fn unrelate<R: Relation>(game: &mut Game, source: Entity, target: Entity)
where
    Game: HasRelation<R>,
{
    let _ = game.unrelate::<R>(source, target);
}

fn targets<R: Relation>(game: &Game, source: Entity) -> Vec<Entity>
where
    Game: HasRelation<R>,
{
    game.relations::<R>(source).iter().map(Relation::target).collect()
}

fn sources<R: Relation>(game: &Game, target: Entity) -> Vec<Entity>
where
    Game: HasRelation<R>,
{
    let mut sources = game.sources::<R>(target).to_vec();
    sources.sort();
    sources
}

/// Inserts the relation as a component of a bundle.
fn insert(game: &mut Game, at: usize, source: Option<Entity>, target: Entity) -> Option<Entity> {
    macro_rules! insert {
        ($bundle:expr) => {
            match source {
                Some(source) => game.insert(source, $bundle).ok().map(|_| source),
                None => game.try_spawn((Health(1), $bundle)).ok(),
            }
        };
    }
    match at {
        0 => insert!(Attacks(target)),
        1 => insert!(BarOf(target)),
        2 => insert!(Fears(target)),
        3 => insert!(Heals(target)),
        4 => insert!(Many::one(Owes(target))),
        _ => insert!(Many::one(Hears(target))),
    }
}

impl Pair {
    fn new() -> Self {
        let mut game = Game::new();
        game.on_failed_command(ecs::command::FailurePolicy::Ignore);
        let known = Baseline::nothing();
        let (model, copy, replica) = (Model::default(), Game::new(), Replica::new());
        Self { game, model, all: Vec::new(), snapshot: None, copy, replica, known }
    }

    fn pick(&self, n: u16) -> Entity {
        self.all[usize::from(n) % self.all.len()]
    }

    fn spawn(&mut self, bits: u32) {
        let entity = self.game.spawn(());
        let mut row = Row::default();
        if bits & 3 != 0 {
            row.health = Some(bits);
            self.game.insert(entity, Health(bits)).unwrap();
        }
        if bits & 4 != 0 {
            row.armor = true;
            self.game.insert(entity, Armor).unwrap();
        }
        self.model.0.insert(entity, row);
        self.all.push(entity);
    }

    /// Removes components by one of the verbs.
    fn remove(&mut self, entity: Entity, way: u32) {
        let game = &mut self.game;
        let (mut health, mut armor) = (true, false);
        match way % 8 {
            0 => _ = game.remove::<Health>(entity),
            1 => {
                let _ = game.remove::<(Armor, Health)>(entity);
                armor = true;
            }
            2 => _ = game.remove_one::<Health>(entity),
            3 => _ = game.try_remove::<Health>(entity),
            4 => {
                armor = game.has::<Health>(entity) && game.has::<Armor>(entity);
                health = armor;
                let _ = game.try_remove::<(Health, Armor)>(entity);
            }
            5 => game.with_commands(|mut commands| commands.remove::<Health>(entity)),
            6 => _ = game.reflect_mut().remove_all(entity, &["Armor", "Health"]).map(|_| armor = true),
            _ => {
                _ = game.remove::<Armor>(entity);
                (health, armor) = (false, true);
            }
        }
        self.model.remove(entity, health, armor);
    }

    fn apply(&mut self, (door, a, b, relation, data): Operation) -> Result<(), TestCaseError> {
        let (a, b, at) = (self.pick(a), self.pick(b), usize::from(relation) % 6);
        let lives = |model: &Model, entity| model.0.contains_key(&entity);
        match door {
            0..=2 => self.spawn(data),
            3..=8 => {
                let allowed = self.model.allowed(at, a, b);
                let had = self.model.0.get(&a).is_some_and(|row| row.targets[at].contains(&b));
                let done = with_relation!(at, relate(&mut self.game, data, a, b));
                prop_assert_eq!(done, allowed || had && data % 3 == 2);
                if allowed {
                    self.model.relate(at, a, b);
                }
            }
            9 | 10 => {
                let source = data.is_multiple_of(2).then_some(a);
                let fits = match source {
                    Some(source) => self.model.allowed(at, source, b),
                    None => self.model.fits(at, b),
                };
                let done = insert(&mut self.game, at, source, b);
                prop_assert_eq!(done.is_some(), fits);
                if let Some(entity) = done {
                    if source.is_none() {
                        self.all.push(entity);
                        self.model.0.insert(entity, Row { health: Some(1), ..Row::default() });
                    }
                    self.model.0.get_mut(&entity).unwrap().targets[at].clear();
                    self.model.relate(at, entity, b);
                }
            }
            11 => {
                with_relation!(at, unrelate(&mut self.game, a, b));
                if let Some(row) = self.model.0.get_mut(&a) {
                    row.targets[at].retain(|&target| target != b);
                }
            }
            12 | 13 => {
                let done = self.game.insert(a, Health(data)).is_ok();
                prop_assert_eq!(done, lives(&self.model, a));
                self.model.0.entry(a).and_modify(|row| row.health = Some(data));
                if data.is_multiple_of(2) && self.game.insert(a, Armor).is_ok() {
                    self.model.0.get_mut(&a).unwrap().armor = true;
                }
            }
            14..=17 => self.remove(a, data),
            18 if data.is_multiple_of(4) => {
                self.game.remove_all::<(Health, Armor)>();
                let all: Vec<Entity> = self.model.0.keys().copied().collect();
                all.into_iter().for_each(|entity| self.model.remove(entity, true, true));
            }
            18 | 19 => {
                prop_assert_eq!(self.game.despawn(a).is_ok(), lives(&self.model, a));
                self.model.kill(a);
            }
            20 => self.exchange(a, b, data)?,
            21 => self.clones(&[a, b], data)?,
            22 => match self.snapshot.take() {
                Some((snapshot, model)) if data.is_multiple_of(2) => {
                    self.game.restore(&snapshot);
                    self.model = model;
                }
                _ => self.snapshot = Some((self.game.snapshot(), self.model.clone())),
            },
            23 => {
                let bytes = self.game.to_bytes().unwrap();
                let loaded = match data % 2 {
                    0 => Game::load(&bytes).map_err(|error| error.to_string()),
                    _ => {
                        let text = serde_json::to_string(&self.game).unwrap();
                        serde_json::from_str(&text).map_err(|error| error.to_string())
                    }
                };
                self.game = loaded.map_err(TestCaseError::fail)?;
                self.game.on_failed_command(ecs::command::FailurePolicy::Ignore);
            }
            24 if self.all.len() < 40 => self.merge()?,
            25 => self.tick(a, b, data)?,
            26 => self.send()?,
            27 => self.send_to_a_receiver_with_changes(a, data)?,
            28 => self.regroup(),
            29 => self.spawn_children(data)?,
            30 => self.spawn_at(a, data)?,
            _ => self.leave(&[a, b])?,
        }
        Ok(())
    }

    /// Exchanges or moves components of two entities.
    fn exchange(&mut self, a: Entity, b: Entity, data: u32) -> Result<(), TestCaseError> {
        let both = self.model.0.contains_key(&a) && self.model.0.contains_key(&b);
        let done = match data % 3 {
            0 => self.game.swap::<(Health, Armor)>(a, b).is_ok(),
            1 => self.game.move_components::<(Armor, Health)>(a, b).is_ok(),
            _ => self.game.move_components::<Health>(a, b).is_ok(),
        };
        prop_assert_eq!(done, both);
        if !both || a == b {
            return Ok(());
        }
        let [of_a, of_b] = [a, b].map(|entity| self.model.0[&entity].clone());
        let give = |model: &mut Model, entity, row: &Row| {
            let to = model.0.get_mut(&entity).unwrap();
            to.health = row.health.or(to.health);
            to.armor |= row.armor && data % 3 < 2;
        };
        give(&mut self.model, b, &of_a);
        if data.is_multiple_of(3) {
            give(&mut self.model, a, &of_b);
            self.model.remove(a, of_b.health.is_none(), !of_b.armor);
            self.model.remove(b, of_a.health.is_none(), !of_a.armor);
        } else {
            self.model.remove(a, true, data % 3 == 1);
        }
        Ok(())
    }

    /// Clones entities, with the relations among them.
    fn clones(&mut self, entities: &[Entity], data: u32) -> Result<(), TestCaseError> {
        let of = entities.iter().copied().collect::<BTreeSet<_>>();
        let of: Vec<Entity> = of.into_iter().filter(|entity| self.model.0.contains_key(entity)).collect();
        if self.all.len() > 40 {
            return Ok(());
        }
        let without = data.is_multiple_of(3) && of.len() == 1;
        let new = match without {
            true => vec![self.game.clone_entity_without::<Health>(of[0]).unwrap()],
            false => self.game.clone_entities(&of).unwrap(),
        };
        let clone_of = |entity: Entity| of.iter().position(|&one| one == entity).map(|i| new[i]);
        let before = self.model.clone();
        for (&from, &to) in of.iter().zip(&new) {
            let mut row = before.0[&from].clone();
            for targets in &mut row.targets {
                let is_dead = targets.iter().any(|target| !before.0.contains_key(target));
                if is_dead {
                    targets.clear();
                }
                targets.iter_mut().for_each(|target| *target = clone_of(*target).unwrap_or(*target));
            }
            self.model.0.insert(to, row);
        }
        if without {
            self.model.remove(new[0], true, false);
        }
        self.all.extend(new);
        Ok(())
    }

    fn merge(&mut self) -> Result<(), TestCaseError> {
        let bytes = self.game.to_bytes().unwrap();
        let merged = self.game.merge(&bytes, DanglingIds::Keep);
        let merged = merged.map_err(|error| TestCaseError::fail(error.to_string()))?;
        for (from, to) in merged.iter() {
            let mut row = self.model.without_dead(&self.model.0[&from]);
            let targets = row.targets.iter_mut().flatten().chain(&mut row.aims);
            targets.for_each(|target| *target = merged.get(*target).unwrap_or(*target));
            self.model.0.insert(to, row);
            self.all.push(to);
        }
        Ok(())
    }

    /// Runs a schedule whose systems remove a component and relate entities, by commands.
    fn tick(&mut self, a: Entity, b: Entity, data: u32) -> Result<(), TestCaseError> {
        if self.model.0.contains_key(&a) {
            if data.is_multiple_of(2) {
                self.game.insert(a, Stripped).unwrap();
                self.model.0.get_mut(&a).unwrap().stripped = true;
            }
            self.game.insert(a, Aims(b)).unwrap();
            self.model.0.get_mut(&a).unwrap().aims = Some(b);
        }
        let mut other = self.game.clone();
        self.game.set_parallelism(Parallelism::Never);
        other.set_parallelism(Parallelism::Always);
        other.on_failed_command(ecs::command::FailurePolicy::Ignore);
        self.game.tick();
        other.tick();
        prop_assert_eq!(self.game.to_bytes().unwrap(), other.to_bytes().unwrap());
        let mut rows: Vec<(Entity, Row)> = self.model.0.clone().into_iter().collect();
        rows.sort_by_key(|(entity, _)| entity.slot());
        for (entity, _) in rows.iter().filter(|(_, row)| row.stripped) {
            self.model.remove(*entity, true, false);
        }
        for (entity, row) in rows {
            if let Some(target) = row.aims
                && self.model.allowed(0, entity, target)
            {
                self.model.relate(0, entity, target);
            }
        }
        Ok(())
    }

    /// Sends what has changed to a copy of the world.
    fn send(&mut self) -> Result<(), TestCaseError> {
        let selection = Selection::of::<All>();
        let frame = self.replica.frame() + 1;
        let delta = selection.delta(&self.known, &self.game, frame).unwrap();
        let applied = selection.apply(&mut self.copy, &mut self.replica, &delta);
        applied.map_err(|error| TestCaseError::fail(error.to_string()))?;
        self.known = selection.baseline(&mut self.game, frame);
        let ids: BTreeMap<Entity, Entity> = self.replica.iter().collect();
        prop_assert_eq!(ids.len(), self.model.0.len());
        let mapped = |entity: &Entity| ids.get(entity).copied();
        let rows = self.model.0.iter().map(|(entity, row)| {
            let mut row = row.clone();
            row.targets = row.targets.map(|targets| targets.iter().filter_map(mapped).collect());
            (ids[entity], row)
        });
        agrees(&self.copy, &Model(rows.collect()))
    }

    /// Sends what has changed to a copy that has removed a component, which may refuse it.
    fn send_to_a_receiver_with_changes(&mut self, a: Entity, data: u32) -> Result<(), TestCaseError> {
        let (mut copy, mut replica) = (self.copy.clone(), self.replica.clone());
        if let Some(local) = replica.get(a) {
            let _ = if data.is_multiple_of(2) {
                copy.remove::<Health>(local).map(drop)
            } else {
                copy.despawn(local)
            };
        }
        // relations of its own to what it has received
        for (_, local) in replica.iter() {
            let _ = (copy.try_spawn(Attacks(local)), copy.try_spawn(BarOf(local)));
            let _ = copy.try_spawn(Many::one(Owes(local)));
        }
        is_sound(&copy)?;
        let selection = Selection::of::<All>();
        let delta = selection.delta(&self.known, &self.game, replica.frame() + 1).unwrap();
        let before = copy.to_bytes().unwrap();
        if selection.apply(&mut copy, &mut replica, &delta).is_err() {
            prop_assert_eq!(before, copy.to_bytes().unwrap());
        }
        is_sound(&copy)
    }

    /// Moves entities to other slots, which gives them other ids.
    fn regroup(&mut self) {
        let moved = self.game.regroup();
        self.game.query_mut::<&mut Aims>().for_each(|aims| aims.0 = moved.current(aims.0));
        let rows = std::mem::take(&mut self.model.0).into_iter().map(|(entity, mut row)| {
            let ids = row.targets.iter_mut().flatten().chain(&mut row.aims);
            ids.for_each(|id| *id = moved.current(*id));
            (moved.current(entity), row)
        });
        self.model.0 = rows.collect();
        let present: Vec<Entity> = self.all.iter().map(|id| moved.current(*id)).collect();
        self.all.extend(present);
        self.all.sort();
        self.all.dedup();
    }

    /// Spawns an entity with children, which it may not be allowed to have.
    fn spawn_children(&mut self, data: u32) -> Result<(), TestCaseError> {
        let before: BTreeSet<Entity> = self.game.entities().iter().collect();
        let parent = if data.is_multiple_of(2) {
            self.game.spawn_with_children(Health(data), BarOf, children![Armor, Health(data)])
        } else {
            let mut parent = None;
            self.game.with_commands(|mut commands| {
                parent = Some(commands.spawn_with_children(Armor, BarOf, children![Armor, Health(data)]));
            });
            parent.unwrap()
        };
        let health = data.is_multiple_of(2).then_some(data);
        self.model.0.insert(parent, Row { health, armor: health.is_none(), ..Row::default() });
        self.all.push(parent);
        let new = self.game.entities().iter().filter(|entity| !before.contains(entity) && *entity != parent);
        let children: Vec<Entity> = new.collect();
        prop_assert_eq!(children.len(), if health.is_some() { 2 } else { 0 });
        for child in children {
            let health = self.game.get::<Health>(child).map(|health| health.0);
            self.model.0.insert(child, Row { health, armor: health.is_none(), ..Row::default() });
            self.model.relate(1, child, parent);
            self.all.push(child);
        }
        Ok(())
    }

    /// Spawns an entity with an id that another world has chosen.
    fn spawn_at(&mut self, target: Entity, data: u32) -> Result<(), TestCaseError> {
        let mut other = Game::new();
        let id = (0..=data * 7).map(|_| other.spawn(())).last().unwrap();
        let fits = self.model.fits(0, target);
        match self.game.spawn_at(id, (Health(data), Attacks(target))) {
            Ok(()) => {
                prop_assert!(fits);
                self.model.0.insert(id, Row { health: Some(data), ..Row::default() });
                self.model.relate(0, id, target);
                self.all.push(id);
            }
            Err(SpawnAtError::Refused(_)) => prop_assert!(!fits),
            Err(_) => {}
        }
        Ok(())
    }

    /// Moves entities to another world.
    fn leave(&mut self, entities: &[Entity]) -> Result<(), TestCaseError> {
        let of: Vec<Entity> =
            entities.iter().copied().filter(|entity| self.model.0.contains_key(entity)).collect();
        let mut other = Game::new();
        let new = self.game.move_entities(&of, &mut other).unwrap();
        for (entity, new) in of.iter().zip(new) {
            prop_assert_eq!(
                other.has::<Health>(new),
                self.model.0.get(entity).is_none_or(|row| row.health.is_some())
            );
        }
        // first they lose all components, and with them their own relations
        for entity in &of {
            let row = self.model.0.get_mut(entity).unwrap();
            row.targets = Default::default();
        }
        of.into_iter().for_each(|entity| self.model.kill(entity));
        is_sound(&other)
    }
}

/// Compares a world with the model. Targets that are despawned are not compared: files and deltas
/// give them other ids.
fn agrees(game: &Game, model: &Model) -> Result<(), TestCaseError> {
    prop_assert_eq!(game.entities().iter().collect::<BTreeSet<_>>(), model.0.keys().copied().collect());
    for (&entity, row) in &model.0 {
        prop_assert_eq!(game.get::<Health>(entity).map(|health| health.0), row.health, "{}", entity);
        prop_assert_eq!(game.has::<Armor>(entity), row.armor, "{}", entity);
        prop_assert_eq!(game.has::<Bereaved>(entity), row.bereaved, "{}", entity);
        for at in 0..6 {
            let alive = |targets: Vec<Entity>| -> BTreeSet<Entity> {
                targets.into_iter().filter(|target| model.0.contains_key(target)).collect()
            };
            let found = alive(with_relation!(at, targets(game, entity)));
            prop_assert_eq!(found, alive(row.targets[at].clone()), "relation {} of {}", at, entity);
            let found = with_relation!(at, sources(game, entity));
            prop_assert_eq!(found, model.sources(at, entity), "sources by {} of {}", at, entity);
        }
    }
    is_sound(game)
}

/// Checks that targets have what they must have, and that both ends of relations agree.
fn is_sound(game: &Game) -> Result<(), TestCaseError> {
    for source in &game.entities() {
        for (at, rules) in RULES.iter().enumerate() {
            for target in with_relation!(at, targets(game, source)) {
                if game.contains(target) {
                    let sources = with_relation!(at, sources(game, target));
                    prop_assert!(sources.contains(&source), "{} and {} by {}", source, target, at);
                }
                if matches!(rules.gone, Gone::Remove | Gone::Cascade) {
                    let has = (!rules.health || game.has::<Health>(target))
                        && (!rules.armor || game.has::<Armor>(target));
                    prop_assert!(has && game.contains(target), "{} by {}", target, at);
                }
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(random_cases(300))]

    #[test]
    fn targets_have_their_components(
        operations in prop::collection::vec(
            (0..32_u8, any::<u16>(), any::<u16>(), any::<u8>(), 0..12_u32), 1..90,
        ),
    ) {
        let mut pair = Pair::new();
        (1..8).for_each(|bits| pair.spawn(bits));
        for operation in operations {
            let after = |error| TestCaseError::fail(format!("after {operation:?}: {error}"));
            pair.apply(operation).map_err(after)?;
            agrees(&pair.game, &pair.model).map_err(after)?;
        }
    }
}
