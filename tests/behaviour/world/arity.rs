//! Systems, closures, queries and bundles of many parts.

use ecs::prelude::*;
use ecs::system::SystemFn;

#[derive(Component, Clone, Debug, PartialEq)]
struct Number<const N: usize>(usize);
#[derive(Resource, Clone, Default)]
struct Total<const N: usize>(usize);
#[derive(Event, Clone)]
struct Heard<const N: usize>;

world! {
    #[derive(Clone)]
    struct Game {
        components {
            zero: Number<0>, one: Number<1>, two: Number<2>, three: Number<3>, four: Number<4>, five: Number<5>,
            six: Number<6>, seven: Number<7>
        }
        resources {
            total_0: Total<0>, total_1: Total<1>, total_2: Total<2>, total_3: Total<3>, total_4: Total<4>,
            total_5: Total<5>, total_6: Total<6>, total_7: Total<7>
        }
        events { heard_0: Heard<0>, heard_1: Heard<1> }
    }
    schedule tick { send; listen; each }
}

#[system(Game)]
fn send(mut a: EventWriter<Heard<0>>, mut b: EventWriter<Heard<1>>) {
    a.send(Heard);
    b.extend([Heard, Heard]);
}

/// Thirty-two parameters, twenty-four with a state.
#[system(Game)]
fn listen(
    mut l0: Local<u8>,
    mut l1: Local<u16>,
    mut l2: Local<u32>,
    mut l3: Local<u64>,
    mut l4: Local<usize>,
    mut l5: Local<i8>,
    mut l6: Local<i16>,
    mut l7: Local<i32>,
    mut t0: ResMut<Total<0>>,
    mut t1: ResMut<Total<1>>,
    t2: Res<Total<2>>,
    t3: Res<Total<3>>,
    t4: Res<Total<4>>,
    t5: Res<Total<5>>,
    t6: Res<Total<6>>,
    t7: Res<Total<7>>,
    mut h0: EventReader<Heard<0>>,
    mut h1: EventReader<Heard<1>>,
    n0: Query<&Number<0>>,
    n1: Query<&Number<1>>,
    n2: Query<&Number<2>>,
    n3: Query<&Number<3>>,
    n4: Query<&Number<4>>,
    n5: Query<&Number<5>>,
    mut n6: Query<&mut Number<6>>,
    mut n7: Query<&mut Number<7>>,
    mut commands: Commands<Game>,
    came: Entered<With<Number<0>>>,
    left: Exited<With<Number<0>>>,
    mut more: Local<[u8; 3]>,
    mut l8: Local<Option<Entity>>,
    mut l9: Local<bool>,
) {
    *l0 += 1;
    *l1 += 1;
    *l2 += 1;
    *l3 += 1;
    *l4 += 1;
    *l5 += 1;
    *l6 += 1;
    *l7 += 1;
    t0.0 += h0.iter().count();
    t1.0 += h1.iter().count() + t2.0 + t3.0 + t4.0 + t5.0 + t6.0 + t7.0;
    let found = n0.len() + n1.len() + n2.len() + n3.len() + n4.len() + n5.len();
    n6.for_each(|number| number.0 += found);
    n7.for_each(|number| number.0 += usize::from(*l0) + *l4);
    assert_eq!((came.len(), left.len()), if *l9 { (0, 0) } else { (1, 0) });
    if !*l9 {
        *l8 = Some(commands.spawn(Number::<5>(5)));
    }
    *l9 = true;
    more[2] += 1;
}

/// A per-entity system with fourteen parameters, of which thirteen have a state.
#[system(Game)]
fn each(
    number: &mut Number<0>,
    mut a: Local<u8>,
    mut b: Local<u8>,
    mut c: Local<u8>,
    mut d: Local<u8>,
    mut e: Local<u8>,
    mut f: Local<u8>,
    mut g: Local<u8>,
    mut h: Local<u8>,
    mut i: Local<u8>,
    mut j: Local<u8>,
    mut k: Local<u8>,
    mut l: Local<u8>,
    mut m: Local<u8>,
) {
    for local in [
        &mut *a, &mut *b, &mut *c, &mut *d, &mut *e, &mut *f, &mut *g, &mut *h, &mut *i, &mut *j, &mut *k,
        &mut *l, &mut *m,
    ] {
        *local += 1;
        number.0 += usize::from(*local);
    }
}

