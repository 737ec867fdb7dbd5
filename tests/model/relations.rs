//! Relations compared with two maps for each: targets by source, and sources by target. Both
//! directions are compared after each operation, which uses one of the world's ways to change a
//! relation.

use std::collections::{BTreeMap, BTreeSet};

use ecs::component::Compatible;
use ecs::prelude::*;
use ecs::query::ViewMut;
use ecs::relation::Gone;
use ecs::{ChildOf, HasRelation, Many, Sources, TargetOf};
use ecs_tests::random::random_cases;
use proptest::prelude::*;

#[derive(Component, Clone)]
struct Mark;

#[derive(Component, Clone, Default)]
struct Bereaved;

macro_rules! relations {
    ($($name:ident $stored:ty, $field:ident, [$($option:tt)*], |$edges:ident| $make:expr;)*) => {
        $(
            #[derive(Relation, Clone, PartialEq, Debug)]
            #[relation($($option)*)]
            struct $name { #[target] to: Entity, data: u32, owned: Box<u32> }

            impl Tested for $name {
                fn new(to: Entity, data: u32) -> Self {
                    Self { to, data, owned: Box::new(data) }
                }
                fn data(&self) -> u32 {
                    assert_eq!(*self.owned, self.data);
                    self.data
                }
                fn stored($edges: Vec<Self>) -> Option<$stored> {
                    $make
                }
                fn view(game: &mut Game) -> ViewMut<'_, $stored> {
                    game.columns_mut().$field
                }
            }
        )*
    };
}

relations! {
    Under Under, under, [exclusive, acyclic, gone = cascade], |edges| edges.into_iter().next();
    Follows Follows, follows, [exclusive, gone = mark(Bereaved)], |edges| edges.into_iter().next();
    Married Married, married, [exclusive, symmetric], |edges| edges.into_iter().next();
    Owes Many<Owes>, owes, [many, gone = remove], |edges| Some(edges.into_iter().collect());
    Knows Many<Knows>, knows, [many, symmetric], |edges| Some(edges.into_iter().collect());
    Needs Many<Needs>, needs, [many, gone = cascade], |edges| Some(edges.into_iter().collect());
    Hears Many<Hears>, hears, [many, gone = keep], |edges| Some(edges.into_iter().collect());
}

world! {
    #[derive(Clone)]
    struct Game {
        components {
            Mark, Bereaved, Under, Follows, Married, owes: Many<Owes>, knows: Many<Knows>, needs: Many<Needs>,
            hears: Many<Hears>, ChildOf,
        }
    }
}

/// A relation with a number as its data.
trait Tested:
    Clone + Send + Sync + Relation<Stored: Component<Kind: Compatible<<Self as Relation>::Stored>>>
{
    fn new(target: Entity, data: u32) -> Self;
    fn data(&self) -> u32;
    /// The component with those of these edges that it can hold.
    fn stored(edges: Vec<Self>) -> Option<Self::Stored>;
    fn view(game: &mut Game) -> ViewMut<'_, Self::Stored>;
}

/// The model of one relation.
#[derive(Default, Clone)]
struct Edges {
    out: BTreeMap<Entity, Vec<(Entity, u32)>>,
    back: BTreeMap<Entity, Vec<Entity>>,
}

/// The rules of the relation.
#[derive(Clone, Copy)]
struct Rules {
    exclusive: bool,
    symmetric: bool,
    acyclic: bool,
    gone: Gone,
}

const fn rules(exclusive: bool, symmetric: bool, acyclic: bool, gone: Gone) -> Rules {
    Rules { exclusive, symmetric, acyclic, gone }
}

const RULES: [Rules; 7] = [
    rules(true, false, true, Gone::Cascade),
    rules(true, false, false, Gone::Mark),
    rules(true, true, false, Gone::Remove),
    rules(false, false, false, Gone::Remove),
    rules(false, true, false, Gone::Remove),
    rules(false, false, false, Gone::Cascade),
    rules(false, false, false, Gone::Keep),
];

impl Edges {
    fn unlink(&mut self, source: Entity, target: Entity) {
        if let Some(back) = self.back.get_mut(&target) {
            back.retain(|&one| one != source);
        }
        if let Some(out) = self.out.get_mut(&source) {
            out.retain(|&(one, _)| one != target);
            if out.is_empty() {
                self.out.remove(&source);
            }
        }
    }

