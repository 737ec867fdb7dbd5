//! Macros, modules, functions, constants, traits and types with names that expansions use, and no prelude.
#![allow(non_camel_case_types, non_upper_case_globals, unused)]
extern crate ecs as lib_ecs;
macro_rules! vec {
    ($($t:tt)*) => {
        compile_error!("mine")
    };
}
macro_rules! matches {
    ($($t:tt)*) => {
        compile_error!("mine")
    };
}
macro_rules! debug_assert {
    ($($t:tt)*) => {
        compile_error!("mine")
    };
}
macro_rules! assert {
    ($($t:tt)*) => {
        compile_error!("mine")
    };
}
macro_rules! panic {
    ($($t:tt)*) => {
        compile_error!("mine")
    };
}
macro_rules! concat {
    ($($t:tt)*) => {
        compile_error!("mine")
    };
}
macro_rules! stringify {
    ($($t:tt)*) => {
        compile_error!("mine")
    };
}
macro_rules! line {
    ($($t:tt)*) => {
        compile_error!("mine")
    };
}
macro_rules! column {
    ($($t:tt)*) => {
        compile_error!("mine")
    };
}
macro_rules! module_path {
    ($($t:tt)*) => {
        compile_error!("mine")
    };
}
macro_rules! unreachable {
    ($($t:tt)*) => {
        compile_error!("mine")
    };
}
macro_rules! compile_error2 {
    ($($t:tt)*) => {};
}
mod ecs {}
mod core {}
mod std {}
mod alloc {}
mod serde {}
fn drop() {}
pub fn main() {}
const W: u8 = 1;
const __W: u8 = 1;
const S: u8 = 1;
const INDEX: usize = 3;
const PLACES: u8 = 1;
static world: u8 = 0;
const entity: u8 = 1;
const commands: u8 = 2;
const this: u8 = 1;
const at: u8 = 1;
const each: u8 = 2;
const f: u8 = 1;
const column_: u8 = 1;
const __world: u8 = 1;
const value: u8 = 1;
const parts: u8 = 0;
const item: u8 = 0;
const cell: u8 = 0;
const state: u8 = 0;
const slot: u8 = 0;
const target: u8 = 0;
const row: u8 = 0;
const columns: u8 = 0;
const result: u8 = 0;
const key: u8 = 0;
const args: u8 = 0;
const ticks: u8 = 0;
const a: u8 = 0;
const b: u8 = 0;
const x: u8 = 0;
const i: u8 = 0;
mod inner {
    #![no_implicit_prelude]
    use ::ecs::{Aspect, MetaAspect, Query};
    use ::ecs::prelude::{
        Bundle, Commands, Component, Entity, Event, EventReader, EventWriter, Local, Mut,
        Relation, Res, ResMut, Resource, Schedules, With, Without, World, parts, system, world,
    };
    pub trait Clone {}
    pub trait Default {}
    pub trait Send {}
    pub trait Sync {}
    pub trait Drop {}
    pub trait Fn {}
    pub trait From {}
    pub trait Into {}
    pub trait Sized {}
    pub trait Copy {}
    pub trait Iterator {}
    pub trait IntoIterator {}
    pub trait ToOwned {}
    pub trait PartialEq {}
    pub trait Eq {}
    pub trait Hash {}
    pub trait Debug {}
    pub trait Deref {}
    pub trait Has {}
    pub trait IsComponent {}
    pub trait ComponentOf {}
    pub trait Data {}
    pub trait Filter {}
    pub enum Option {}
    pub struct Some;
    pub struct None;
    pub struct Ok;
    pub struct Err;
    pub struct Vec;
    pub struct String;
    pub struct Box;
    pub struct Result;
    pub struct bool;
    pub struct usize;
    pub struct str;
    pub struct u32;
    pub struct u64;
    pub struct i32;
    pub struct f32;
    pub struct char;
    pub struct u8;
    #[derive(Component, ::core::clone::Clone, ::core::default::Default)]
    #[component(requires(B), excludes(E), tracked, removed)]
    pub struct A(::core::primitive::u32);
    #[derive(Component, ::core::clone::Clone, ::core::default::Default)]
    #[component(deref)]
    pub struct B(::core::primitive::u32);
    #[derive(Component, ::core::clone::Clone)]
    #[component(excludes(A))]
    pub struct E;
    #[derive(
        Component, ::core::clone::Clone, ::core::cmp::PartialEq, ::core::cmp::Eq, ::core::hash::Hash,
    )]
    #[component(index)]
    pub struct Team(::core::primitive::u8);
    #[derive(Component, ::core::clone::Clone)]
    #[component(unique)]
    pub struct Cam;
    #[derive(Component, ::core::clone::Clone, ::core::default::Default)]
    pub struct M;
    #[derive(Relation, ::core::clone::Clone)]
    #[relation(exclusive, gone = mark(M), symmetric)]
    pub struct R(Entity);
    #[derive(Relation, ::core::clone::Clone)]
    #[relation(many, gone = cascade)]
    pub struct O {
        #[target]
        to: Entity,
        amount: ::core::primitive::u32,
    }
    #[derive(Resource, ::core::clone::Clone, ::core::default::Default)]
    pub struct Clock(::core::primitive::u32);
    #[derive(Event, ::core::clone::Clone)]
    pub struct Ev(::core::primitive::u32);
    #[derive(Bundle)]
    pub struct Bu {
        a: A,
        t: Team,
    }
    #[derive(Aspect)]
    pub struct As {
        #[aspect(.0 = 3)]
        a: A,
        #[aspect(default = Team(1))]
        t: Team,
    }
    #[derive(MetaAspect)]
    pub enum Me {
        X(As),
        Y(B),
    }
    #[derive(Query)]
    pub struct Qu<'a> {
        a: Mut<'a, A>,
        b: &'a B,
        e: Entity,
        o: ::core::option::Option<&'a E>,
    }
    world! { #[derive(Clone)] pub struct Game { components { A, B, E, Team, Cam, M, R, o: ::ecs::Many<O> } resources { Clock, c2: Clock2 = Clock2 } events { Ev(external, keep = 3, full = newest) } }
    schedule tick { one, two if three && !three; four::<B>; five; react { six } max 3; seven }
    schedule fails -> Result { eight }
    schedule stepped every Clock { one } }
    #[derive(Resource, ::core::clone::Clone)]
    pub struct Clock2;
    impl ::ecs::schedule::Steps for Clock {
        fn due(&mut self, _: ::core::primitive::u32) -> ::core::primitive::bool {
            false
        }
    }
    #[system(Game)]
    fn one(mut a: Mut<A>, b: &B, r: Res<Clock>, _: Without<E>) {}
    #[system(Game, par)]
    fn two(mut a: Mut<A>) {}
    #[system]
    fn three() -> ::core::primitive::bool {
        true
    }
    #[system]
    fn four<T: Component>(e: Entity, t: &T) {}
    #[system(Game, init = setup, exit = setup)]
    fn five(
        mut q: Query<Qu, Without<E>>,
        mut l: Local<::core::primitive::u32>,
        w: EventWriter<Ev>,
        c: Commands<Game>,
    ) {
    }
    fn setup(_: &mut Game) {}
    #[system(Game)]
    fn six(e: Entity, a: &A, _: ::ecs::Changed<A>) {}
    #[system(Game)]
    fn seven(g: &mut Game) {}
    #[system(Game)]
    fn eight(e: EventReader<Ev>) -> ::core::result::Result<(), ::std::fmt::Error> {
        ::core::result::Result::Ok(())
    }
    parts! { pub phys { components { B } schedule step { nothing } } }
    #[system]
    pub fn nothing() {}
}
