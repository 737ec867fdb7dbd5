//! Documentation, `cfg`, `cfg_attr` and lints on everything that takes attributes.
#![deny(warnings)]
#![allow(clippy::non_minimal_cfg)]
use ecs::prelude::*;
use ecs::{Aspect, MetaAspect};
/// doc
#[derive(Component, Debug, Clone, Copy, PartialEq, Default)]
#[repr(C)]
#[non_exhaustive]
#[must_use]
pub struct P {
    /// doc
    #[cfg(all())]
    pub x: f32,
    #[cfg(any())]
    pub y: Nope,
    #[cfg_attr(all(), allow(dead_code))]
    #[doc(hidden)]
    z: u8,
}
#[cfg_attr(all(), derive(Component))]
#[cfg_attr(any(), derive(Nope))]
#[cfg_attr(all(), component(tracked))]
#[deprecated]
#[derive(Default)]
pub struct Old(#[allow(dead_code)] u8);
#[derive(Component)]
#[cfg(any())]
struct Gone;
#[derive(Component, Clone)]
pub struct F;
#[derive(Resource)]
#[allow(clippy::all)]
pub struct R {
    #[cfg(any())]
    a: u8,
    #[allow(unused)]
    b: u8,
}
#[derive(Event)]
#[doc(hidden)]
pub struct E;
#[derive(Bundle)]
pub struct B {
    /// x
    p: P,
    #[cfg(any())]
    g: Gone,
    #[cfg(all())]
    /** b */
    f: F,
}
#[derive(Query)]
pub struct Q<'a> {
    /// p
    p: &'a P,
    #[cfg(any())]
    g: &'a Gone,
    #[cfg(all())]
    f: Option<&'a F>,
    #[allow(unused)]
    e: Entity,
}
#[derive(Aspect)]
pub struct A {
    /// x
    #[aspect(.z = 3)]
    #[cfg(all())]
    p: P,
    #[cfg(any())]
    g: Gone,
}
#[derive(MetaAspect)]
pub enum M {
    /// x
    #[cfg(all())]
    A(A),
    #[cfg(any())]
    G(Gone),
    F(Old2),
}
/// d
#[derive(States)]
#[allow(unused)]
pub enum S3 {
    /// x
    #[cfg(all())]
    #[state(to(B))]
    A,
    #[cfg(any())]
    #[state(to(Nope))]
    G,
    #[doc(hidden)]
    #[allow(dead_code)]
    B,
}
world! {
  /// d
  #[derive(Clone)] #[allow(missing_docs)] #[doc(hidden)] #[cfg(all())]
  #[must_use]
  pub struct Game {
    /// c
    components { /// p
      #[allow(dead_code)] p: P, #[cfg(any())] gone: Gone, #[cfg(any())] Gone2, #[cfg(all())] F, #[doc(hidden)] #[allow(deprecated)] Old2 }
    /// r
    resources { #[cfg(all())] r: R2 = R2, #[cfg(any())] n: Nope = Nope, #[cfg_attr(all(), doc = "x")] s: S2 = S2(/* c */ 3) }
    /// e
    events { /// e
     #[cfg(all())] E2(external), #[cfg(any())] E3(external) }
  }
  /// sched
  #[cfg(all())] #[must_use] #[inline] #[allow(unused)] #[doc(hidden)]
  schedule tick -> Result { #[cfg(all())] one, #[cfg(any())] nope; #[cfg(any())] nope2 if nope3, /* c */ two if yes; react { #[cfg(all())] three } max 4; #[cfg(any())] three; }
  #[cfg(any())] schedule never { nope }
}
#[derive(Component, Clone)]
pub struct Old2;
#[derive(Resource, Clone)]
pub struct R2;
#[derive(Resource, Clone)]
pub struct S2(u8);
#[derive(Event, Clone)]
pub struct E2;
/// d
#[system(Game)]
#[inline]
#[track_caller]
#[doc(hidden)]
#[allow(clippy::all)]
pub fn one(/* c */ #[allow(unused)] p: &mut P, _f: &F, _: Res<R2>, s: Res<S2>) {
    p.x = f32::from(s.0);
    p.z = 1;
}
#[inline(always)]
#[cold]
#[system(Game)]
#[deprecated]
#[must_use]
fn yes() -> bool {
    true
}
#[allow(deprecated)]
#[system(Game)]
fn two(q: Query<Q>, mut w: EventWriter<E2>) {
    for Q { p, f, .. } in &q {
        if p.x > 0.0 && f.is_some() {
            w.send(E2);
        }
    }
}
#[cfg_attr(all(), system(Game))]
fn three(e: Entered<With<P>>) {
    for _ in e.iter() {}
}
pub fn main() {
    let mut g = Game::new();
    let _ = g.spawn(B { p: P::default(), f: F });
    g.tick().unwrap();
    let _ = g.spawn(A::fresh());
    let _ = g.take_one_of::<M>(g.spawn0());
}
trait S0 {
    fn spawn0(&self) -> Entity;
}
impl S0 for Game {
    fn spawn0(&self) -> Entity {
        self.entities().iter().next().unwrap()
    }
}