    fn cut(&mut self, rules: Rules, source: Entity, target: Entity) {
        self.unlink(source, target);
        if rules.symmetric {
            self.unlink(target, source);
        }
    }

    fn link(&mut self, source: Entity, target: Entity, data: u32) {
        let out = self.out.entry(source).or_default();
        match out.iter_mut().find(|(one, _)| *one == target) {
            Some(same) => same.1 = data,
            None => {
                out.push((target, data));
                self.back.entry(target).or_default().push(source);
            }
        }
    }

    fn relate(&mut self, rules: Rules, source: Entity, target: Entity, data: u32) {
        if rules.exclusive {
            for (end, other) in [(source, target), (target, source)] {
                if !rules.symmetric && end == target {
                    break;
                }
                let had = self.targets(end).into_iter().find(|&had| had != other);
                had.into_iter().for_each(|had| self.cut(rules, end, had));
            }
        }
        self.link(source, target, data);
        if rules.symmetric {
            self.link(target, source, data);
        }
    }

    fn targets(&self, source: Entity) -> Vec<Entity> {
        self.out.get(&source).into_iter().flatten().map(|&(target, _)| target).collect()
    }

    /// Whether `source` would be its own ancestor.
    fn closes(&self, source: Entity, target: Entity) -> bool {
        let mut at = Some(target);
        while let Some(entity) = at.filter(|&entity| entity != source) {
            at = self.targets(entity).first().copied();
        }
        at.is_some()
    }

    /// Despawns an entity in the model. Returns the entities that are despawned with it.
    fn died(&mut self, rules: Rules, entity: Entity) -> Vec<Entity> {
        for target in self.targets(entity) {
            self.cut(rules, entity, target);
        }
        let sources = self.back.remove(&entity).unwrap_or_default();
        match rules.gone {
            Gone::Keep | Gone::Mark => Vec::new(),
            Gone::Cascade => sources,
            Gone::Remove => {
                sources.into_iter().for_each(|source| self.unlink(source, entity));
                Vec::new()
            }
        }
    }
}

struct Pair {
    game: Game,
    /// All entities so far, and whether they are alive.
    all: Vec<Entity>,
    alive: BTreeMap<Entity, ()>,
    edges: [Edges; 7],
    /// The entities that were marked when a target was despawned.
    marked: BTreeSet<Entity>,
}

/// An operation: a way to change, a relation, two entities, and a number.
type Operation = (u8, u8, u16, u16, u32);

impl Pair {
    /// Entities without relations.
    fn of(number: usize) -> Self {
        let mut game = Game::new();
        let all: Vec<Entity> = (0..number).map(|_| game.spawn(())).collect();
        let alive = all.iter().map(|&entity| (entity, ())).collect();
        Self { game, all, alive, edges: Default::default(), marked: BTreeSet::new() }
    }

    fn pick(&self, n: u16) -> Entity {
        self.all[usize::from(n) % self.all.len()]
    }

    fn born(&mut self, entity: Entity) {
        self.all.push(entity);
        self.alive.insert(entity, ());
    }

    fn allowed(&self, at: usize, source: Entity, target: Entity) -> bool {
        let both = self.alive.contains_key(&source) && self.alive.contains_key(&target);
        both && source != target && !(RULES[at].acyclic && self.edges[at].closes(source, target))
    }

    fn kill(&mut self, entity: Entity) {
        let (mut dying, mut marked) = (vec![entity], Vec::new());
        while let Some(entity) = dying.pop() {
            if self.alive.remove(&entity).is_some() {
                for (edges, rules) in self.edges.iter().zip(RULES) {
                    let sources = edges.back.get(&entity).filter(|_| rules.gone == Gone::Mark);
                    marked.extend(sources.into_iter().flatten().copied());
                }
                let orphans =
                    self.edges.iter_mut().zip(RULES).map(|(edges, rules)| edges.died(rules, entity));
                dying.extend(orphans.collect::<Vec<_>>().concat());
            }
        }
        self.marked.extend(marked);
        self.marked.retain(|entity| self.alive.contains_key(entity));
    }

