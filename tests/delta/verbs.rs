//! Single verbs of selections, and the errors of deltas that do not fit.

use ecs::ChildOf;
use ecs::prelude::*;
use ecs::save::{Baseline, DanglingIds, DeltaError, Replica, Selection, move_entities};

use crate::game::*;

type Both = (Position, Health);

fn pair() -> (Server, Entity, Client, Replica) {
    let mut server = Server::new();
    let hero = server.spawn((Position([1.0, 2.0]), Health(5)));
    (server, hero, Client::new(), Replica::new())
}

#[test]
fn a_delta_is_applied_once_and_in_order() {
    let (mut server, hero, mut client, mut replica) = pair();
    let selection = Selection::of::<Both>();
    let receiver = Selection::<Client>::of::<Both>();
    let first = selection.delta(&Baseline::nothing(), &server, 3).unwrap();
    let known = selection.baseline(&mut server, 3);
    server.get_mut::<Position>(hero).unwrap().0[0] = 7.0;
    let second = selection.delta(&known, &server, 4).unwrap();

    let early = receiver.apply(&mut client, &mut replica, &second);
    assert!(matches!(early, Err(DeltaError::OutOfOrder { from: 3, at: 0 })), "{early:?}");
    let applied = receiver.apply(&mut client, &mut replica, &first).unwrap();
    assert_eq!((applied.spawned, applied.inserted), (1, 2));
    let twice = receiver.apply(&mut client, &mut replica, &first);
    assert!(matches!(twice, Err(DeltaError::AlreadyApplied { to: 3, at: 3 })), "{twice:?}");
    let applied = receiver.apply(&mut client, &mut replica, &second).unwrap();
    assert_eq!((applied.spawned, applied.inserted, applied.removed), (0, 1, 0));
    equal(&client, replica.get(hero).unwrap(), &Position([7.0, 2.0]));

    let other = Selection::<Client>::of::<Position>().apply(&mut client, &mut replica, &second);
    assert!(matches!(other, Err(DeltaError::OtherSelection { world: "Client" })), "{other:?}");
    replica.clear(&mut client);
    assert_eq!((client.entities().len(), replica.frame(), replica.len()), (0, 0, 0));
    receiver.apply(&mut client, &mut replica, &first).unwrap();
}

#[test]
fn frames_grow_and_baselines_are_of_the_same_components() {
    let (mut server, ..) = pair();
    let selection = Selection::of::<Both>();
    let known = selection.baseline(&mut server, 3);
    let error = selection.delta(&known, &server, 3).unwrap_err().to_string();
    assert!(error.contains("frame 3 is not later than frame 3"), "{error}");
    assert!(Selection::of::<Position>().delta(&known, &server, 4).is_err());
}

#[test]
fn changes_are_lists_of_entities() {
    let (mut server, hero, ..) = pair();
    let rat = server.spawn(Health(1));
    let bat = server.spawn(Position([0.0, 0.0]));
    let selection = Selection::of::<Both>();
    let known = selection.baseline(&mut server, 1);
    assert!(selection.changes(&known, &server).unwrap().is_empty());
    server.get_tracked::<Health>(hero).unwrap().0 = 5; // changed, to the same value
    server.get_tracked::<Health>(rat).unwrap().0 = 2;
    server.remove::<Position>(hero).unwrap();
    server.insert(rat, Position([3.0, 3.0])).unwrap();
    server.despawn(bat).unwrap();
    let cat = server.spawn(Health(9));
    let changes = selection.changes(&known, &server).unwrap();
    assert_eq!((changes.came, changes.gone), (vec![cat], vec![bat]));
    let [position, health] = &changes.components[..] else { panic!("two components") };
    assert_eq!((position.component, health.component), ("Position", "Health"));
    assert_eq!(
        (&position.added[..], &position.changed[..], &position.removed[..]),
        (&[rat][..], &[][..], &[hero][..])
    );
    assert_eq!(
        (&health.added[..], &health.changed[..], &health.removed[..]),
        (&[cat][..], &[rat][..], &[][..])
    );
}

