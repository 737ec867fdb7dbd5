//! Queries whose components are named at run time, beside a search through all values of all
//! entities.

use std::collections::BTreeMap;

use ecs::component::Name;
use ecs::prelude::*;
use ecs::reflect::{AllowList, Comparison, DynamicQuery, DynamicValue, ReflectError, ReflectWorld};
use ecs_tests::random::random_cases;
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

use crate::game::*;

fn found(game: &Game, text: &str) -> Vec<Entity> {
    let query: DynamicQuery = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    let page = game.reflect().query(&query).unwrap_or_else(|error| panic!("{text}: {error}"));
    page.rows.iter().map(|row| row.entity).collect()
}

#[test]
fn a_misspelled_part_is_an_error_that_names_the_nearest_one() {
    let game = Game::new();
    let query = |text: &str| game.reflect().query(&text.parse().unwrap()).map(drop);
    let cases = [
        ("Health.nwo < 5", "`Health.nwo`: there is no field `nwo`: did you mean `now`?"),
        ("Health, order by Health.mx", "`Health.mx`: there is no field `mx`: did you mean `max`?"),
        ("Health.now.x = 5", "`Health.now.x`: the value has no parts"),
        (
            "Monster.kind.Dragn.heads > 1",
            "`Monster.kind.Dragn`: there is no variant `Dragn`: did you mean `Dragon`?",
        ),
        (
            "Monster.kind.Dragon.hads > 1",
            "`Monster.kind.Dragon.hads`: there is no field `hads`: did you mean `heads`?",
        ),
        ("Monster.kind.Wolf.heads > 1", "`Monster.kind.Wolf.heads`: the value has no parts"),
        ("Monster.kind = Ghots", "`Monster.kind`: there is no variant `Ghots`: did you mean `Ghost`?"),
        ("Monster.kind != \"Ghots\"", "`Monster.kind`: there is no variant `Ghots`: did you mean `Ghost`?"),
        ("Position.2 > 1", "`Position.2`: there is no element 2: the tuple has 2"),
        (
            "Position.x > 1",
            "`Position.x`: the value is a tuple, whose elements have positions, as in `[0]`, not `x`",
        ),
        (
            "Monster.path.first > 1",
            "`Monster.path.first`: the value is a list, whose elements have positions, as in `[0]`, not `first`",
        ),
        ("Monster.path[9][2] > 1", "`Monster.path.9.2`: there is no element 2: the tuple has 2"),
        ("Monster.loot.gold.x > 1", "`Monster.loot.gold.x`: the value has no parts"),
        ("Score.x > 1", "`Score.x`: the value has no parts"),
        ("Stock.Grian > 1", "`Stock.Grian`: there is no key `Grian`: did you mean `Grain`?"),
        (
            "Stock.Grain.two > 1",
            "`Stock.Grain.two`: the keys of the map are numbers of type `u16`, not `two`",
        ),
        ("Tree.left.left.size.x = 1", "`Tree.left.left.size.x`: the value has no parts"),
        ("Tree.left.lfet.size = 1", "`Tree.left.lfet`: there is no field `lfet`: did you mean `left`?"),
    ];
    let mut shapes = Shapes::new();
    for (text, message) in cases {
        let is_shape = text.starts_with("Stock") || text.starts_with("Tree");
        let error =
            if is_shape { shapes.reflect().query(&text.parse().unwrap()).map(drop) } else { query(text) };
        assert_eq!(error.unwrap_err().to_string(), message, "{text}");
    }
    // what some value of the type has is no mistake, though no entity has it
    for text in [
        "Monster.path[9][1] > 1",
        "Monster.loot.silver = 1",
        "Monster.kind.Ghost = 3",
        "Monster.target = none",
    ] {
        assert_eq!(query(text), Ok(()), "{text}");
    }
    for text in ["Stock.Grain.7 = 1", "Tree.left.left.left.size = 1"] {
        assert_eq!(shapes.reflect().query(&text.parse().unwrap()).map(drop), Ok(()), "{text}");
    }
    // a part that only `Serialize` writes
    assert!(shapes.reflect().query(&"Written.twice = 4".parse().unwrap()).is_err());
    shapes.spawn(Written { once: 2 });
    assert_eq!(shapes.reflect().query(&"Written.twice = 4".parse().unwrap()).unwrap().rows.len(), 1);
}

