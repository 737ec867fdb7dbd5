//! Relations: both ends agree after every kind of change.

use ecs::command::FailurePolicy;
use ecs::error::{InsertError, Reason, Refused};
use ecs::prelude::*;
use ecs::{ChildOf, Sources, TargetOf};
use ecs_tests::{Ledger, Token};

#[derive(Component, Clone, Default, PartialEq, Debug)]
struct Name(u32);

#[derive(Component, Clone)]
struct Held(#[allow(dead_code)] Token);

#[derive(Relation, Clone, PartialEq, Debug)]
#[relation(many, gone = remove)]
#[component(tracked, removed)]
struct Owes {
    #[target]
    to: Entity,
    amount: u32,
}

#[derive(Relation, Clone, PartialEq, Debug)]
#[relation(exclusive, symmetric, gone = remove)]
struct MarriedTo(Entity, #[target] Entity);

#[derive(Relation, Clone, Copy, PartialEq, Debug)]
#[relation(exclusive, gone = keep)]
#[component(tracked, removed, requires(Name))]
struct Attacks(Entity);

#[derive(Relation, Clone, PartialEq, Debug)]
#[relation(many, symmetric)]
struct Knows {
    #[target]
    whom: Entity,
    since: u32,
}

world! {
    #[derive(Clone)]
    struct Game {
        components {
            Name, Held, ChildOf, owes: Many<Owes>, MarriedTo, Attacks, knows: Many<Knows>,
        }
        resources { Seen = Seen::default() }
    }
    schedule watch { attacked; given_up; debts; paid }
}

#[derive(Resource, Default, Clone, PartialEq, Debug)]
struct Seen {
    attacked: Vec<Entity>,
    given_up: Vec<(Entity, Entity)>,
    debts: Vec<Entity>,
    paid: Vec<(Entity, u32)>,
}

#[system(Game)]
fn attacked(entity: Entity, _: Changed<Attacks>, _attacks: Ref<Attacks>, mut seen: ResMut<Seen>) {
    seen.attacked.push(entity);
}

#[system(Game)]
fn given_up(mut removed: Removed<Attacks>, mut seen: ResMut<Seen>) {
    seen.given_up.extend(removed.iter().map(|(entity, attacks)| (entity, attacks.0)));
}

#[system(Game)]
fn debts(debtors: Query<Entity, Changed<Many<Owes>>>, mut seen: ResMut<Seen>) {
    seen.debts.extend(&debtors);
}

#[system(Game)]
fn paid(mut removed: Removed<Many<Owes>>, mut seen: ResMut<Seen>) {
    seen.paid
        .extend(removed.iter().map(|(entity, owes)| (entity, owes.iter().map(|owes| owes.amount).sum())));
}

fn refused(error: &InsertError) -> Reason {
    match error {
        InsertError::Refused(refused) => refused.reason,
        InsertError::NoSuchEntity(_) => panic!("{error}"),
    }
}

#[test]
fn both_ends_know_of_each_other() {
    let mut game = Game::new();
    let parent = game.spawn(Name(1));
    let first = game.spawn((Name(2), ChildOf(parent)));
    let second = game.spawn(());
    assert_eq!(game.insert(second, ChildOf(parent)), Ok(None));
    assert_eq!(game.get(first), Some(&ChildOf(parent)));
    assert_eq!((game.target::<ChildOf>(first), game.target::<ChildOf>(parent)), (Some(parent), None));
    assert_eq!(game.sources::<ChildOf>(parent), [first, second]);
    assert_eq!(game.remove::<ChildOf>(first), Ok(Some(ChildOf(parent))));
    assert_eq!(game.sources::<ChildOf>(parent), [second]);
    assert!(game.sources::<ChildOf>(first).is_empty());
}

#[test]
fn another_target_moves_the_source_and_clears_both_ends() {
    let mut game = Game::new();
    let [a, b] = [game.spawn(()), game.spawn(())];
    let child = game.spawn(ChildOf(a));
    let brother = game.spawn(ChildOf(b));
    assert_eq!(game.insert(child, ChildOf(b)), Ok(Some(ChildOf(a))));
    assert_eq!(
        (game.sources::<ChildOf>(a), game.sources::<ChildOf>(b)),
        ([].as_slice(), [brother, child].as_slice())
    );
    game.insert(brother, ChildOf(b)).unwrap();
    assert_eq!(game.sources::<ChildOf>(b), [brother, child], "the same target again: it keeps its place");
}

#[test]
fn the_position_among_the_sources_can_be_queried() {
    let mut game = Game::new();
    let parent = game.spawn(());
    let ids: Vec<Entity> = game.spawn_batch([1, 2, 3].map(Name)).collect();
    game.relate_at(ids[0], ChildOf(parent), 7).unwrap();
    game.relate_at(ids[1], ChildOf(parent), 0).unwrap();
    game.relate_at(ids[2], ChildOf(parent), 1).unwrap();
    assert_eq!(game.sources::<ChildOf>(parent), [ids[1], ids[2], ids[0]]);
    game.relate_at(ids[1], ChildOf(parent), 2).unwrap();
    assert_eq!(game.sources::<ChildOf>(parent), [ids[2], ids[0], ids[1]]);
}

#[test]
fn a_refused_relation_changes_nothing() {
    let mut game = Game::new();
    let dead = game.spawn(());
    game.despawn(dead).unwrap();
    let entity = game.spawn(Name(1));
    let error = game.insert(entity, (Name(2), ChildOf(dead))).unwrap_err();
    assert_eq!(refused(&error), Reason::NoSuchTarget(dead));
    assert_eq!(game.get(entity), Some(&Name(1)));
    let text = format!(
        "entity {entity} of world `Game` cannot have component `ChildOf`: its target {dead:#} is not alive"
    );
    assert_eq!(error.to_string(), text);
    let error = game.insert(entity, ChildOf(entity)).unwrap_err();
    assert_eq!(refused(&error), Reason::Itself);
    let text = format!(
        "entity {entity} of world `Game` cannot have component `ChildOf`: an entity cannot be related to \
         itself; choose another target"
    );
    assert_eq!(error.to_string(), text);
    let error = game.relate(entity, Owes { to: dead, amount: 1 }).unwrap_err();
    let expected = Refused {
        entity: Some(entity),
        component: "Many<Owes>",
        world: "Game",
        reason: Reason::NoSuchTarget(dead),
    };
    assert_eq!(error, InsertError::Refused(expected));
    assert_eq!(game.try_spawn((Name(1), ChildOf(dead))).unwrap_err().reason, Reason::NoSuchTarget(dead));
    assert!(game.relate(dead, ChildOf(entity)).is_err() && game.unrelate::<ChildOf>(dead, entity).is_err());
    assert_eq!((game.entities().len(), game.query::<&ChildOf>().iter().count()), (1, 0));
}

#[test]
#[should_panic(expected = "a new entity of world `Game` cannot have component `ChildOf`: its target")]
fn spawning_a_refused_relation_panics() {
    let mut game = Game::new();
    let dead = game.spawn(());
    game.despawn(dead).unwrap();
    game.spawn(ChildOf(dead));
}

#[test]
fn a_cycle_is_refused_where_it_would_close() {
    let mut game = Game::new();
    let root = game.spawn(());
    let middle = game.spawn(ChildOf(root));
    let leaf = game.spawn(ChildOf(middle));
    let error = game.insert(root, ChildOf(leaf)).unwrap_err();
    assert_eq!(refused(&error), Reason::Cycle(leaf));
    let text = format!(
        "entity {root} of world `Game` cannot have component `ChildOf`: its target {leaf} already leads back to \
         the entity, and the relation must not form a cycle"
    );
    assert_eq!(error.to_string(), text);
    game.remove::<ChildOf>(middle).unwrap();
    assert!(game.insert(root, ChildOf(leaf)).is_ok());
    // a relation without `acyclic` may form a cycle
    game.insert(root, Attacks(leaf)).unwrap();
    game.insert(leaf, Attacks(root)).unwrap();
    let tree = game.related::<Attacks>();
    assert!(tree.ancestors(root).count() >= 2 && tree.descendants(root).count() >= 2, "and the walks end");
}

#[test]
fn a_cascade_takes_the_whole_tree_and_nothing_else() {
    let ledger = Ledger::new();
    let mut game = Game::new();
    let root = game.spawn(Held(ledger.token()));
    let other = game.spawn((Held(ledger.token()), ChildOf(root)));
    let branch = game.spawn((Held(ledger.token()), ChildOf(root)));
    let leaf = game.spawn((Held(ledger.token()), ChildOf(branch)));
    let stranger = game.spawn(Attacks(leaf));
    game.despawn(branch).unwrap();
    assert_eq!(
        [root, other, branch, leaf, stranger].map(|entity| game.contains(entity)),
        [true, true, false, false, true]
    );
    assert_eq!((game.sources::<ChildOf>(root), ledger.alive()), ([other].as_slice(), 2));
    game.despawn(root).unwrap();
    assert_eq!((game.entities().len(), ledger.alive()), (1, 0));
}

#[test]
fn many_targets_have_one_edge_each() {
    let mut game = Game::new();
    let [bank, shop] = [game.spawn(()), game.spawn(())];
    let poor = game.spawn(());
    assert_eq!(game.relate(poor, Owes { to: bank, amount: 5 }), Ok(None));
    assert_eq!(game.relate(poor, Owes { to: shop, amount: 1 }), Ok(None));
    assert_eq!(game.relate(poor, Owes { to: bank, amount: 7 }), Ok(Some(Owes { to: bank, amount: 5 })));
    assert_eq!(game.relations::<Owes>(poor), [Owes { to: bank, amount: 7 }, Owes { to: shop, amount: 1 }]);
    let owes = game.get::<Many<Owes>>(poor).unwrap();
    assert_eq!(
        (owes.len(), owes.get(shop).map(|owes| owes.amount), owes.contains(poor)),
        (2, Some(1), false)
    );
    assert_eq!(game.related::<Owes>().relation(poor, shop), Some(&Owes { to: shop, amount: 1 }));
    assert_eq!(
        (game.sources::<Owes>(bank), game.sources::<Owes>(shop)),
        ([poor].as_slice(), [poor].as_slice())
    );
    assert_eq!(game.unrelate::<Owes>(poor, bank), Ok(Some(Owes { to: bank, amount: 7 })));
    assert_eq!(game.unrelate::<Owes>(poor, bank), Ok(None));
    assert!(game.sources::<Owes>(bank).is_empty() && game.has::<Many<Owes>>(poor));
    game.unrelate::<Owes>(poor, shop).unwrap();
    assert!(!game.has::<Many<Owes>>(poor), "with its last edge the component goes");
}

#[test]
fn a_whole_set_of_edges_replaces_another_one() {
    let mut game = Game::new();
    let [a, b, c] = [game.spawn(()), game.spawn(()), game.spawn(())];
    let set = |targets: &[Entity]| targets.iter().map(|&to| Owes { to, amount: 1 }).collect::<Many<Owes>>();
    let poor = game.spawn((Name(1), set(&[a, b, a])));
    assert_eq!(game.relations::<Owes>(poor).len(), 2);
    game.insert(poor, set(&[c, b])).unwrap();
    assert_eq!([a, b, c].map(|entity| game.sources::<Owes>(entity).len()), [0, 1, 1]);
    game.despawn(b).unwrap();
    assert_eq!(game.relations::<Owes>(poor), [Owes { to: c, amount: 1 }]);
    game.despawn(c).unwrap();
    assert!(game.contains(poor) && !game.has::<Many<Owes>>(poor));
    game.insert(poor, set(&[a])).unwrap();
    game.despawn(poor).unwrap();
    assert!(game.sources::<Owes>(a).is_empty());
}

#[test]
fn a_kept_id_dangles_until_it_is_healed() {
    let mut game = Game::new();
    let wolf = game.spawn(Name(1));
    let hero = game.spawn(Attacks(wolf));
    game.despawn(wolf).unwrap();
    assert_eq!((game.target::<Attacks>(hero), game.sources::<Attacks>(wolf)), (Some(wolf), [].as_slice()));
    assert!(game.related::<Attacks>().dangling().eq([(hero, &Attacks(wolf))]));
    // a new entity in the same slot is no target
    let next = game.spawn(Name(2));
    assert_eq!(next.slot(), wolf.slot());
    assert!(game.sources::<Attacks>(next).is_empty());
    game.insert(hero, Attacks(next)).unwrap();
    assert!(game.related::<Attacks>().dangling().next().is_none());
    assert_eq!(game.sources::<Attacks>(next), [hero]);
    game.despawn(next).unwrap();
    assert_eq!(game.remove::<Attacks>(hero), Ok(Some(Attacks(next))));
}

#[test]
fn a_marriage_has_two_ends() {
    let mut game = Game::new();
    let ring = game.spawn(());
    let [a, b, c, d] = [game.spawn(()), game.spawn(()), game.spawn(()), game.spawn(())];
    game.insert(a, MarriedTo(ring, b)).unwrap();
    game.relate(c, MarriedTo(ring, d)).unwrap();
    assert_eq!(game.get(b), Some(&MarriedTo(ring, a)));
    // the former partners of both lose the relation
    assert_eq!(game.insert(b, MarriedTo(ring, c)), Ok(Some(MarriedTo(ring, a))));
    assert_eq!([a, b, c, d].map(|entity| game.target::<MarriedTo>(entity)), [None, Some(c), Some(b), None]);
    assert_eq!(
        (game.sources::<MarriedTo>(b), game.sources::<MarriedTo>(c)),
        ([c].as_slice(), [b].as_slice())
    );
    assert!(game.sources::<MarriedTo>(a).is_empty() && game.sources::<MarriedTo>(d).is_empty());
    game.remove::<MarriedTo>(c).unwrap();
    assert!([a, b, c, d].iter().all(|&entity| !game.has::<MarriedTo>(entity)));
    game.insert(a, MarriedTo(ring, d)).unwrap();
    game.despawn(d).unwrap();
    assert!(!game.has::<MarriedTo>(a) && game.sources::<MarriedTo>(a).is_empty());
    game.insert(a, MarriedTo(ring, b)).unwrap();
    assert_eq!(game.unrelate::<MarriedTo>(b, a), Ok(Some(MarriedTo(ring, a))));
    assert!(!game.has::<MarriedTo>(a));
}

#[test]
fn acquaintance_is_mutual_with_its_data() {
    let mut game = Game::new();
    let [a, b, c] = [game.spawn(()), game.spawn(()), game.spawn(())];
    game.relate(a, Knows { whom: b, since: 3 }).unwrap();
    game.relate(c, Knows { whom: b, since: 5 }).unwrap();
    assert_eq!(game.relations::<Knows>(b), [Knows { whom: a, since: 3 }, Knows { whom: c, since: 5 }]);
    game.relate(b, Knows { whom: a, since: 9 }).unwrap();
    assert_eq!(game.relations::<Knows>(a), [Knows { whom: b, since: 9 }]);
    game.unrelate::<Knows>(a, b).unwrap();
    assert_eq!(game.relations::<Knows>(b), [Knows { whom: c, since: 5 }]);
    assert!(!game.has::<Many<Knows>>(a));
    game.insert(b, Many::from([Knows { whom: a, since: 1 }])).unwrap();
    assert!(game.relations::<Knows>(c).is_empty() && game.sources::<Knows>(c).is_empty());
    game.despawn(a).unwrap();
    assert!(game.relations::<Knows>(b).is_empty() && game.sources::<Knows>(b).is_empty());
}

#[test]
fn every_door_keeps_both_ends() {
    let mut game = Game::new();
    let [parent, other] = [game.spawn(()), game.spawn(())];
    // batches
    let batch: Vec<Entity> = game.spawn_batch((0..3).map(|number| (Name(number), ChildOf(parent)))).collect();
    assert_eq!(game.sources::<ChildOf>(parent), batch);
    // views
    let mut view = game.columns_mut().child_of;
    assert_eq!(view.insert(batch[0], ChildOf(other)), Ok(Some(ChildOf(parent))));
    assert_eq!(view.insert(other, ChildOf(batch[0])), Err(ChildOf(batch[0])));
    assert_eq!(view.get_mut(batch[1]), Some(&ChildOf(parent)), "lent, but not mutable");
    assert_eq!(view.remove(batch[1]), Some(ChildOf(parent)));
    assert_eq!(
        (game.sources::<ChildOf>(parent), game.sources::<ChildOf>(other)),
        ([batch[2]].as_slice(), [batch[0]].as_slice())
    );
    // commands
    game.on_failed_command(FailurePolicy::Ignore);
    let born = game.with_commands(|mut commands| {
        let born = commands.spawn(Name(9));
        commands.spawn((Name(10), ChildOf(born)));
        commands.insert(batch[2], ChildOf(born));
        commands.insert(born, ChildOf(batch[2])); // a cycle: the command fails
        commands.relate(batch[1], Owes { to: born, amount: 1 });
        commands.relate(batch[1], Owes { to: parent, amount: 1 });
        commands.unrelate::<Owes>(batch[1], parent);
        born
    });
    assert_eq!((game.sources::<ChildOf>(born).len(), game.sources::<ChildOf>(parent).len()), (2, 0));
    assert_eq!((game.stats().failed_commands, game.sources::<Owes>(born)), (1, [batch[1]].as_slice()));
    game.with_commands(|mut commands| commands.despawn(born));
    assert!(!game.contains(batch[2]) && game.relations::<Owes>(batch[1]).is_empty());
    // all at once
    game.clear();
    let next = game.spawn(());
    assert!(game.sources::<ChildOf>(next).is_empty() && game.related::<ChildOf>().roots().next().is_none());
}

#[test]
fn storages_relate_while_others_are_iterated() {
    #[system(Game)]
    fn adopt(names: Query<(Entity, &Name)>, mut children: Storage<ChildOf>, mut debts: Storage<Many<Owes>>) {
        let (parent, _) = names.iter().next().unwrap();
        for (entity, name) in &names {
            assert_eq!(children.insert(entity, ChildOf(parent)).is_ok(), entity != parent);
            let owed = debts.relate(entity, Owes { to: parent, amount: name.0 });
            assert_eq!(owed.is_ok(), entity != parent);
        }
        assert!(children.remove(parent).is_none() && debts.unrelate(parent, parent).is_none());
    }
    let mut game = Game::new();
    let ids: Vec<Entity> = game.spawn_batch((0..100).map(Name)).collect();
    game.run::<adopt>();
    assert_eq!(game.sources::<ChildOf>(ids[0]), &ids[1..]);
    assert_eq!(game.sources::<Owes>(ids[0]), &ids[1..]);
    assert_eq!(game.relations::<Owes>(ids[7]), [Owes { to: ids[0], amount: 7 }]);
}

#[test]
fn queries_look_from_both_ends() {
    #[system(Game)]
    fn sums(name: &mut Name, children: Sources<ChildOf>, _: TargetOf<ChildOf>) {
        name.0 = children.len() as u32;
    }
    #[system(Game)]
    fn generations(tree: Related<ChildOf>, names: Query<(Entity, &Name), Not<TargetOf<ChildOf>>>) -> usize {
        names.iter().map(|(entity, _)| tree.ancestors(entity).count()).sum()
    }
    let mut game = Game::new();
    let root = game.spawn(Name(50));
    let child = game.spawn((Name(60), ChildOf(root)));
    let grandchild = game.spawn((Name(70), ChildOf(child)));
    let sources: Vec<(Entity, Vec<Entity>)> = game
        .query::<(Entity, Sources<ChildOf>)>()
        .iter()
        .map(|(entity, sources)| (entity, sources.to_vec()))
        .collect();
    assert_eq!(sources.len(), 3);
    assert!(sources.contains(&(root, vec![child])) && sources.contains(&(grandchild, vec![])));
    game.run::<sums>();
    assert_eq!([root, child, grandchild].map(|entity| game.get::<Name>(entity).unwrap().0), [1, 1, 70]);
    assert_eq!(game.run::<generations>(), 2);
    let query = game.query::<Sources<ChildOf>>().into_query();
    assert_eq!(query.get(root).unwrap().as_slice(), [child]);
    assert!(game.entities().filter::<Or<(TargetOf<ChildOf>, With<ChildOf>)>>().iter().count() == 3);
}

#[test]
fn several_threads_look_from_the_targets_end() {
    #[system(Game)]
    fn count(mut families: Query<(&mut Name, Sources<ChildOf>)>) {
        families.par_for_each(|(name, children)| name.0 = children.len() as u32);
    }
    let mut game = Game::new();
    let parents: Vec<Entity> = game.spawn_batch((0..5000).map(|_| Name(9))).collect();
    game.spawn_batch(parents.iter().step_by(3).map(|&parent| ChildOf(parent)));
    game.run::<count>();
    assert!(
        parents
            .iter()
            .enumerate()
            .all(|(n, &parent)| game.get(parent) == Some(&Name(u32::from(n.is_multiple_of(3)))))
    );
}

#[test]
fn a_derived_query_has_sources_as_a_field() {
    #[derive(Query)]
    struct Family<'a> {
        children: Sources<'a, ChildOf>,
        name: &'a Name,
    }
    let mut game = Game::new();
    let root = game.spawn(Name(1));
    game.spawn(ChildOf(root));
    let families: Vec<(u32, usize)> =
        game.query::<Family>().iter().map(|family| (family.name.0, family.children.len())).collect();
    assert_eq!(families, [(1, 1)]);
}

#[test]
fn generic_systems_can_query_relations() {
    #[system]
    fn count<R: Relation>(sources: Query<Sources<R>>, related: Related<R>) -> usize {
        assert!(format!("{related:?}").contains(R::RELATION_NAME));
        sources.iter().map(|sources| sources.len()).sum()
    }
    let mut game = Game::new();
    let root = game.spawn(());
    game.spawn((ChildOf(root), Many::one(Owes { to: root, amount: 1 })));
    assert_eq!(
        (game.run::<count<ChildOf>>(), game.run::<count<Owes>>(), game.run::<count<Attacks>>()),
        (1, 1, 0)
    );
}

#[test]
fn changes_of_relations_are_reacted_to() {
    let mut game = Game::new();
    game.watch();
    let [wolf, bear, bank] = [game.spawn(()), game.spawn(()), game.spawn(())];
    let hero = game.spawn(Attacks(wolf));
    assert_eq!(game.get(hero), Some(&Name(0)), "what it requires");
    game.relate(hero, Owes { to: bank, amount: 4 }).unwrap();
    game.watch();
    game.relate(hero, Attacks(bear)).unwrap();
    game.relate(hero, Owes { to: wolf, amount: 2 }).unwrap();
    game.watch();
    game.watch();
    assert_eq!(game.resource::<Seen>().attacked, [hero, hero]);
    assert_eq!(game.resource::<Seen>().debts, [hero, hero]);
    game.despawn(bank).unwrap(); // losing an edge is a change
    game.watch();
    assert_eq!(game.resource::<Seen>().debts.len(), 3);
    game.despawn(wolf).unwrap(); // losing the last edge removes the component
    game.remove::<Attacks>(hero).unwrap();
    game.watch();
    let seen = game.resource::<Seen>();
    assert_eq!(
        (seen.paid.as_slice(), seen.given_up.as_slice()),
        ([(hero, 2)].as_slice(), [(hero, bear)].as_slice())
    );
}

#[test]
fn a_clone_of_a_world_knows_both_ends_by_itself() {
    let mut game = Game::new();
    let root = game.spawn(());
    let child = game.spawn(ChildOf(root));
    let mut copy = game.clone();
    let second = copy.spawn(ChildOf(root));
    assert_eq!(
        (game.sources::<ChildOf>(root), copy.sources::<ChildOf>(root)),
        ([child].as_slice(), [child, second].as_slice())
    );
    copy.despawn(root).unwrap();
    assert!(!copy.contains(child) && game.contains(child));
    game.despawn(root).unwrap();
    assert!(!game.contains(child));
}

#[test]
fn targets_are_found_whatever_block_they_live_in() {
    // targets in an allocation group of their own, with blocks that become empty and are reused
    let mut game = Game::new();
    for round in 0..20 {
        let targets: Vec<Entity> = if round % 2 == 0 {
            game.spawn_batch((0..200).map(Name)).collect()
        } else {
            (0..200).map(|_| game.spawn(())).collect()
        };
        let sources: Vec<Entity> = targets.iter().map(|&target| game.spawn(ChildOf(target))).collect();
        for &target in &targets {
            game.despawn(target).unwrap();
        }
        assert!(sources.iter().all(|&source| !game.contains(source)));
        assert!(
            game.entities().is_empty() && game.query::<Entity>().filter::<TargetOf<ChildOf>>().is_empty()
        );
    }
}

/// A derive in a macro gets the type of the field with the hygiene of that macro.
macro_rules! linked {
    ($name:ident { $field:ident: $ty:ty }) => {
        #[derive(Relation)]
        #[relation(exclusive, gone = remove)]
        struct $name {
            #[target]
            $field: $ty,
        }
    };
}
linked! { Linked { end: Entity } }

#[test]
fn relation_is_derived_in_a_macro_that_passes_the_type_of_its_target() {
    world! { struct Chain { components { Linked } } }
    let mut chain = Chain::new();
    let last = chain.spawn(());
    let first = chain.spawn(Linked { end: last });
    assert_eq!(
        (chain.target::<Linked>(first), chain.sources::<Linked>(last)),
        (Some(last), [first].as_slice())
    );
}