#[test]
fn an_id_that_was_unknown_is_mapped_when_its_entity_is_received() {
    let mut server = Server::new();
    let prey = server.spawn(Health(1));
    let wolf = server.spawn((Mind::Hunts { whom: prey, path: Vec::new() }, Shown));
    let (mut client, mut replica) = (Client::new(), Replica::new());
    let shown = sent().with::<Shown>();
    let first = shown.delta(&Baseline::nothing(), &server, 1).unwrap();
    received().apply(&mut client, &mut replica, &first).unwrap();
    let hunted = |client: &Client, replica: &Replica| match client.get::<Mind>(replica.get(wolf).unwrap()) {
        Some(Mind::Hunts { whom, .. }) => *whom,
        _ => panic!("it hunts"),
    };
    assert!(!client.contains(hunted(&client, &replica)));
    let known = shown.baseline(&mut server, 1);
    server.insert(prey, Shown).unwrap();
    let second = shown.delta(&known, &server, 2).unwrap();
    received().apply(&mut client, &mut replica, &second).unwrap();
    assert_eq!(Some(hunted(&client, &replica)), replica.get(prey));

    let strict =
        received().apply(&mut Client::new(), &mut Replica::new().dangling(DanglingIds::Refuse), &first);
    assert!(strict.unwrap_err().to_string().contains("which was not received"));
}

#[test]
fn rules_refuse_values_and_nothing_changes() {
    let mut server = Server::new();
    let hero = server.spawn((Ticket(7), Camera(1), Health(3)));
    let delta = sent().delta(&Baseline::nothing(), &server, 1).unwrap();
    for (at, own) in [0, 1].into_iter().enumerate() {
        let (mut client, mut replica) = (Client::new(), Replica::new());
        let holder = if own == 0 { client.spawn(Ticket(7)) } else { client.spawn(Camera(9)) };
        let error = received().apply(&mut client, &mut replica, &delta).unwrap_err().to_string();
        let component = ["Ticket", "Camera"][at];
        assert!(error.contains(&format!("component `{component}` of entity")), "{error}");
        assert_eq!((client.entities().iter().collect::<Vec<_>>(), replica.len()), (vec![holder], 0));
        assert_eq!(client.spawn(()).slot(), client.clone().spawn(()).slot() - 1, "no slot was taken");
        // the local holder goes, and the same delta fits
        client.despawn(holder).unwrap();
        received().apply(&mut client, &mut replica, &delta).unwrap();
        assert_eq!(client.find_one::<Ticket>(&Ticket(7)), replica.get(hero));
    }
    // excluded components
    let (mut client, mut replica) = (Client::new(), Replica::new());
    received().apply(&mut client, &mut replica, &delta).unwrap();
    client.insert(replica.get(hero).unwrap(), Frozen).unwrap();
    let known = sent().baseline(&mut server, 1);
    server.insert(hero, Burning(1)).unwrap();
    let delta = sent().delta(&known, &server, 2).unwrap();
    let error = received().apply(&mut client, &mut replica, &delta).unwrap_err().to_string();
    assert!(error.contains("exclude each other"), "{error}");
    assert_eq!(replica.frame(), 1);
}

#[test]
fn what_the_receiver_despawned_itself_is_left_out() {
    let (mut server, hero, mut client, mut replica) = pair();
    let first = sent().delta(&Baseline::nothing(), &server, 1).unwrap();
    received().apply(&mut client, &mut replica, &first).unwrap();
    client.despawn(replica.get(hero).unwrap()).unwrap();
    let other = client.spawn(Sprite(1)); // in the same slot, perhaps
    let known = sent().baseline(&mut server, 1);
    server.insert(hero, (Position([9.0, 9.0]), Camera(1))).unwrap();
    let second = sent().delta(&known, &server, 2).unwrap();
    let applied = received().apply(&mut client, &mut replica, &second).unwrap();
    assert_eq!((applied.missing, applied.inserted), (2, 0));
    assert!(!client.has::<Position>(other) && !client.has::<Camera>(other));
}