#[derive(Serialize, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
enum Good {
    Grain,
    Wood,
}

#[derive(Component, Serialize, Deserialize)]
struct Stock(BTreeMap<Good, BTreeMap<u16, u8>>);

#[derive(Component, Serialize, Deserialize)]
struct Tree {
    left: Option<Box<Tree>>,
    size: u8,
}

#[derive(Component, Deserialize, Clone, Copy)]
struct Written {
    once: u8,
}

impl Serialize for Written {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([("once", self.once), ("twice", 2 * self.once)])
    }
}

world! {
    #[derive(Reflect)]
    struct Shapes { components { Stock, Tree, Written } }
}

#[test]
fn a_text_finds_entities() {
    let mut game = Game::new();
    let parent = game.spawn((Score(5), Position(1.0, 2.0)));
    let dragon = game.spawn((
        Monster {
            kind: Kind::Dragon { heads: 3, fire: true },
            target: Some(parent),
            path: vec![(1, 2)],
            loot: [("gold".into(), 1)].into(),
        },
        Health { now: 3, max: 9 },
        Score(2),
        Weapon("claw".into()),
        ChildOf(parent),
    ));
    let wolf = game.spawn((
        Monster { kind: Kind::Wolf, target: None, path: vec![], loot: [].into() },
        Health { now: 7, max: 9 },
        Score(9),
        Frozen,
    ));
    let all = [parent, dragon, wolf];
    let cases: &[(&str, &[Entity])] = &[
        ("", &all),
        ("Monster", &[dragon, wolf]),
        ("with Monster, without Frozen", &[dragon]),
        ("?Monster", &all),
        ("Health.now < 5", &[dragon]),
        ("Health.now >= 3, Health.now<=3.0", &[dragon]),
        ("Health.now != 3", &[wolf]),
        ("Score > 1.5, order by Score", &[dragon, parent, wolf]),
        ("order by Score desc, limit 2", &[wolf, parent]),
        ("order by Score desc, skip 1", &[parent, dragon]),
        ("order by Health.now", &[dragon, wolf, parent]),
        ("order by Health.now desc", &[wolf, dragon, parent]),
        ("Monster.kind = Wolf", &[wolf]),
        ("Monster.kind != Wolf", &[dragon]),
        ("Monster.kind.Dragon.heads = 3", &[dragon]),
        ("Monster.path[0][1] = 2", &[dragon]),
        ("Monster.loot[\"gold\"] = 1", &[dragon]),
        ("Monster.loot contains \"gold\"", &[dragon]),
        ("Monster.target = none", &[wolf]),
        ("Weapon contains \"la\"", &[dragon]),
        ("Weapon = \"claw\"", &[dragon]),
        ("Position.1 = 2", &[parent]),
    ];
    for (text, expected) in cases {
        assert_eq!(found(&game, text), *expected, "{text}");
    }
    assert_eq!(found(&game, &format!("ChildOf = {parent}")), [dragon]);
    assert_eq!(found(&game, &format!("ChildOf = {parent:#}")), [dragon]);
    assert_eq!(found(&game, &format!("Monster.target = {parent}, Health.now = 3")), [dragon]);
    assert_eq!(found(&game, &format!("after {parent}, limit 1")), [dragon]);

    let page = game.reflect().query(&"Score, ?Health, limit 1".parse().unwrap()).unwrap();
    assert_eq!(page.rows[0].values, [("Score", Some(5.into())), ("Health", None)]);
    assert!(page.more);
}

