//! Values of unusual size and alignment.

use std::sync::atomic::{AtomicUsize, Ordering};

use ecs::prelude::*;

#[derive(Component, Default, Clone)]
struct Tag;
#[derive(Component, Clone)]
struct EmptyTuple();
#[derive(Component, Clone)]
struct EmptyFields {}
/// A zero-sized value that is no tag.
#[derive(Component, Clone, PartialEq, Debug)]
struct Nothing(());
#[derive(Component, Clone, PartialEq, Debug)]
#[repr(align(256))]
struct Aligned(u8);
#[derive(Component, Clone)]
#[repr(align(128))]
struct AlignedNothing;
#[derive(Component, Clone, PartialEq, Debug)]
struct Byte(u8);
#[derive(Component, Clone, PartialEq, Debug)]
enum Shape {
    Dot,
    Text(String),
}
#[derive(Component, Clone, PartialEq, Debug)]
struct Generic<T: Clone + Send + Sync + 'static, const N: usize>([T; N]);

world! {
    #[derive(Clone)]
    struct Zoo {
        components {
            Tag, EmptyTuple, EmptyFields, Nothing, Aligned, AlignedNothing, Byte, Shape,
            words: Generic<u16, 3>, texts: Generic<String, 2>,
        }
    }
}

#[test]
fn tags_take_bits_and_no_pages() {
    let mut zoo = Zoo::new();
    for n in 0..10_000 {
        let entity = zoo.spawn((Tag, EmptyTuple(), EmptyFields {}));
        if n % 3 == 0 {
            zoo.remove::<Tag>(entity).unwrap();
        }
    }
    assert_eq!((zoo.query::<&Tag>().len(), zoo.query::<&EmptyTuple>().len()), (6666, 10_000));
    assert_eq!(zoo.query::<(&EmptyFields, &Tag)>().iter().count(), 6666);
    assert_eq!(zoo.stats().pages, 0);
}

#[test]
fn a_value_without_a_size_can_be_borrowed_mutably() {
    let mut zoo = Zoo::new();
    let entities: Vec<Entity> = zoo.spawn_batch((0..100).map(|_| Nothing(()))).collect();
    let mut seen = 0;
    for nothing in zoo.query_mut::<&mut Nothing>() {
        *nothing = Nothing(());
        seen += 1;
    }
    assert_eq!(seen, 100);
    let mut query = zoo.query_mut::<&mut Nothing>();
    assert!(query.get_many_mut([entities[0], entities[99]]).is_ok());
    assert_eq!(query.chunks_mut().map(|chunk| chunk.len()).sum::<usize>(), 100);
    let mut pairs = 0;
    query.pairs_mut(|_, _| pairs += 1);
    assert_eq!(pairs, 100 * 99 / 2);
}

#[test]
fn values_without_a_size_are_dropped_once_each() {
    static DROPPED: AtomicUsize = AtomicUsize::new(0);
    #[derive(Component)]
    struct Bell;
    impl Drop for Bell {
        fn drop(&mut self) {
            DROPPED.fetch_add(1, Ordering::Relaxed);
        }
    }
    world! {
        struct Tower { components { Bell } }
    }
    let mut tower = Tower::new();
    let bells: Vec<Entity> = (0..130).map(|_| tower.spawn(Bell)).collect();
    tower.despawn(bells[0]).unwrap();
    drop(tower.remove::<Bell>(bells[1]).unwrap());
    drop(tower.insert(bells[2], Bell).unwrap());
    drop(tower.insert(bells[1], Bell).unwrap());
    assert_eq!(DROPPED.load(Ordering::Relaxed), 3);
    drop(tower);
    assert_eq!(DROPPED.load(Ordering::Relaxed), 132);
}

#[test]
fn over_aligned_values_are_aligned() {
    let mut zoo = Zoo::new();
    let batch: Vec<Entity> =
        zoo.spawn_batch((0..300).map(|n| (Aligned(n as u8), AlignedNothing, Byte(n as u8)))).collect();
    let single = zoo.spawn(());
    zoo.insert(single, (Aligned(1), AlignedNothing)).unwrap();
    for (aligned, nothing) in &zoo.query::<(&Aligned, &AlignedNothing)>() {
        assert_eq!(std::ptr::from_ref(aligned) as usize % 256, 0);
        assert_eq!(std::ptr::from_ref(nothing) as usize % 128, 0);
    }
    assert_eq!(zoo.get::<Aligned>(batch[299]), Some(&Aligned(299u16 as u8)));
    let copy = zoo.clone();
    for aligned in &copy.query::<&Aligned>() {
        assert_eq!(std::ptr::from_ref(aligned) as usize % 256, 0);
    }
}

#[test]
fn enums_and_generic_instances_are_components() {
    let mut zoo = Zoo::new();
    let one = zoo.spawn((Shape::Text("x".into()), Generic([1u16, 2, 3])));
    let two = zoo.spawn((Shape::Dot, Generic(["a".to_owned(), "b".to_owned()])));
    assert_eq!(zoo.get(one), Some(&Shape::Text("x".into())));
    assert_eq!(zoo.get(one), Some(&Generic([1u16, 2, 3])));
    assert!(!zoo.has::<Generic<u16, 3>>(two) && zoo.has::<Generic<String, 2>>(two));
}

/// A value of one mebibyte, in a thread whose stack has room for a few of them.
#[derive(Component, Clone)]
struct Huge(#[allow(dead_code)] [u8; 1 << 20]);

world! {
    #[derive(Clone)]
    struct Hall { components { Huge, Byte } }
}

#[test]
fn values_of_a_mebibyte_are_stored_and_read() {
    let work = || {
        let mut hall = Hall::new();
        let huge = |n: u8| {
            let mut value = Huge([0; 1 << 20]);
            value.0[usize::from(n)] = n;
            value.0[(1 << 20) - 1] = n;
            value
        };
        let entities: Vec<Entity> = (1..5).map(|n| hall.spawn((huge(n), Byte(n)))).collect();
        let old = hall.insert(entities[0], huge(9)).unwrap().map(|value| value.0[1]);
        assert_eq!(old, Some(1));
        assert_eq!(hall.remove::<Huge>(entities[1]).unwrap().map(|value| value.0[2]), Some(2));
        hall.despawn(entities[2]).unwrap();
        hall.spawn_batch((6..8).map(|n| (huge(n), Byte(n))));
        let ends: Vec<u8> = hall.query::<&Huge>().iter().map(|value| value.0[(1 << 20) - 1]).collect();
        let mut sorted = ends.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, [4, 6, 7, 9]);
        let copy = hall.clone();
        assert_eq!(
            copy.query::<&Huge>().iter().map(|value| value.0[(1 << 20) - 1]).collect::<Vec<u8>>(),
            ends
        );
    };
    std::thread::Builder::new().stack_size(256 << 20).spawn(work).unwrap().join().unwrap();
}