    fn apply(&mut self, (door, relation, a, b, data): Operation) -> Result<(), TestCaseError> {
        match relation % 7 {
            0 => self.apply_to::<Under>(0, door, a, b, data),
            1 => self.apply_to::<Follows>(1, door, a, b, data),
            2 => self.apply_to::<Married>(2, door, a, b, data),
            3 => self.apply_to::<Owes>(3, door, a, b, data),
            4 => self.apply_to::<Knows>(4, door, a, b, data),
            5 => self.apply_to::<Needs>(5, door, a, b, data),
            _ => self.apply_to::<Hears>(6, door, a, b, data),
        }
    }

    fn apply_to<R: Tested>(
        &mut self,
        at: usize,
        door: u8,
        a: u16,
        b: u16,
        data: u32,
    ) -> Result<(), TestCaseError>
    where
        Game: HasRelation<R>,
        R::Stored: Bundle<Game>,
    {
        let (source, target, rules) = (self.pick(a), self.pick(b), RULES[at]);
        let allowed = self.allowed(at, source, target);
        let lives = self.alive.contains_key(&source);
        match door % 20 {
            0 | 1 => {
                let entity = self.game.spawn(Mark);
                self.born(entity);
            }
            2 => {
                let batch: Vec<Entity> = self.game.spawn_batch((0..data).map(|_| ())).collect();
                batch.into_iter().for_each(|entity| self.born(entity));
            }
            3 | 4 => {
                let old = self.game.relate(source, R::new(target, data));
                prop_assert_eq!(old.is_ok(), allowed);
                if allowed {
                    let had = self.edges[at].out.get(&source).into_iter().flatten();
                    let had = had.copied().find(|&(one, _)| rules.exclusive || one == target);
                    prop_assert_eq!(old.unwrap().map(|old| (old.target(), old.data())), had);
                    self.edges[at].relate(rules, source, target, data);
                }
            }
            5 => {
                self.game.on_failed_command(ecs::command::FailurePolicy::Ignore);
                self.game.with_commands(|mut commands| commands.relate(source, R::new(target, data)));
                if allowed {
                    self.edges[at].relate(rules, source, target, data);
                }
            }
            6 | 7 => self.set::<R>(
                at,
                door.is_multiple_of(2),
                source,
                [target, self.pick(a / 3), self.pick(b / 5)],
                data,
            )?,
            8 => {
                let place = data as usize;
                let done = self.game.relate_at(source, R::new(target, data), place);
                prop_assert_eq!(done.is_ok(), allowed);
                if allowed {
                    self.edges[at].relate(rules, source, target, data);
                    let back = self.edges[at].back.get_mut(&target).unwrap();
                    let from = back.iter().position(|&one| one == source).unwrap();
                    back.remove(from);
                    back.insert(place.min(back.len()), source);
                }
            }
            9 | 10 => {
                let gone = self.game.unrelate::<R>(source, target);
                prop_assert_eq!(gone.is_ok(), lives);
                let had = self.edges[at].targets(source).contains(&target);
                prop_assert_eq!(gone.is_ok_and(|gone| gone.is_some()), had);
                self.edges[at].cut(rules, source, target);
            }
            11 => {
                let removed = if data.is_multiple_of(2) {
                    self.game.remove_one::<R::Stored>(source).ok().flatten()
                } else {
                    R::view(&mut self.game).remove(source)
                };
                prop_assert!(removed.is_none() || lives);
                for target in self.edges[at].targets(source) {
                    self.edges[at].cut(rules, source, target);
                }
            }
            12..=14 => {
                prop_assert_eq!(self.game.despawn(source).is_ok(), lives);
                self.kill(source);
            }
            16 | 17 => self.exchange::<R>(at, door.is_multiple_of(2), source, target)?,
            18 => self.regroup(),
            19 => {
                let (c, d) = (self.pick(a / 7), self.pick(b / 3));
                let batch =
                    [(source, target), (c, d), (source, d), (c, target), (d, source), (source, target)];
                let made = batch.iter().map(|&(source, target)| (source, R::new(target, data)));
                let number = self.game.relate_batch(made);
                let mut expected = Ok(batch.len());
                for (source, target) in batch {
                    if !self.allowed(at, source, target) {
                        expected = Err(());
                        break;
                    }
                    self.edges[at].relate(rules, source, target, data);
                }
                prop_assert_eq!(number.map_err(drop), expected);
            }
            _ if data == 0 => {
                self.game.clear();
                self.alive.clear();
                self.marked.clear();
                self.edges = Default::default();
            }
            _ if data == 1 => self.game.shrink_to_fit(),
            _ => self.game = self.game.clone(),
        }
        Ok(())
    }