#[test]
fn limits_are_checked_before_anything_is_made() {
    let mut server = Server::new();
    server.spawn_batch((0..1000).map(Health)).count();
    let delta = sent().save(&server).unwrap();
    let refused = |replica: Replica| {
        let mut client = Client::new();
        let error = received().merge(&mut client, &delta, replica).unwrap_err();
        assert_eq!(client.entities().len(), 0);
        error
    };
    let entities = refused(Replica::new().entities(999));
    assert!(
        matches!(entities, DeltaError::TooLarge { what: "entities", found: 1000, limit: 999 }),
        "{entities}"
    );
    let bytes = refused(Replica::new().bytes(100));
    assert!(matches!(bytes, DeltaError::TooLarge { what: "bytes", limit: 100, .. }), "{bytes}");
    assert!(refused(Replica::new().memory(10_000)).to_string().contains("too much memory"));
    let merged = received().merge(&mut Client::new(), &delta, Replica::new().entities(1000)).unwrap();
    assert_eq!(merged.len(), 1000);
}

#[test]
fn entities_move_to_a_world_of_another_type() {
    let (mut server, hero, mut client, _) = pair();
    let pet = server.spawn((Health(1), ChildOf(hero), Secret));
    let moved =
        move_entities::<(Both, ChildOf), _, _>(&mut server, [pet, hero], &mut client, DanglingIds::Refuse)
            .unwrap();
    assert_eq!((server.entities().len(), client.entities().len()), (0, 2));
    assert_eq!(client.sources::<ChildOf>(moved.get(hero).unwrap()), [moved.get(pet).unwrap()]);
    let error =
        move_entities::<Both, _, _>(&mut server, [hero], &mut client, DanglingIds::Refuse).unwrap_err();
    assert!(matches!(error, DeltaError::NotAlive { entity, .. } if entity == hero));

    let parent = server.spawn(Health(1));
    let child = server.spawn((Health(2), ChildOf(parent)));
    let error =
        move_entities::<(Both, ChildOf), _, _>(&mut server, [child], &mut client, DanglingIds::Refuse);
    assert!(error.unwrap_err().to_string().contains("which was not received"));
    assert_eq!((server.entities().len(), client.entities().len()), (2, 2));
}

#[test]
fn only_chosen_entities_are_sent() {
    let (mut server, hero, mut client, mut replica) = pair();
    let rat = server.spawn(Health(1));
    let known = sent().only([hero]).baseline(&mut server, 1);
    let first = sent().only([hero]).delta(&Baseline::nothing(), &server, 1).unwrap();
    received().apply(&mut client, &mut replica, &first).unwrap();
    check(&server, &client, &replica, |entity| entity == hero);
    let second = sent().only([rat]).delta(&known, &server, 2).unwrap();
    received().apply(&mut client, &mut replica, &second).unwrap();
    check(&server, &client, &replica, |entity| entity == rat);
    assert_eq!(client.entities().len(), 1);
}

#[test]
fn a_delta_of_one_percent_has_the_size_of_its_values() {
    let mut server = Server::new();
    let all: Vec<Entity> = server.spawn_batch((0..100_000).map(|n| Position([n as f32, 0.0]))).collect();
    let selection = Selection::of::<Position>();
    let known = selection.baseline(&mut server, 1);
    for entity in all.iter().step_by(100) {
        server.get_mut::<Position>(*entity).unwrap().0[1] = 1.0;
    }
    let delta = selection.delta(&known, &server, 2).unwrap();
    assert!(delta.len() * 10 <= 8 * 1000 * 12, "{} bytes for values of 8000", delta.len());
}

