//! Prefabs of aspects with random overrides, which give the values of a plain model.

use std::cell::Cell;
use std::collections::BTreeMap;

use ecs::prelude::*;
use ecs::{Aspect, Prefab, Prefabs};
use ecs_tests::random::random_cases;
use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

thread_local! {
    /// Counts the aspects that were made, so that each has other values.
    static MADE: Cell<u8> = const { Cell::new(0) };
}

#[derive(Component, Serialize, Deserialize, Clone, PartialEq, Debug, Default)]
struct Body {
    x: i16,
    fixed: u8,
    y: Option<u8>,
    z: u8,
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(rename_all = "kebab-case")]
struct Inner {
    long_name: String,
    #[serde(alias = "old")]
    list: Vec<u16>,
    #[serde(skip)]
    skipped: u8,
}

/// In half of all entities, `rare` is not written.
#[derive(Component, Serialize, Deserialize, Clone, PartialEq, Debug)]
struct Stats {
    common: u8,
    inner: Inner,
    #[serde(skip_serializing_if = "is_even", default = "one")]
    rare: u8,
}

fn is_even(number: &u8) -> bool {
    number.is_multiple_of(2)
}
fn one() -> u8 {
    1
}

#[derive(Component, Serialize, Deserialize, Clone, PartialEq, Debug)]
struct Title(String);

#[derive(Component, Serialize, Deserialize, Clone, PartialEq, Debug)]
enum Mood {
    Calm,
    Angry { how: u8 },
}

#[derive(Component, Serialize, Deserialize, Clone, PartialEq, Debug)]
#[component(tracked)]
struct Bag {
    shares: BTreeMap<u8, u8>,
    owner: Option<Entity>,
}

/// A component with a rule.
#[derive(Component, Serialize, Deserialize, Clone, PartialEq, Eq, Hash, Debug)]
#[component(index)]
struct Team(u8);

/// The values of an aspect.
type Parts = (Body, Stats, Title, Mood, Bag);

/// The values of an aspect, which differ from entity to entity.
fn made() -> Parts {
    let n = MADE.replace(MADE.get().wrapping_add(1));
    let inner = Inner { long_name: "n".repeat(n as usize % 5), list: vec![7; n as usize % 3], skipped: 0 };
    (
        Body { x: i16::from(n) - 90, fixed: n, y: n.is_multiple_of(3).then_some(n), z: n },
        Stats { common: n, inner, rare: n },
        Title(format!("the {n}th")),
        if n.is_multiple_of(2) { Mood::Calm } else { Mood::Angry { how: n } },
        Bag { shares: (0..n % 4).map(|key| (key, n)).collect(), owner: None },
    )
}

thread_local!(static NEXT: Cell<Option<Parts>> = const { Cell::new(None) });

/// A component of the values that the default of the aspect's first field has made.
fn part<T>(of: impl FnOnce(&Parts) -> T) -> T {
    let next = NEXT.take().expect("the first field has made them");
    let value = of(&next);
    NEXT.set(Some(next));
    value
}

#[derive(Aspect)]
struct Creature {
    #[aspect(default = { NEXT.set(Some(made())); part(|all| all.0.clone()) })]
    body: Body,
    #[aspect(default = part(|all| all.1.clone()))]
    stats: Stats,
    #[aspect(default = part(|all| all.2.clone()))]
    title: Title,
    #[aspect(default = part(|all| all.3.clone()))]
    mood: Mood,
    #[aspect(default = part(|all| all.4.clone()))]
    bag: Bag,
}
#[derive(Aspect)]
struct Member {
    creature: Creature,
    #[aspect(default = Team(3))]
    team: Team,
}

world! {
    #[derive(Serialize, Deserialize)]
    struct Game { components { Body, Stats, Title, Mood, Bag, Team } }
}

/// The overrides of one entity.
#[derive(Clone, Debug)]
struct Overrides {
    /// Whether the aspect has a component with a rule.
    ruled: bool,
    body: (Option<i16>, Option<u8>, Option<Option<u8>>),
    stats: (Option<u8>, Option<u8>),
    inner: (Option<String>, Option<Vec<u16>>),
    title: Option<String>,
    mood: Option<bool>,
    bag: (Option<BTreeMap<u8, u8>>, Option<bool>),
}

fn overrides() -> impl Strategy<Value = Overrides> {
    let body = (any::<Option<i16>>(), any::<Option<u8>>(), any::<Option<Option<u8>>>());
    let inner = (prop::option::of("[a-z]{0,9}"), any::<Option<Vec<u16>>>());
    let bag = (any::<Option<BTreeMap<u8, u8>>>(), any::<Option<bool>>());
    let rest = (prop::option::of("[a-z]{0,300}"), any::<Option<bool>>(), bag);
    // a file cannot give a field a value with which it is not written
    let rare = any::<Option<u8>>().prop_map(|rare| rare.map(|rare| rare | 1));
    (prop::bool::weighted(0.3), body, (any::<Option<u8>>(), rare), inner, rest).prop_map(
        |(ruled, body, stats, inner, (title, mood, bag))| Overrides {
            ruled,
            body,
            stats,
            inner,
            title,
            mood,
            bag,
        },
    )
}

