//! Types with the names of primitive types and of the prelude's: expansions name neither without a path.
#![allow(non_camel_case_types, unused_mut, unused_variables)]
use ecs::prelude::*;
use ecs::{Aspect, MetaAspect};
#[derive(Component, Clone, Default)]
pub struct u32(f32);
#[derive(Component, Clone)]
#[component(excludes(str))]
pub struct usize;
#[derive(Component, Clone)]
pub struct bool(::core::primitive::u8);
/// Not numbers, although their names are.
#[derive(Component, Clone)]
pub struct Fields(#[allow(unused)] u32, #[allow(unused)] [bool; 2]);
#[derive(Component, Clone)]
#[component(tracked, removed, requires(u32), excludes(usize))]
pub struct str(f32);
#[derive(Component, Clone)]
#[component(index)]
pub struct Option(#[allow(unused)] ::core::primitive::u8);
impl ::core::hash::Hash for Option {
    fn hash<H: ::core::hash::Hasher>(&self, h: &mut H) {
        h.write_u8(self.0)
    }
}
impl PartialEq for Option {
    fn eq(&self, o: &Self) -> ::core::primitive::bool {
        self.0 == o.0
    }
}
impl Eq for Option {}
#[derive(Resource, Clone)]
pub struct Vec(f32);
#[derive(Resource, Clone)]
pub struct Box(f32);
#[derive(Event, Clone)]
pub struct String(f32);
#[derive(Event, Clone)]
pub struct Result(f32);
#[derive(Relation, Clone)]
#[relation(exclusive, symmetric)]
pub struct Send(Entity);
#[derive(Relation, Clone)]
#[relation(many)]
pub struct Sync(Entity);
pub struct Default;
pub struct Copy;
pub struct Sized;
pub struct Drop;
pub struct Fn;
pub struct FnMut;
pub struct FnOnce;
pub struct From;
pub struct Into;
pub struct Iterator;
pub struct PhantomData;
pub struct Hash;
pub struct i8;
pub struct i64;
pub struct f64;
pub struct u8;
pub struct u64;
pub struct char;
pub struct isize;
pub fn drop() {}
mod core {}
mod std {}
#[derive(Bundle)]
pub struct Bu {
    a: u32,
    b: bool,
}
#[derive(Aspect)]
pub struct As {
    #[aspect(default = bool(1))]
    b: bool,
    c: u32,
}
#[derive(MetaAspect)]
pub enum Me {
    A(As),
    B(bool),
}
#[derive(Query)]
pub struct Qu<'a> {
    a: &'a mut u32,
    b: &'a bool,
}
world! { #[derive(Clone)] pub struct Game { components { u32, usize, bool, str, Option, Send, m: Many<Sync> } resources { Vec = Vec(1.0), Box } events { String(external, keep = 3), Result(external) } }
  schedule tick { a, b if c; d::<u32> }
  schedule fails -> Result { e }
}
#[system(Game)]
fn a(u: &mut u32, s: With<str>, r: Res<Vec>) {}
#[system(Game, par)]
fn b(u: &mut u32, s: &bool) {}
#[system]
fn c() -> ::core::primitive::bool {
    true
}
#[system]
fn d<T: Component>(mut q: Query<(&mut u32, Qu2)>)
where
    T: Clone,
{
}
type Qu2 = Entity;
#[system(Game)]
fn e(
    w: EventWriter<String>,
    l: Local<::core::primitive::u32>,
    w2: EventReader<Result>,
) -> ::core::result::Result<(), ::std::fmt::Error> {
    ::core::result::Result::Ok(())
}
parts! { phys { components { u: u32 } resources { v: Vec = Vec(1.0) } schedule step { c2 } } }
#[system]
fn c2() {}
pub fn main() {
    let mut g = Game::new(Box(1.0));
    g.tick();
}