#[test]
fn a_mistake_in_a_text_has_a_place() {
    let cases = [
        (
            "Health.now <",
            "query, position 12: a constant is a number, `\"text\"`, `true`, `false`, `none`, the name of a variant, or the id of an entity, `12v3`, not the end",
        ),
        (
            "Health.now",
            "query, position 10: expected a comparison after the path: one of `=`, `!=`, `<`, `<=`, `>`, `>=`, `contains`, not the end",
        ),
        ("Health Score", "query, position 7: `,` separates the parts of a query, not `Score`"),
        ("with 5", "query, position 5: expected the name of a component after `with`, not `5`"),
        ("order Score", "query, position 6: expected `by` after `order`, not `Score`"),
        ("limit many", "query, position 6: expected the number of rows after `limit`, not `many`"),
        (
            "after 5",
            "query, position 6: expected the id of an entity after `after`, as in `after 12v3`, not `5`",
        ),
        ("Weapon = \"claw", "query, position 14: `\"` ends a text, not the end"),
    ];
    for (text, message) in cases {
        assert_eq!(text.parse::<DynamicQuery>().unwrap_err().to_string(), message, "{text}");
    }
    let game = Game::new();
    let cases = [
        ("Helth", "world `Game` has no component `Helth`: did you mean `Health`?"),
        ("Secret", "world `Game` has no component `Secret`"),
        ("without Secret", "world `Game` has no component `Secret`"),
        ("Secret = 1", "world `Game` has no component `Secret`"),
        ("order by Secret", "world `Game` has no component `Secret`"),
        ("ChildOf = 9v9", "query, position 0: no entity with the id `9v9` is alive"),
    ];
    for (text, message) in cases {
        let error = game.reflect().query(&text.parse().unwrap()).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
    }
}