    fn regroup(&mut self) {
        let moved = self.game.regroup();
        let current = |entity: Entity| moved.current(entity);
        self.all.extend(moved.iter().map(|(_, present)| present));
        self.alive = self.alive.keys().map(|&entity| (current(entity), ())).collect();
        self.marked = self.marked.iter().map(|&entity| current(entity)).collect();
        for edges in &mut self.edges {
            let out = std::mem::take(&mut edges.out).into_iter();
            let ends =
                |ends: Vec<(Entity, u32)>| ends.into_iter().map(|(to, data)| (current(to), data)).collect();
            edges.out = out.map(|(source, targets)| (current(source), ends(targets))).collect();
            let back = std::mem::take(&mut edges.back).into_iter();
            let all = |sources: Vec<Entity>| sources.into_iter().map(current).collect();
            edges.back = back.map(|(target, sources)| (current(target), all(sources))).collect();
        }
    }

    /// All edges of a source at once.
    fn set<R: Tested>(
        &mut self,
        at: usize,
        verb: bool,
        source: Entity,
        targets: [Entity; 3],
        data: u32,
    ) -> Result<(), TestCaseError>
    where
        Game: HasRelation<R>,
    {
        let rules = RULES[at];
        let count = if rules.exclusive { 1 } else { data as usize % 4 };
        let mut wanted: Vec<Entity> = Vec::new();
        for target in targets.into_iter().take(count) {
            if !wanted.contains(&target) {
                wanted.push(target);
            }
        }
        let edges = wanted.iter().map(|&target| R::new(target, data)).collect();
        let Some(value) = R::stored(edges) else { return Ok(()) };
        let allowed =
            self.alive.contains_key(&source) && wanted.iter().all(|&target| self.allowed(at, source, target));
        let done = if verb {
            self.game.insert_one(source, value).is_ok()
        } else {
            R::view(&mut self.game).insert(source, value).is_ok()
        };
        prop_assert_eq!(done, allowed);
        if allowed {
            for had in self.edges[at].targets(source) {
                if !wanted.contains(&had) {
                    self.edges[at].cut(rules, source, had);
                }
            }
            for &target in &wanted {
                self.edges[at].relate(rules, source, target, data);
            }
            if let Some(out) = self.edges[at].out.get_mut(&source) {
                out.sort_by_key(|(target, _)| wanted.iter().position(|one| one == target));
            }
        }
        Ok(())
    }

    /// Exchanges the values of two entities, or moves that of `a` to `b`.
    fn exchange<R: Tested>(
        &mut self,
        at: usize,
        both_ways: bool,
        a: Entity,
        b: Entity,
    ) -> Result<(), TestCaseError>
    where
        Game: HasRelation<R>,
        R::Stored: Bundle<Game>,
    {
        let out = |entity: Entity| self.edges[at].out.get(&entity).cloned().unwrap_or_default();
        let (of_a, of_b) = (out(a), out(b));
        let fits = |edges: &[(Entity, u32)], to: Entity| {
            edges.iter().all(|&(target, _)| self.allowed(at, to, target))
        };
        let lives = [a, b].iter().all(|entity| self.alive.contains_key(entity));
        let allowed = lives && (a == b || fits(&of_a, b) && (!both_ways || fits(&of_b, a)));
        let done = if both_ways {
            self.game.swap::<R::Stored>(a, b).is_ok()
        } else {
            self.game.move_components::<R::Stored>(a, b).is_ok()
        };
        prop_assert_eq!(done, allowed);
        if !allowed || a == b {
            return Ok(());
        }
        match (of_a.is_empty(), of_b.is_empty()) {
            (false, false) if both_ways => {
                self.give(at, b, &[]);
                self.give(at, a, &of_b);
                self.give(at, b, &of_a);
            }
            (false, _) => {
                self.give(at, a, &[]);
                self.give(at, b, &of_a);
            }
            (true, false) if both_ways => {
                self.give(at, b, &[]);
                self.give(at, a, &of_b);
            }
            _ => {}
        }
        Ok(())
    }

