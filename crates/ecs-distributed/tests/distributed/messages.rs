//! Messages to entities of any worker.

use ecs::{Entity, World};
use ecs_distributed::{GlobalId, InProcess, Message, Messages, RunError, Totals, Worker};

use crate::street::{House, Houses, Letters, Street, after, entity};

/// The sender, the receiver and the text of a letter.
type Letter = (u64, u64, String);

/// Sends a letter, if this worker has the sender.
fn send(street: &mut Street, from: u64, to: u64, text: &str) {
    if entity(street, from).is_some() {
        street.resource_mut::<Letters>().send(GlobalId(from), GlobalId(to), text.to_owned());
    }
}

fn despawn(street: &mut Street, id: u64) {
    if let Some(entity) = entity(street, id) {
        street.despawn(entity).expect("it is alive");
    }
}

/// Senders, receivers and texts, after a check of the entities.
fn letters(street: &Street, letters: &[Message<String>], returned: bool) -> Vec<Letter> {
    let letter = |letter: &Message<String>| {
        let expected = if returned { letter.from } else { letter.to };
        assert_eq!(street.get::<GlobalId>(letter.entity), Some(&expected));
        (letter.from.0, letter.to.0, letter.value.clone())
    };
    letters.iter().map(letter).collect()
}

fn all(street: &Street) -> [Vec<Letter>; 2] {
    let found = street.resource::<Letters>();
    let received: Vec<_> = found.iter().cloned().collect();
    for letters in [&received[..], found.returned()] {
        assert!(letters.is_sorted_by_key(|letter| (letter.to, letter.from)), "{letters:?}");
    }
    [letters(street, &received, false), letters(street, found.returned(), true)]
}

/// The letters that all workers together receive and get back, and the number of lost ones.
fn sum(ticks: u64, workers: usize, act: fn(&mut Street, u64)) -> ([Vec<Letter>; 2], u64) {
    let found = after(ticks, workers, act, |street| (all(street), street.resource::<Letters>().lost()));
    let found = found.expect("the run succeeds");
    let lost = found[0].1;
    assert!(found.iter().all(|part| part.1 == lost), "the number of lost letters is equal on all workers");
    let mut sum = [Vec::new(), Vec::new()];
    for ([received, returned], _) in found {
        sum[0].extend(received);
        sum[1].extend(returned);
    }
    sum.iter_mut().for_each(|letters| letters.sort_by_key(|(from, to, _)| (*to, *from)));
    (sum, lost)
}

fn owned(letters: &[(u64, u64, &str)]) -> Vec<Letter> {
    letters.iter().map(|&(from, to, text)| (from, to, text.to_owned())).collect()
}

#[test]
fn messages_arrive_in_the_next_tick_by_receiver_sender_and_content() {
    for workers in [1, 2, 3, 4] {
        let act = |street: &mut Street, day| {
            if day == 1 {
                // in the order of slots, which is not that of messages
                for (from, to, text) in
                    [(9, 0, "b"), (9, 0, "a"), (2, 9, "far"), (1, 0, "near"), (3, 3, "own"), (9, 0, "a")]
                {
                    send(street, from, to, text);
                }
            }
        };
        let expected =
            owned(&[(1, 0, "near"), (9, 0, "a"), (9, 0, "a"), (9, 0, "b"), (3, 3, "own"), (2, 9, "far")]);
        assert_eq!(sum(2, workers, act), ([expected, Vec::new()], 0), "{workers} workers");
        assert_eq!(sum(1, workers, act), ([Vec::new(), Vec::new()], 0));
        assert_eq!(sum(3, workers, act), ([Vec::new(), Vec::new()], 0));
    }
}