#[derive(Component, Clone, serde::Serialize, serde::Deserialize)]
struct Plot(u32);

world! {
    #[derive(Clone, serde::Serialize, serde::Deserialize)]
    #[world(journal = 100)]
    struct Garden { components { Plot } }
}

#[test]
fn a_delta_and_a_merge_are_in_the_journal_and_keep_the_mark_of_the_world() {
    use ecs::query::StructuralAction;
    use ecs::save::Saved;
    let mut garden = Garden::new();
    garden.spawn(Plot(1));
    let (delta, file) = (Selection::of::<Plot>().save(&garden).unwrap(), garden.to_bytes().unwrap());
    let actions = |garden: &Garden| {
        let changes = garden.journal_since(ecs::system::Tick::START).unwrap();
        changes.into_iter().map(|change| change.action).collect::<Vec<_>>()
    };
    let mut by_delta = Garden::new();
    let (first, mark) = (by_delta.spawn(()), by_delta.world_mark());
    let id = by_delta.world_entity(first);
    Selection::of::<Plot>().apply(&mut by_delta, &mut Replica::new(), &delta).unwrap();
    assert_eq!((by_delta.world_mark(), by_delta.resolve(id)), (mark, Ok(first)));
    let mut by_file = Garden::new();
    by_file.spawn(());
    by_file.merge(&file, DanglingIds::Refuse).unwrap();
    assert_eq!(actions(&by_delta), actions(&by_file));
    let spawned = actions(&by_delta).iter().filter(|action| **action == StructuralAction::Spawn).count();
    assert_eq!(spawned, 2);
}

/// A world that applies deltas is itself the sender of others: its baselines stay those of one
/// history.
#[test]
fn a_world_between_two_others_sends_what_it_received() {
    let (mut server, hero, mut relay, mut replica) = pair();
    let known = sent().baseline(&mut server, 1);
    received().apply(&mut relay, &mut replica, &sent().save(&server).unwrap()).unwrap();
    let before = received().baseline(&mut relay, 1);
    server.get_mut::<Position>(hero).unwrap().0[0] = 7.0;
    let pet = server.spawn((Health(1), ChildOf(hero)));
    received().apply(&mut relay, &mut replica, &sent().delta(&known, &server, 2).unwrap()).unwrap();
    let changes = received().changes(&before, &relay).unwrap();
    let [hero, pet] = [hero, pet].map(|id| replica.get(id).unwrap());
    assert_eq!(changes.came, [pet]);
    let position = changes.components.iter().find(|changes| changes.component == "Position").unwrap();
    assert_eq!(position.changed, [hero]);
}

#[test]
fn changes_are_empty_if_no_list_has_an_entity() {
    use ecs::save::{ComponentChanges, EntityChanges};
    let entity = Server::new().spawn(());
    let one = || vec![entity];
    let none = EntityChanges { components: vec![ComponentChanges::default(); 2], ..EntityChanges::default() };
    assert!(none.is_empty() && EntityChanges::default().is_empty());
    let component =
        |changes| EntityChanges { components: vec![ComponentChanges::default(), changes], ..none.clone() };
    let some = [
        EntityChanges { came: one(), ..none.clone() },
        EntityChanges { gone: one(), ..none.clone() },
        component(ComponentChanges { added: one(), ..ComponentChanges::default() }),
        component(ComponentChanges { changed: one(), ..ComponentChanges::default() }),
        component(ComponentChanges { removed: one(), ..ComponentChanges::default() }),
    ];
    assert!(some.iter().all(|changes| !changes.is_empty()));
}