/// Adds a field to a map if there is a value for it.
fn put(to: &mut Map<String, Value>, name: &str, value: Option<Value>) {
    if let Some(value) = value {
        to.insert(name.into(), value);
    }
}

/// The map, if it has a field.
fn filled(map: Map<String, Value>) -> Option<Value> {
    (!map.is_empty()).then_some(Value::Object(map))
}

impl Overrides {
    /// The entity in the file. The owner of a bag is the entity of the same file that is named
    /// `owner`.
    fn file(&self) -> Value {
        let [mut body, mut stats, mut inner, mut bag, mut all] = [(); 5].map(|()| Map::new());
        put(&mut body, "x", self.body.0.map(Value::from));
        put(&mut body, "z", self.body.1.map(Value::from));
        put(&mut body, "y", self.body.2.map(|y| json!(y)));
        put(&mut inner, "long-name", self.inner.0.clone().map(Value::from));
        put(&mut inner, "list", self.inner.1.as_ref().map(|list| json!(list)));
        put(&mut stats, "common", self.stats.0.map(Value::from));
        put(&mut stats, "rare", self.stats.1.map(Value::from));
        put(&mut stats, "inner", filled(inner));
        put(&mut bag, "shares", self.bag.0.as_ref().map(|shares| json!(shares)));
        put(&mut bag, "owner", self.bag.1.map(|is_there| json!(is_there.then_some("owner"))));
        put(&mut all, "body", filled(body));
        put(&mut all, "stats", filled(stats));
        put(&mut all, "title", self.title.clone().map(Value::from));
        let mood = |how| if how { json!({ "Angry": { "how": 200 } }) } else { json!("Calm") };
        put(&mut all, "mood", self.mood.map(mood));
        put(&mut all, "bag", filled(bag));
        let aspect = if self.ruled { "Member" } else { "Creature" };
        let all = if self.ruled { json!({ "creature": all }) } else { Value::Object(all) };
        json!({ aspect: all })
    }

    /// The values of the next entity that is made.
    fn expected(&self, owner: Entity) -> Parts {
        let (mut body, mut stats, mut title, mut mood, mut bag) = made();
        body.x = self.body.0.unwrap_or(body.x);
        body.z = self.body.1.unwrap_or(body.z);
        body.y = self.body.2.unwrap_or(body.y);
        let (common, rare) = self.stats;
        let inner = self.inner.clone();
        // a value that is read again has the default of a field that was not written
        if (common.is_some() || rare.is_some() || inner.0.is_some() || inner.1.is_some())
            && is_even(&stats.rare)
        {
            stats.rare = one();
        }
        stats.common = common.unwrap_or(stats.common);
        stats.rare = rare.unwrap_or(stats.rare);
        stats.inner.long_name = inner.0.unwrap_or(stats.inner.long_name);
        stats.inner.list = inner.1.unwrap_or(stats.inner.list);
        title.0 = self.title.clone().unwrap_or(title.0);
        match self.mood {
            Some(true) => mood = Mood::Angry { how: 200 },
            Some(false) => mood = Mood::Calm,
            None => {}
        }
        bag.shares = self.bag.0.clone().unwrap_or(bag.shares);
        bag.owner = self.bag.1.map_or(bag.owner, |is_there| is_there.then_some(owner));
        (body, stats, title, mood, bag)
    }
}

proptest! {
    #![proptest_config(random_cases(400))]

    #[test]
    fn overrides_give_the_values_of_a_plain_model(
        entities in prop::collection::vec(overrides(), 1..4),
        count in 1..6_usize,
        (first, read_at) in any::<(u8, u8)>(),
    ) {
        let mut file = Map::from_iter([("owner".to_string(), json!({ "Title": "Owner" }))]);
        for (number, overrides) in entities.iter().enumerate() {
            file.insert(format!("e{number}"), overrides.file());
        }
        let text = Value::Object(file).to_string();
        MADE.set(read_at);
        let read = Prefabs::new().aspect::<Creature>().aspect::<Member>().from_json("model.json", &text);
        let prefab: Prefab<Game> = read.map_err(|error| TestCaseError::fail(error.to_string()))?;
        MADE.set(first);
        let mut game = Game::new();
        let instances: Vec<_> = (0..count).map(|_| prefab.spawn(&mut game).unwrap()).collect();
        MADE.set(first);
        for instance in &instances {
            for (number, overrides) in entities.iter().enumerate() {
                let entity = instance[&*format!("e{number}")];
                let (body, stats, title, mood, bag) = overrides.expected(instance["owner"]);
                prop_assert_eq!(game.get::<Body>(entity), Some(&body));
                prop_assert_eq!(game.get::<Stats>(entity), Some(&stats));
                prop_assert_eq!(game.get::<Title>(entity), Some(&title));
                prop_assert_eq!(game.get::<Mood>(entity), Some(&mood));
                prop_assert_eq!(game.get::<Bag>(entity), Some(&bag));
                prop_assert_eq!(game.get::<Team>(entity), overrides.ruled.then_some(&Team(3)));
            }
        }
    }
}