fn game() -> (Game, Entity) {
    let mut game = Game::default();
    let entity = game.spawn((
        (Number::<0>(0), Number::<1>(0), Number::<2>(0), Number::<3>(0)),
        (Number::<4>(0), Number::<5>(0), Number::<6>(0), Number::<7>(0)),
    ));
    (game, entity)
}

#[test]
fn a_system_takes_more_than_twelve_parameters_with_a_state() {
    let (mut game, entity) = game();
    game.tick();
    let mut copy = game.clone();
    for game in [&mut game, &mut copy] {
        game.tick();
        assert_eq!((game.resource::<Total<0>>().0, game.resource::<Total<1>>().0), (2, 4));
        assert_eq!(game.get::<Number<6>>(entity), Some(&Number(6 + 7)));
        assert_eq!(game.get::<Number<7>>(entity), Some(&Number(2 + 4)));
        assert_eq!(game.get::<Number<0>>(entity), Some(&Number(13 + 26)));
        assert_eq!(game.query::<&Number<5>>().len(), 2);
    }
}

#[test]
fn a_closure_takes_up_to_sixteen_parameters() {
    let (mut game, entity) = game();
    let mut schedule = Schedule::new("many");
    schedule
        .add_fn(
            &mut game,
            "many",
            0,
            |mut l0: Local<u8>,
             mut l1: Local<u16>,
             mut l2: Local<u32>,
             mut t0: ResMut<Total<0>>,
             t1: Res<Total<1>>,
             t2: Res<Total<2>>,
             t3: Res<Total<3>>,
             t4: Res<Total<4>>,
             t5: Res<Total<5>>,
             t6: Res<Total<6>>,
             t7: Res<Total<7>>,
             n0: Query<&Number<0>>,
             n1: Query<&Number<1>>,
             mut n2: Query<&mut Number<2>>,
             mut commands: Commands<Game>,
             mut last: Local<u64>| {
                *l0 += 1;
                *l1 += 2;
                *l2 += 3;
                *last += u64::from(*l0) + u64::from(*l1) + u64::from(*l2);
                t0.0 += t1.0 + t2.0 + t3.0 + t4.0 + t5.0 + t6.0 + t7.0 + n0.len() + n1.len();
                n2.for_each(|number| number.0 += *last as usize);
                commands.spawn(Number::<1>(1));
            },
        )
        .unwrap();
    let (mut copy, mut schedule_of_copy) = (game.clone(), schedule.clone());
    for (game, schedule) in [(&mut game, &mut schedule), (&mut copy, &mut schedule_of_copy)] {
        schedule.run(game).unwrap();
        schedule.run(game).unwrap();
        assert_eq!(game.resource::<Total<0>>().0, 2 + 3);
        assert_eq!(game.get::<Number<2>>(entity), Some(&Number(6 + 18)));
        assert_eq!(game.query::<&Number<1>>().len(), 3);
    }
}

#[test]
fn a_closure_of_each_length_is_a_system() {
    fn is_system<M>(function: impl SystemFn<Game, M>) {
        let _ = function;
    }
    macro_rules! lengths {
        ($($more:ident)*) => { lengths!(@ [] $($more)*); };
        (@ [$($done:ident)*] $next:ident $($more:ident)*) => {
            is_system(|$($done: Local<u8>),*| { $(let _ = $done;)* });
            lengths!(@ [$($done)* $next] $($more)*);
        };
        (@ [$($done:ident)*]) => { is_system(|$($done: Local<u8>),*| { $(let _ = $done;)* }); };
    }
    lengths!(a b c d e f g h i j k l m n o p);
}