#[test]
fn what_was_applied_is_counted() {
    let mut server = Server::new();
    let all: Vec<Entity> = (0..10).map(|n| server.spawn((Position([1.0, 2.0]), Health(n)))).collect();
    let (mut client, mut replica) = (Client::new(), Replica::new());
    let (selection, receiver) = (Selection::of::<Both>(), Selection::<Client>::of::<Both>());
    let first = selection.delta(&Baseline::nothing(), &server, 3).unwrap();
    let applied = receiver.apply(&mut client, &mut replica, &first).unwrap();
    assert_eq!((applied.spawned, applied.inserted, applied.removed, applied.despawned), (10, 20, 0, 0));
    let known = selection.baseline(&mut server, 3);
    assert_eq!((known.frame(), Baseline::<Server>::nothing().frame()), (3, 0));
    all[..3].iter().for_each(|&entity| server.remove::<Position>(entity).map(drop).unwrap());
    all[2..4].iter().for_each(|&entity| server.remove::<Health>(entity).map(drop).unwrap());
    all[8..].iter().for_each(|&entity| server.despawn(entity).unwrap());
    let second = selection.delta(&known, &server, 4).unwrap();
    let applied = receiver.apply(&mut client, &mut replica, &second).unwrap();
    assert_eq!((applied.spawned, applied.inserted, applied.removed, applied.despawned), (0, 0, 5, 2));
}

/// All entities are in one block of slots.
#[test]
fn an_id_of_the_same_block_is_sent_again_when_its_entity_is_selected() {
    let mut server = Server::new();
    let prey = server.spawn((Mind::Idle, Shown));
    let wolf = server.spawn((Mind::Hunts { whom: prey, path: Vec::new() }, Shown));
    server.remove::<Shown>(prey).unwrap();
    assert_eq!(server.stats().blocks, 1);
    let (mut client, mut replica) = (Client::new(), Replica::new());
    let shown = sent().with::<Shown>();
    let first = shown.delta(&Baseline::nothing(), &server, 1).unwrap();
    received().apply(&mut client, &mut replica, &first).unwrap();
    let known = shown.baseline(&mut server, 1);
    server.insert(prey, Shown).unwrap();
    let second = shown.delta(&known, &server, 2).unwrap();
    received().apply(&mut client, &mut replica, &second).unwrap();
    let Some(&Mind::Hunts { whom, .. }) = client.get::<Mind>(replica.get(wolf).unwrap()) else {
        panic!("it hunts");
    };
    assert_eq!(Some(whom), replica.get(prey));
}

#[test]
fn a_received_entity_stays_when_what_it_is_related_to_leaves_the_selection() {
    let mut server = Server::new();
    let parent = server.spawn(Position([0.0, 0.0]));
    let child = server.spawn((Health(1), ChildOf(parent)));
    let mate = server.spawn((Health(2), Married(parent)));
    let all = || Selection::<Server>::of::<(Position, Health, ChildOf, Married)>();
    let mut client = Client::new();
    let mut replica = Replica::new();
    let receiver = Selection::<Client>::of::<(Position, Health, ChildOf, Married)>();
    let mut known = Baseline::nothing();
    // the parent is not there, comes, leaves, and comes again; a relation to it comes and goes with
    // it
    for (frame, sees_parent) in (1..).zip([false, true, false, true, false]) {
        let view = if sees_parent { all() } else { all().with::<Health>() };
        let delta = view.delta(&known, &server, frame).unwrap();
        known = view.baseline(&mut server, frame);
        receiver.apply(&mut client, &mut replica, &delta).unwrap();
        if frame == 2 {
            // the client's own child of a received entity
            client.spawn(ChildOf(replica.get(parent).unwrap()));
        }
        let [own_child, own_mate] = [child, mate].map(|entity| replica.get(entity).unwrap());
        assert_eq!(replica.get(parent).is_some(), sees_parent);
        assert_eq!(client.target::<ChildOf>(own_child), replica.get(parent), "frame {frame}");
        assert_eq!(client.target::<Married>(own_mate), replica.get(parent), "frame {frame}");
        assert_eq!(client.entities().len(), if frame == 2 { 4 } else { 2 + usize::from(sees_parent) });
        let ids: std::collections::HashMap<Entity, Entity> =
            replica.iter().map(|(theirs, own)| (own, theirs)).collect();
        let received = receiver.hash_by(&client, |own| ids.get(&own).copied()).unwrap();
        assert_eq!(received, view.hash_by(&server, Some).unwrap(), "frame {frame}");
    }
}