#[test]
fn a_message_to_the_dead_comes_back_and_one_of_the_dead_to_the_dead_is_counted() {
    for workers in [1, 2, 3, 4] {
        let act = |street: &mut Street, day| {
            send(street, 8, 100, "never");
            if day == 1 {
                // the receiver dies in the tick in which the letter is on its way, or the sender
                send(street, 0, 7, "late");
                send(street, 6, 2, "last");
                send(street, 6, 7, "in vain");
                despawn(street, 7);
                despawn(street, 6);
            }
        };
        let received = owned(&[(6, 2, "last")]);
        let returned = owned(&[(0, 7, "late"), (8, 100, "never")]);
        assert_eq!(sum(2, workers, act), ([received, returned], 1), "{workers} workers");
        assert_eq!(sum(4, workers, act), ([Vec::new(), owned(&[(8, 100, "never")])], 1));
    }
}

#[test]
fn a_message_follows_an_entity_that_moves() {
    for workers in [1, 2, 3, 4] {
        let act = |street: &mut Street, day| {
            send(street, 5, 0, "to");
            send(street, 0, 77, "back");
            if let Some(entity) = entity(street, 0) {
                street.get_mut::<House>(entity).expect("it has one").0 = (day as u32 + 1) * 3;
            }
        };
        for ticks in 1..4 {
            let expected = [owned(&[(5, 0, "to")]), owned(&[(0, 77, "back")])];
            assert_eq!(sum(ticks, workers, act), (expected, 0), "{workers} workers");
        }
    }
}

#[test]
fn the_messages_to_one_entity_are_found_by_its_id() {
    let act = |street: &mut Street, _| {
        (0..10).for_each(|from| send(street, from, 2 * from % 6, "x"));
    };
    let found = after(1, 1, act, |street| {
        let letters = street.resource::<Letters>();
        (0..6).map(|id| letters.to(GlobalId(id)).len()).collect::<Vec<_>>()
    });
    assert_eq!(found, Ok(vec![vec![4, 0, 3, 0, 3, 0]]));
}

#[test]
fn an_id_of_two_entities_is_an_error() {
    let same_worker = |street: &mut Street, _: u64| {
        if entity(street, 0).is_some() {
            street.spawn((GlobalId(0), House(0)));
        }
        send(street, 9, 0, "which");
    };
    let two_workers = |street: &mut Street, _: u64| {
        let house = street.query::<&House>().iter().next().map(|house| house.0);
        street.spawn((GlobalId(50), House(house.expect("each worker has houses"))));
        send(street, 9, 50, "which");
        // so that no worker has it beside the sender
        if entity(street, 9).is_some() {
            despawn(street, 50);
        }
    };
    for (workers, act, id) in
        [(1, same_worker as fn(&mut Street, u64), 0), (2, same_worker, 0), (3, two_workers, 50)]
    {
        let error = after(1, workers, act, |_| ()).expect_err("an id is given twice");
        assert_eq!(error, RunError::System(format!("two entities have the global id {id}")));
    }
}

/// It would be another entity on another worker, and is refused on the same one, too.
#[test]
fn an_entity_in_a_message_or_a_key_is_an_error() {
    let run = |act| {
        InProcess::run(1, |exchange| Worker::new(Houses::<5>::new(act), exchange)?.tick())
            .unwrap_err()
            .to_string()
    };
    let text = run(|street, _| {
        let entity = entity(street, 0).expect("it is alive");
        street.resource_mut::<Messages<Entity>>().send(GlobalId(0), GlobalId(7), entity);
    });
    assert_eq!(
        text,
        "a message to entity 7 cannot be sent: it contains an `Entity`: send the `GlobalId` of the entity"
    );
    let text = run(|street, _| {
        let entity = entity(street, 0).expect("it is alive");
        street.resource_mut::<Totals<Entity, u8>>().add(entity, 1);
    });
    assert_eq!(
        text,
        "a key of totals cannot be sent: it contains an `Entity`: use the `GlobalId` of the entity"
    );
}

/// A panic of a user's code leaves through the run, and no message stays in between.
#[test]
fn a_panic_in_a_system_ends_the_run() {
    let result = std::panic::catch_unwind(|| {
        after(3, 2, |street, day| assert!(day < 1 || entity(street, 9).is_none(), "as planned"), |_| ())
    });
    assert!(result.is_err());
    // the workers of another run are not touched by it
    assert!(InProcess::run(2, |_| Ok(())).is_ok());
}