#[test]
fn a_prepared_query_does_not_widen_a_handle() {
    let game = Game::new();
    let prepared = game.reflect().prepare(&"without Frozen, ?Health".parse().unwrap()).unwrap();
    assert!(game.reflect().run_prepared(&prepared).is_ok());
    for list in [["Health"], ["Frozen"]] {
        let guest = game.reflect().restrict(&AllowList::new().components(list)).unwrap();
        assert!(matches!(guest.run_prepared(&prepared), Err(ReflectError::UnknownName { .. })));
        assert!(guest.count_prepared(&prepared).is_err());
    }
    world! { #[derive(Reflect)] struct Other { components { Score } } }
    assert!(Other::new().reflect().run_prepared(&prepared).is_err());
}

/// A part of a random query. Components are numbered as in `NAMES`.
#[derive(Clone, Debug)]
enum Part {
    Fetch(usize),
    Optional(usize),
    With(usize),
    Without(usize),
    Compare(usize, usize, i64),
    Order(usize, bool),
}

const NAMES: [&str; 4] = ["Health", "Score", "Frozen", "Weapon"];
const PATHS: [(&str, &str); 3] = [("Health", ".now"), ("Health", ".max"), ("Score", "")];
const COMPARISONS: [(&str, Comparison); 6] = [
    ("=", Comparison::Equal),
    ("!=", Comparison::NotEqual),
    ("<", Comparison::Less),
    ("<=", Comparison::LessOrEqual),
    (">", Comparison::Greater),
    (">=", Comparison::GreaterOrEqual),
];

fn part() -> impl Strategy<Value = Part> {
    prop_oneof![
        (0..4_usize).prop_map(Part::Fetch),
        (0..4_usize).prop_map(Part::Optional),
        (0..4_usize).prop_map(Part::With),
        (0..4_usize).prop_map(Part::Without),
        (0..3_usize, 0..6_usize, 0..6_i64)
            .prop_map(|(path, comparison, value)| Part::Compare(path, comparison, value)),
        (0..3_usize, any::<bool>()).prop_map(|(path, descending)| Part::Order(path, descending)),
    ]
}

/// The integer at a path, read by name.
fn integer(values: &[(&str, DynamicValue)], (name, field): (&str, &str)) -> Option<i128> {
    let (_, value) = values.iter().find(|(known, _)| *known == name)?;
    let value = if field.is_empty() { value } else { value.field(&field[1..])? };
    match value {
        DynamicValue::Int(value) => Some(*value),
        other => panic!("{other}"),
    }
}

proptest! {
    #![proptest_config(random_cases(200))]

    #[test]
    fn a_query_finds_what_a_search_finds(
        entities in prop::collection::vec((any::<u8>(), 0..6_u32, 0..6_u32, any::<bool>()), 0..200),
        parts in prop::collection::vec(part(), 0..6),
        skip in 0..5_usize,
        limit in prop::option::of(0..50_usize),
        steps in prop::collection::vec(1..70_usize, 1..4),
    ) {
        let mut game = Game::new();
        let mut all = Vec::new();
        for (has, a, b, goes) in entities {
            let entity = game.spawn(());
            if has & 1 != 0 { game.insert(entity, Health { now: a, max: b }).unwrap(); }
            if has & 2 != 0 { game.insert(entity, Score(a.into())).unwrap(); }
            if has & 4 != 0 { game.insert(entity, Frozen).unwrap(); }
            if has & 8 != 0 { game.insert(entity, Weapon(a.to_string())).unwrap(); }
            if goes { game.despawn(entity).unwrap() } else { all.push(entity) }
        }
        all.sort_by_key(|entity| entity.slot());
        let (mut texts, mut query) = (Vec::new(), DynamicQuery::new());
        for part in &parts {
            (texts, query) = match *part {
                Part::Fetch(at) => (push(texts, NAMES[at].into()), query.fetch(NAMES[at])),
                Part::Optional(at) => (push(texts, format!("?{}", NAMES[at])), query.optional(NAMES[at])),
                Part::With(at) => (push(texts, format!("with {}", NAMES[at])), query.with(NAMES[at])),
                Part::Without(at) => (push(texts, format!("without {}", NAMES[at])), query.without(NAMES[at])),
                Part::Compare(at, by, value) => {
                    let (path, (token, comparison)) = (PATHS[at].0.to_owned() + PATHS[at].1, COMPARISONS[by]);
                    (push(texts, format!("{path} {token} {value}")), query.compare(path, comparison, value))
                }
                Part::Order(at, descending) => {
                    let path = PATHS[at].0.to_owned() + PATHS[at].1;
                    let text = format!("order by {path}{}", if descending { " desc" } else { "" });
                    (push(texts, text), query.order_by(path, descending))
                }
            };
        }
        query = query.skip(skip);
        texts = push(texts, format!("skip {skip}"));
        if let Some(limit) = limit {
            query = query.limit(limit);
            texts = push(texts, format!("limit {limit}"));
        }
        prop_assert_eq!(&texts.join(", ").parse::<DynamicQuery>().unwrap(), &query);

        let world = game.reflect();
        let mut expected: Vec<(Entity, Vec<(&str, DynamicValue)>)> = all
            .iter()
            .map(|&entity| (entity, world.read_all(entity).unwrap()))
            .filter(|(_, values)| parts.iter().all(|part| {
                let has = |at: usize| values.iter().any(|(name, _)| *name == NAMES[at]);
                match *part {
                    Part::Fetch(at) | Part::With(at) => has(at),
                    Part::Without(at) => !has(at),
                    Part::Compare(at, by, constant) => integer(values, PATHS[at]).is_some_and(|value| {
                        let constant = i128::from(constant);
                        [value == constant, value != constant, value < constant, value <= constant, value > constant, value >= constant][by]
                    }),
                    Part::Optional(_) | Part::Order(..) => true,
                }
            }))
            .collect();
        expected.sort_by_key(|(_, values)| {
            parts
                .iter()
                .filter_map(|part| match *part {
                    Part::Order(at, descending) => Some(match integer(values, PATHS[at]) {
                        Some(value) => (false, if descending { -value } else { value }),
                        None => (true, 0),
                    }),
                    _ => None,
                })
                .collect::<Vec<_>>()
        });
        let count = expected.len();
        let end = limit.map_or(usize::MAX, |limit| skip + limit);
        let prepared = world.prepare(&query).unwrap();
        let page = world.run_prepared(&prepared).unwrap();
        prop_assert_eq!(world.count_prepared(&prepared).unwrap(), count);
        prop_assert_eq!(page.more, count > end);
        let (rows, more, _) = stepwise(&game, &query, &steps);
        prop_assert_eq!(rows, page.rows.iter().map(|row| row.entity).collect::<Vec<_>>());
        prop_assert_eq!(more, page.more);
        let expected: Vec<_> = expected.into_iter().take(end).skip(skip).collect();
        prop_assert_eq!(page.rows.len(), expected.len());
        for (row, (entity, values)) in page.rows.iter().zip(&expected) {
            prop_assert_eq!(row.entity, *entity);
            for (name, value) in &row.values {
                let expected = values.iter().find(|(known, _)| known == name).map(|(_, value)| value);
                prop_assert_eq!(value.as_ref(), expected);
            }
        }
    }

    #[test]
    fn any_text_is_a_query_or_an_error(text in "[A-Za-z0-9 .,<>=!?\"\\[\\]\\\\:@vé-]{0,40}") {
        if let Err(error) = text.parse::<DynamicQuery>() {
            prop_assert!(matches!(error, ReflectError::InvalidQuery { at, .. } if at <= text.len()), "{error}");
        }
    }
}

fn push(mut texts: Vec<String>, text: String) -> Vec<String> {
    texts.push(text);
    texts
}

#[test]
fn paths_and_constants_end_where_they_should() {
    let mut game = Game::new();
    let wolf =
        Monster { kind: Kind::Wolf, target: None, path: vec![], loot: [("a\"b\\c\nd".into(), 1)].into() };
    let wolf = game.spawn((wolf, Health { now: 7, max: 9 }, Score(9), Weapon("a\"b\\c\nd".into())));
    let ghost = Monster { kind: Kind::Ghost(1), target: None, path: vec![], loot: [].into() };
    let ghost = game.spawn((ghost, Health { now: 5, max: 9 }, Score(5), Weapon("claw".into())));
    let cases: &[(&str, &[Entity])] = &[
        ("Health.now>5", &[wolf]),
        ("Health.now>=5,Score<9", &[ghost]),
        ("Score<9,Health.now>4", &[ghost]),
        ("Monster.kind<Wolf", &[ghost]),
        ("Monster.kind<Wolf, Health.now>4", &[ghost]),
        (r#"Weapon="a\"b\\c\nd""#, &[wolf]),
        (r#"Weapon="claw",Score>1"#, &[ghost]),
    ];
    for (text, expected) in cases {
        assert_eq!(found(&game, text), *expected, "{text}");
    }
    let error = |text: &str| text.parse::<DynamicQuery>().unwrap_err().to_string();
    let said = error(r#"Health"now > 1"#);
    assert!(said.contains("`,` separates the parts"), "{said}");
    for text in ["Many<Likes<x>", "Health[1", r#"Monster.loot["a]"#] {
        let said = error(text);
        assert!(said.contains("a bracket or a quotation mark is not closed"), "{text}: {said}");
    }
    assert!(
        "Many<Likes>".parse::<DynamicQuery>().is_ok()
            && "a::Many<b::Likes> = 1".parse::<DynamicQuery>().is_ok()
    );
    let said = error(r#"Weapon = "a\t""#);
    assert!(said.contains("are the characters with a backslash"), "{said}");
}

#[test]
fn a_short_id_is_that_of_a_live_entity() {
    let mut game = Game::new();
    let all: Vec<Entity> = (0..200).map(|_| game.spawn(Score(1))).collect();
    let of = |at: usize| Monster { kind: Kind::Wolf, target: Some(all[at]), path: vec![], loot: [].into() };
    let targets = [0, 63, 64, 65, 130];
    let hunters: Vec<Entity> = targets.iter().map(|&at| game.spawn(of(at))).collect();
    for (&target, &hunter) in targets.iter().zip(&hunters) {
        assert_eq!(found(&game, &format!("Monster.target = {}", all[target])), [hunter]);
    }
    let gone = [1, 65, 130];
    for gone in gone {
        game.despawn(all[gone]).unwrap();
        let query = format!("Monster.target = {}", all[gone]).parse().unwrap();
        let said = game.reflect().query(&query).map(drop).unwrap_err().to_string();
        assert!(said.contains(&format!("no entity with the id `{}` is alive", all[gone])), "{said}");
    }
    for (target, &hunter) in targets.iter().zip(&hunters).filter(|(target, _)| !gone.contains(target)) {
        assert_eq!(found(&game, &format!("Monster.target = {}", all[*target])), [hunter]);
    }
}

/// The rows of a run in steps of these numbers, whether there are more, and the steps.
fn stepwise(game: &Game, query: &DynamicQuery, steps: &[usize]) -> (Vec<Entity>, bool, usize) {
    let world = game.reflect();
    let query = world.prepare(query).unwrap();
    let (mut run, mut rows, mut steps) = (world.start(&query).unwrap(), Vec::new(), steps.iter().cycle());
    while !run.is_done() {
        let (before, count) = (run.steps(), *steps.next().unwrap());
        let found = world.advance(&query, &mut run, count).unwrap();
        // an entity costs a step for each of its comparisons
        assert!(run.is_done() || (count..count + 8).contains(&(run.steps() - before)));
        rows.extend(found.into_iter().map(|entity| world.row(&query, entity).unwrap().entity));
    }
    (rows, run.has_more(), run.steps())
}

#[test]
fn a_run_costs_what_it_reads() {
    let mut game = Game::new();
    game.spawn_batch((0..100).map(|n| (Score(n), Health { now: 1, max: 2 }))).count();
    game.spawn_batch((0..50).map(Score)).count();
    let cost = |text: &str| stepwise(&game, &text.parse().unwrap(), &[usize::MAX]).2;
    let costs = [
        "Score",
        "Score > 5",
        // the fourth row is looked for, to tell whether there are more
        "Score > 5, limit 3",
        "order by Score, limit 10",
        "Health, order by Score, limit 10",
        "Score, skip 20, limit 10",
        "Score, skip 999",
    ];
    assert_eq!(costs.map(cost), [150, 150, 10, 160, 110, 31, 150]);
}

#[test]
fn a_run_goes_on_in_a_world_that_has_changed() {
    let mut game = Game::new();
    let all: Vec<Entity> = game.spawn_batch((0..300).map(Score)).collect();
    for text in ["Score >= 0", "order by Score desc"] {
        let query = game.reflect().prepare(&text.parse().unwrap()).unwrap();
        let (mut run, mut rows) = (game.reflect().start(&query).unwrap(), Vec::new());
        let mut calls = 0;
        while !run.is_done() {
            rows.extend(game.reflect().advance(&query, &mut run, 7).unwrap());
            // one that was found, and one that was not
            for gone in [calls, 299 - calls] {
                _ = game.despawn(all[gone]);
            }
            game.spawn(Score(1));
            calls += 1;
        }
        let stay = |entity: &&Entity| game.contains(**entity) && all.contains(entity);
        let mut found: Vec<&Entity> = rows.iter().filter(stay).collect();
        found.sort_by_key(|entity| entity.slot());
        found.dedup();
        assert!(found.iter().copied().eq(all.iter().filter(|entity| game.contains(**entity))), "{text}");
    }
}

world! {
    #[derive(Reflect)]
    struct Family { components { Name, ChildOf } }
}

#[test]
fn a_relation_to_an_entity_costs_what_its_sources_cost() {
    let mut game = Family::new();
    let hub = game.spawn(Name::new("hub"));
    game.spawn_batch((0..1_000).map(|n| (Name::new(format!("child {n}")), ChildOf(hub)))).count();
    let last = game.spawn((Name::new("last"), ChildOf(hub)));
    let leaf = game.spawn((Name::new("leaf"), ChildOf(last)));
    let gone = game.spawn(ChildOf(last));
    game.despawn(gone).unwrap();
    let world = game.reflect();
    let run = |text: &str| {
        let query = world.prepare(&text.parse().unwrap()).unwrap();
        let mut run = world.start(&query).unwrap();
        let found = world.advance(&query, &mut run, usize::MAX).unwrap();
        assert_eq!((run.is_done(), world.count_prepared(&query).unwrap()), (true, found.len()));
        (found, run.steps())
    };
    assert_eq!(run(&format!("ChildOf = {last}")), (vec![leaf], 1));
    assert_eq!(run(&format!("ChildOf = {leaf}")), (vec![], 0));
    assert_eq!(run(&format!("ChildOf = {hub}, ChildOf = {last}")), (vec![], 0), "no entity has two parents");
    assert_eq!(run(&format!("ChildOf = {last}, Name = \"leaf\"")), (vec![leaf], 2));
    assert_eq!(run(&format!("ChildOf = {hub}")).1, 1_001);
    assert_eq!(run(&format!("ChildOf != {hub}")), (vec![leaf], 1_002));
    assert_eq!(world.sources("ChildOf", hub, 2).unwrap().len(), 2);
    assert_eq!(world.sources("ChildOf", last, 10).unwrap(), [leaf]);
    assert_eq!(world.sources("Name", hub, 10).unwrap(), [], "it is no relation");
    assert!(world.sources("ChildIf", hub, 10).is_err());
}
