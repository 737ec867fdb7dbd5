//! Raw and Unicode identifiers for everything that has a name.
#![allow(non_camel_case_types, unused_variables)]
use ecs::prelude::*;
use ecs::{Aspect, MetaAspect};
#[derive(Component, Clone, Default)]
struct r#type {
    r#fn: u32,
    r#match: u8,
}
#[derive(Component, Clone, Default)]
#[component(tracked, removed)]
struct r#struct(u32);
#[derive(Component, Clone)]
struct Größe(f32);
#[derive(Component, Clone)]
struct 位置 {
    横: f32,
}
#[derive(Component, Clone, PartialEq, Eq, Hash)]
#[component(index = r#in)]
struct Idx {
    r#in: u8,
}
#[derive(Component, Clone, PartialEq, Eq, Hash)]
#[component(key = 横)]
struct Key {
    横: u8,
}
#[derive(Resource, Clone, Default)]
struct r#loop {
    r#for: u32,
}
#[derive(Event, Clone)]
struct r#while(u32);
#[derive(Relation, Clone)]
#[relation(exclusive)]
struct r#move {
    #[target]
    r#ref: Entity,
}
#[derive(Bundle)]
struct r#pub {
    r#a: r#type,
    r#mod: r#struct,
}
#[derive(Aspect)]
struct r#enum {
    #[aspect(.r#fn = 3)]
    r#type: r#type,
    #[aspect(default = Größe(1.0))]
    g: Größe,
}
#[derive(MetaAspect)]
enum r#trait {
    r#A(r#enum),
    B(Größe),
}
#[derive(States)]
#[states(module = r#match)]
enum r#in {
    #[state(to(大, r#if))]
    r#if,
    #[state(to(r#if))]
    大,
}
fn next(state: &mut State<r#in>) {
    state.change::<r#match::r#if, r#match::大>();
}
#[derive(Query)]
struct r#use<'a> {
    r#type: &'a mut r#type,
    r#where: &'a Größe,
}
world! { #[derive(Clone)] struct r#static {
 components { r#type: r#type, r#struct, Größe, 位置, Idx, Key, r#move, r#unsafe: Second }
 resources { r#loop, r#yield: Other = Other } events { r#while(external) } }
schedule r#async { r#let, 動く if r#const; r#extern::<Größe>; r#dyn }
schedule r#try -> Result { r#impl } }
#[derive(Component, Clone)]
struct Second;
#[derive(Resource, Clone)]
struct Other;
#[system(r#static)]
fn r#let(r#type: &mut r#type, r#final: Res<r#loop>) {
    r#type.r#fn = r#final.r#for;
}
#[system(r#static)]
fn 動く(横: &mut 位置, größe: &Größe) {
    横.横 = größe.0;
}
#[system]
fn r#const() -> bool {
    true
}
#[system]
fn r#extern<r#T: Component>(r#where: &r#T) {}
#[system(r#static)]
fn r#dyn(mut r#use: Query<r#use>, r#box: Lookup<Idx>, mut r#break: EventWriter<r#while>) {
    for u in &mut r#use {
        u.r#type.r#fn = 1;
    }
    r#break.send(r#while(1));
}
#[system(r#static)]
fn r#impl(r#a: EventReader<r#while>) -> Result<(), std::fmt::Error> {
    Ok(())
}
parts! { r#virtual { components { Größe } schedule r#do { r#priv } } }
#[system]
fn r#priv() {}
world! { struct X { include r#virtual; components { Second } } schedule tick { include r#do } }
pub fn main() {
    let mut w = r#static::new(r#loop::default());
    let e = w.spawn((r#type::default(), 位置 { 横: 1.0 }, Größe(2.0)));
    w.r#async();
    w.r#try().unwrap();
    let r#staticColumns { r#type, .. } = w.columns();
    let _ = r#type.get(e);
    println!("{} {}", <r#static as World>::NAME, <r#type as Component>::COMPONENT_NAME);
    X::new().tick();
    w.run::<r#let>();
    w.enable::<r#let>(true);
}