    /// Replaces all edges of a source in the model.
    fn give(&mut self, at: usize, source: Entity, wanted: &[(Entity, u32)]) {
        for had in self.edges[at].targets(source) {
            if wanted.iter().all(|&(target, _)| target != had) {
                self.edges[at].cut(RULES[at], source, had);
            }
        }
        for &(target, data) in wanted {
            self.edges[at].relate(RULES[at], source, target, data);
        }
        if let Some(out) = self.edges[at].out.get_mut(&source) {
            out.sort_by_key(|(target, _)| wanted.iter().position(|(one, _)| one == target));
        }
    }

    fn check(&mut self) -> Result<(), TestCaseError> {
        prop_assert_eq!(self.game.entities().len(), self.alive.len());
        let marked = self.game.entities().filter::<With<Bereaved>>().iter().collect();
        prop_assert_eq!(&self.marked, &marked);
        self.check_one::<Under>(0)?;
        self.check_one::<Follows>(1)?;
        self.check_one::<Married>(2)?;
        self.check_one::<Owes>(3)?;
        self.check_one::<Knows>(4)?;
        self.check_one::<Needs>(5)?;
        self.check_one::<Hears>(6)
    }

    fn check_one<R: Tested>(&self, at: usize) -> Result<(), TestCaseError>
    where
        Game: HasRelation<R>,
    {
        let (game, edges) = (&self.game, &self.edges[at]);
        let mut dangling = 0;
        for &entity in &self.all {
            prop_assert_eq!(game.contains(entity), self.alive.contains_key(&entity));
            let out: Vec<(Entity, u32)> =
                game.relations::<R>(entity).iter().map(|edge| (edge.target(), edge.data())).collect();
            let expected = edges.out.get(&entity).cloned().unwrap_or_default();
            prop_assert_eq!(&out, &expected, "{} of {}", R::RELATION_NAME, entity);
            dangling += out.iter().filter(|(target, _)| !self.alive.contains_key(target)).count();
            let back = edges.back.get(&entity).map_or(&[][..], Vec::as_slice);
            prop_assert_eq!(game.sources::<R>(entity), back, "sources by {} of {}", R::RELATION_NAME, entity);
        }
        prop_assert_eq!(game.related::<R>().dangling().count(), dangling);
        let mut targets = Vec::new();
        for (entity, sources) in &game.query::<(Entity, Sources<R>)>() {
            prop_assert_eq!(sources.as_slice(), game.sources::<R>(entity));
            targets.extend((!sources.is_empty()).then_some(entity));
        }
        prop_assert!(game.entities().filter::<TargetOf<R>>().iter().eq(targets));
        Ok(())
    }
}

proptest! {
    #![proptest_config(random_cases(300))]

    #[test]
    fn relations_agree_with_maps_from_both_ends(
        operations in prop::collection::vec((0..20_u8, 0..7_u8, any::<u16>(), any::<u16>(), 0..6_u32), 1..120),
    ) {
        let mut pair = Pair::of(6);
        for operation in operations {
            pair.apply(operation)?;
            pair.check().map_err(|error| TestCaseError::fail(format!("after {operation:?}: {error}")))?;
        }
    }
}

proptest! {
    #![proptest_config(random_cases(24))]

    /// Lists of more than 64 sources and edges, which are read only after several changes. In half
    /// of the operations an end is the hub.
    #[test]
    fn long_lists_of_relations_agree_with_maps(
        operations in prop::collection::vec(
            (0..20_u8, 0..7_u8, any::<u16>(), any::<u16>(), 2..2000_u32, any::<u8>()), 1..400,
        ),
    ) {
        let mut pair = Pair::of(120);
        let hub = pair.all[0];
        for at in 1..110 {
            for relation in 0..7 {
                pair.apply((3, relation, at, 0, 7))?;
                pair.apply((3, relation, 0, at, 7))?;
            }
        }
        for (door, relation, a, b, data, which) in operations {
            let number = pair.all.len() as u16;
            let alive = |n: u16| if pair.alive.contains_key(&pair.all[(n % number) as usize]) { n } else { n / 3 };
            let (a, b) = match which % 4 {
                0 => (0, alive(b)),
                1 => (alive(a), 0),
                _ => (alive(a), alive(b)),
            };
            // few new entities; the hub is not despawned
            let door = if door < 3 || ((12..16).contains(&door) && a % number == 0) { 9 } else { door };
            pair.apply((door, relation, a, b, data))?;
            if which >= 240 {
                pair.check()?;
            }
        }
        pair.check()?;
        prop_assert!(pair.game.contains(hub) || pair.game.entities().len() < 130);
    }
}
