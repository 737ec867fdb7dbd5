//! Every macro inside of `macro_rules!`, with names, types, paths and expressions that are passed in.
#![allow(unused_mut, unused_variables)]
use ecs::prelude::*;
use ecs::{Aspect, MetaAspect};
#[derive(Component, Clone)]
struct Position(f32);
#[derive(Component, Clone)]
struct Velocity(f32);
#[derive(Resource, Default, Clone)]
struct Clock(f32);
#[derive(Event, Clone)]
struct Bumped(f32);
macro_rules! world_with_fields { ($w:ident, $n1:ident, $m:ident, $($n:ident : $t:ty),*; $r:ty; $e:ty; $v:expr) => {
  world! { #[derive(Clone)] pub struct $w { components { $($n: $t),* } resources { r: $r, s: $m = $v } events { e: $e(external) } }
     schedule tick { $n1; } }
}}
#[derive(Resource, Default, Clone)]
struct Score(f32);
world_with_fields!(Game, moves, Score, p: Position, v: Velocity; Clock; Bumped; Score(2.0));
macro_rules! world_of_names { ($w:ident, $($t:ident),*; $r:ident; $s:path) => {
  world! { #[derive(Clone)] pub struct $w { components { $($t),* } resources { $r } events { } } schedule tick { $s; } }
}}
world_of_names!(Other, Position, Velocity; Clock; everywhere);
macro_rules! system_of {
    ($w:ty, $n:ident, $t:ty, $r:ty) => {
        #[system($w)]
        fn $n(p: &mut $t, r: $r, mut q: Query<&Velocity>, f: With<Velocity>) {
            let _ = q.iter().count();
        }
    };
}
system_of!(Game, moves, Position, Res<Clock>);
#[system]
fn everywhere(a: &Position) {}
macro_rules! systems {
    ($w:ty, $n:ident, $t:ty, $r:ty, $x:ident) => {
        #[system($w, par)]
        fn $n(p: $t, r: $r) {}
        #[system($w)]
        fn $x(p: $r, mut l: Local<u32>) {
            *l += 1;
        }
    };
}
systems!(Game, spread, &mut Position, Res<Clock>, once);
macro_rules! component {
    ($n:ident, $t:ty, $r:ty) => {
        #[derive(Component)]
        #[component(requires($r), deref)]
        struct $n($t);
    };
}
#[derive(Component, Default, Clone)]
struct Mass(f32);
component!(Weight, u32, Mass);
macro_rules! relation {
    ($n:ident, $t:ty) => {
        #[derive(Relation)]
        #[relation(exclusive)]
        #[component(deref)]
        struct $n(#[target] $t);
    };
}
relation!(Likes, Entity);
macro_rules! bundle {
    ($n:ident, $t:ty, $u:ty, $f:ident) => {
        #[derive(Bundle)]
        struct $n {
            $f: $t,
            b: $u,
        }
    };
}
bundle!(Pair, Position, Velocity, c);
macro_rules! aspects {
    ($n:ident, $t:ty, $u:ty, $f:ident, $e:expr, $m:ident, $x:ident) => {
        #[derive(Aspect)]
        struct $n {
            #[aspect(default = $e)]
            $f: $t,
            #[aspect(.0 = 2.0)]
            b: $u,
        }
        #[derive(MetaAspect)]
        enum $m {
            $x($n),
            C($t),
        }
    };
}
aspects!(Thing, Position, Mass, c, Position(1.0), Kind, Whole);
macro_rules! states {
    ($n:ident, $m:ident, $a:ident, $b:ident) => {
        #[derive(States)]
        #[states(module = $m)]
        enum $n {
            #[state(to($b))]
            $a,
            $b,
        }
        fn next(state: &mut ecs::State<$n>) {
            state.change::<$m::$a, $m::$b>();
        }
    };
}
states!(Phase, steps, Menu, Play);
macro_rules! query {
    ($n:ident, $t:ty, $u:ty, $f:ident, $v:ty) => {
        #[derive(Query)]
        struct $n<'a> {
            $f: &'a mut $t,
            b: &'a $u,
            e: $v,
        }
    };
}
query!(Mover, Position, Mass, c, Entity);
macro_rules! physics_of {
    ($n:ident, $t:ty, $u:ty, $f:ident, $e:expr, $m:ident, $s:path) => {
        parts! { $n { components { $f: $t } resources { g: $u = $e } schedule $m { $s } } }
    };
}
physics_of!(physics, Position, Clock, c, Clock(0.0), step, everywhere);
macro_rules! found_by {
    ($n:ident, $t:ty, $f:ident) => {
        #[derive(Component)]
        #[component(index = $f)]
        struct $n {
            $f: $t,
        }
    };
}
found_by!(Name, u32, number);
pub fn main() {
    let mut game = Game::new(Clock(1.0));
    game.spawn((Position(1.0), Velocity(1.0)));
    game.tick();
    game.run::<spread>();
    game.run::<once>();
    Other::new(Clock(1.0)).tick();
}