#[test]
fn ids_of_entities_that_are_never_received_do_not_pile_up() {
    let mut server = Server::new();
    let hunter = server.spawn(Health(1));
    let all = || Selection::<Server>::of::<(Health, Mind)>().with::<Health>();
    let (mut client, mut replica) = (Client::new(), Replica::new());
    let receiver = Selection::<Client>::of::<(Health, Mind)>();
    let (mut known, mut longest) = (Baseline::nothing(), 0);
    for frame in 1..=5_000 {
        let prey = server.spawn(Position([0.0, 0.0]));
        server.insert(hunter, Mind::Hunts { whom: prey, path: Vec::new() }).unwrap();
        let delta = all().delta(&known, &server, frame).unwrap();
        known = all().baseline(&mut server, frame);
        receiver.apply(&mut client, &mut replica, &delta).unwrap();
        let Some(Mind::Hunts { whom, .. }) = client.get(replica.get(hunter).unwrap()) else {
            panic!("it hunts");
        };
        assert!(!client.contains(*whom) && *whom != replica.get(hunter).unwrap());
        server.despawn(prey).unwrap();
        // the text has all ids that the replica knows
        if frame % 500 == 0 {
            longest = longest.max(format!("{replica:?}").len());
        }
    }
    assert!(longest < 40_000, "{longest} bytes");
}

#[test]
fn a_restricted_component_is_that_of_the_given_entities() {
    let mut server = Server::new();
    let [ann, bob] = [1, 2].map(|health| server.spawn((Health(health), Position([0.0, 0.0]))));
    let (mut client, mut replica) = (Client::new(), Replica::new());
    let all = || Selection::<Server>::of::<(Health, Position)>();
    let receiver = Selection::<Client>::of::<(Health, Position)>();
    let mut known = Baseline::nothing();
    let views = [&[ann][..], &[ann, bob], &[bob], &[], &[bob]];
    for (frame, shown) in (1..).zip(views) {
        server.insert(ann, Health(frame as i64)).unwrap();
        let view = all().restrict::<Health>(shown.iter().copied());
        let changes = view.changes(&known, &server).unwrap();
        assert!(frame == 1 || changes.came.is_empty() && changes.gone.is_empty());
        let delta = view.delta(&known, &server, frame).unwrap();
        known = view.baseline(&mut server, frame);
        receiver.apply(&mut client, &mut replica, &delta).unwrap();
        assert_eq!(replica.len(), 2);
        for entity in [ann, bob] {
            let expected = shown.contains(&entity).then(|| server.get::<Health>(entity).unwrap().0);
            let own = replica.get(entity).unwrap();
            assert_eq!(client.get::<Health>(own).map(|health| health.0), expected, "frame {frame}");
        }
        let ids: std::collections::HashMap<Entity, Entity> =
            replica.iter().map(|(theirs, own)| (own, theirs)).collect();
        let received = receiver.hash_by(&client, |own| ids.get(&own).copied()).unwrap();
        assert_eq!(received, view.hash_by(&server, Some).unwrap(), "frame {frame}");
    }
    let same = |one: &[Entity], two: &[Entity], server: &mut Server| {
        let views = [one, two].map(|shown| all().restrict::<Health>(shown.iter().copied()));
        let baselines = Selection::baselines(&views, server, 9);
        baselines[0].is_same_view(&baselines[1])
    };
    assert!(same(&[ann, bob], &[bob, ann], &mut server) && !same(&[ann], &[bob], &mut server));
    server.despawn(bob).unwrap();
    assert!(same(&[ann, bob], &[ann], &mut server), "the id of a despawned entity is ignored");
}

