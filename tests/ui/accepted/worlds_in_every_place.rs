//! Worlds in functions, impls, constants, nested modules and `macro_rules!`, of every visibility, several in a crate.
#![allow(unused_variables)]
use ecs::prelude::*;
// worlds in functions, nested modules, twice, in macros; visibilities
#[derive(Component, Clone)]
pub struct P(pub f32);
mod a {
    use super::P;
    use ecs::prelude::*;
    world! { pub(crate) struct Game { components { P } } schedule tick { m } }
    #[system(Game)]
    pub(super) fn m(p: &mut P) {
        p.0 += 1.0;
    }
    pub mod deep {
        use ecs::prelude::*;
        world! { pub(in crate::worlds_in_every_place::a) struct Inner { components { C } } schedule go { s } }
        #[derive(Component)]
        pub(super) struct C(u8);
        #[system(Inner)]
        fn s(c: &mut C) {
            c.0 += 1;
        }
    }
    mod other {
        use super::deep::{C, Inner};
        use ecs::prelude::*;
        #[system(Inner)]
        fn t(c: &C) {}
        pub fn run() {
            let mut i = Inner::new();
            i.go();
            i.run::<t>();
        }
    }
    pub fn go() {
        other::run();
    }
}
mod b {
    use ecs::prelude::*;
    #[derive(Component)]
    struct Q(u8);
    #[derive(Resource)]
    struct R(u8);
    #[derive(Event)]
    struct E(u8);
    world! { struct Game { components { Q } resources { R } events { E } } schedule tick { m, n } }
    #[system(Game)]
    fn m(q: &mut Q, r: Res<R>) {
        q.0 += r.0;
    }
    #[system(Game)]
    fn n(mut w: EventWriter<E>, r: EventReader2) {
        w.send(E(1));
    }
    type EventReader2<'a> = ecs::EventReader<'a, E>;
    pub fn go() {
        Game::new(R(1)).tick();
    }
}
fn in_fn() {
    #[derive(Component)]
    struct L(u8);
    #[derive(Resource, Default)]
    struct Res1(u8);
    world! { struct Local1 { components { L, P } resources { r: Res1 = Res1(3) } } schedule tick { s, t } }
    #[system(Local1)]
    fn s(l: &mut L, r: Res<Res1>) {
        l.0 = r.0;
    }
    #[system]
    fn t(l: &L) {}
    let mut w = Local1::new();
    w.spawn(L(1));
    w.tick();
    {
        #[derive(Component)]
        struct L(u16);
        world! { struct Local2 { components { L } } schedule tick { s } }
        #[system(Local2)]
        fn s(l: &mut L) {}
        Local2::new().tick();
    }
}
trait T {
    fn f();
}
impl T for P {
    fn f() {
        #[derive(Component)]
        struct L(u8);
        world! { struct W { components { L } } }
        W::new().spawn(L(1));
    }
}
const _: () = {
    #[derive(Component)]
    struct L(u8);
    world! { struct W { components { L } } schedule tick { s } }
    #[system(W)]
    fn s(l: &mut L) {}
};
macro_rules! game { ($v:vis $name:ident { $($c:ty),* $(,)? } $tick:ident $body:block $sys:ident ($($p:ident : $t:ty),*)) => {
   world! { $v struct $name { components { $($c),* } } schedule $tick { $sys } }
   #[system($name)] fn $sys($($p: $t),*) $body } }
mod m {
    use super::P;
    use ecs::prelude::*;
    game!(pub Made { P } tick { p_used(); } moves (p: &mut P));
    fn p_used() {}
}
macro_rules! full { ($(#[$a:meta])* $v:vis struct $n:ident { $($sect:tt)* } $($sched:tt)*) => { world! { $(#[$a])* $v struct $n { $($sect)* } $($sched)* } } }
full! { #[derive(Clone)] pub(crate) struct Full { components { P } } schedule tick { every } }
#[system]
fn every(p: &mut P) {}
macro_rules! value { ($e:expr, $k:literal) => { world! { struct Valued { components { P } resources { r: Rr = $e } events { Ee(external, keep = $k) } } schedule tick { react { every2 } max $k; } } } }
#[derive(Resource, Clone)]
struct Rr(u8);
#[derive(Event)]
struct Ee;
value!(Rr(1 + 2), 3);
#[derive(Component)]
#[component(tracked)]
struct Tr;
#[system]
fn every2(e: Entered<With<P>>) {}
mod ecs_ext {}
pub fn main() {
    a::Game::new().tick();
    a::go();
    b::go();
    in_fn();
    m::Made::new().tick();
    Full::new().tick();
}