#[test]
fn a_component_that_is_required_or_not_selected_cannot_be_restricted() {
    let mut server = Server::new();
    let leader = server.spawn((Leader(1), Marked));
    let required = Selection::of::<(Leader, Marked)>().restrict::<Marked>([]);
    let error = required.save(&server).unwrap_err().to_string();
    assert!(error.contains("component `Marked` is restricted, and `Leader` requires it"), "{error}");
    let other = Selection::of::<Leader>().restrict::<Health>([leader]);
    let error = other.hash_by(&server, Some).unwrap_err().to_string();
    assert!(error.contains("component `Health` is restricted, and is not selected"), "{error}");
    assert!(Selection::of::<(Leader, Marked)>().restrict::<Leader>([]).save(&server).is_ok());
}

/// The changes that are told apart slot by slot make the same delta, and a part of them one of a
/// part.
#[test]
fn changes_are_told_apart_slot_by_slot() {
    use ecs::save::{SlotChange, layout_hash};

    let (mut server, hero, mut client, mut replica) = pair();
    let gone = server.spawn(Health(1));
    let selection = Selection::of::<(Position, Health, Mind)>();
    let known = selection.baseline(&mut server, 1);
    assert_eq!(known.entities_from(0).collect::<Vec<_>>(), [hero, gone]);
    assert_eq!(known.entities_from(hero.slot() + 1).collect::<Vec<_>>(), [gone]);
    let first = selection.delta(&Baseline::nothing(), &server, 1).unwrap();
    server.despawn(gone).unwrap();
    server.get_mut::<Position>(hero).unwrap().0[0] = 7.0;
    let new = server.spawn(Mind::Hunts { whom: hero, path: Vec::new() });
    let changes = selection.changed_slots(&known, &server).unwrap();
    let mut listed = Vec::new();
    changes.for_each(|slot, change| listed.push((slot, change)));
    listed.sort_by_key(|&(slot, _)| slot);
    assert!(listed.contains(&(new.slot(), SlotChange::Came)));
    assert!(listed.contains(&(gone.slot(), SlotChange::Left)));
    assert!(listed.contains(&(hero.slot(), SlotChange::Component(0))));
    let whole = selection.delta_of([&changes], 1, &server, 2).unwrap();
    let again = selection.delta_of([&selection.changes_of(listed.clone())], 1, &server, 2).unwrap();
    let receiver = Selection::<Client>::of::<(Position, Health, Mind)>();
    for delta in [whole, again] {
        let (mut client, mut replica) = (Client::new(), Replica::new());
        receiver.apply(&mut client, &mut replica, &first).unwrap();
        receiver.apply(&mut client, &mut replica, &delta).unwrap();
        assert_eq!(replica.iter().map(|(sender, _)| sender).collect::<Vec<_>>(), [hero, new]);
        equal(&client, replica.get(hero).unwrap(), &Position([7.0, 2.0]));
    }
    let part = listed.into_iter().filter(|&(slot, _)| slot == gone.slot());
    let part = selection.delta_of([&selection.changes_of(part)], 1, &server, 2).unwrap();
    receiver.apply(&mut client, &mut replica, &first).unwrap();
    receiver.apply(&mut client, &mut replica, &part).unwrap();
    equal(&client, replica.get(hero).unwrap(), &Position([1.0, 2.0]));
    assert_eq!(replica.len(), 1);

    // what values name, and what two programs compare
    assert_eq!(selection.ids(2, &server, new).unwrap(), [hero]);
    assert_eq!(selection.ids(0, &server, hero).unwrap(), []);
    assert_eq!(selection.names(), ["Position", "Health", "Mind"]);
    assert!(
        selection.layout_of(1) == layout_hash::<i64>() && selection.layout_of(0) != selection.layout_of(1)
    );
    assert!(Selection::<Server>::of::<Camera>().is_coupled(0) && !selection.is_coupled(0));
}
