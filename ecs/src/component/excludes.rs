//! Components that exclude each other: an entity has one of them at most.
//!
//! Both sides say so, and `world!` checks that they do: whoever gets the second one asks only what that one excludes.

use core::marker::PhantomData;

use super::Requirements;
use super::requires::{Filler, Kind};
use crate::base::component_set::ComponentSet;
use crate::base::message::Message;
use crate::world::World;

/// What a component `T` of kind `K` is that excludes others.
pub struct Excluding<T, K>(PhantomData<fn() -> (T, K)>);

impl<W: World, T: Requirements<W> + 'static, K: Kind<W>> Kind<W> for Excluding<T, K> {
    const EXCLUDED: ComponentSet = T::EXCLUDES;
    #[inline]
    fn fill(at: &mut Filler<'_, W>) {
        K::fill(at);
    }
}

/// The components of a world that exclude others.
pub(crate) struct Exclusions<W>(PhantomData<fn() -> W>);

impl<W: World> Exclusions<W> {
    /// Whether there are none.
    pub(crate) const NONE: bool = Self::ALL.is_empty();
    pub(crate) const ALL: ComponentSet = {
        let (mut set, mut i) = (ComponentSet::EMPTY, 0);
        while i < W::OFFSETS.len() {
            if !W::OFFSETS[i].excludes.is_empty() {
                set = set.with(i);
            }
            i += 1;
        }
        set
    };
}

/// Two components of a set that exclude each other.
pub(crate) const fn pair<W: World>(of: ComponentSet) -> Option<(usize, usize)> {
    let mut rest = of.and(Exclusions::<W>::ALL);
    while let Some(i) = rest.first() {
        if let Some(other) = W::OFFSETS[i].excludes.and(of).first() {
            return Some((i, other));
        }
        rest = rest.minus(ComponentSet::EMPTY.with(i));
    }
    None
}

/// Fails to compile where a component excludes one that does not exclude it.
#[track_caller]
pub(crate) const fn is_mutual<W: World>(start: usize) {
    let mut rest = W::OFFSETS[start].excludes;
    while let Some(other) = rest.first() {
        if !W::OFFSETS[other].excludes.contains(start) {
            let text = Message::new().text("world `").text(W::NAME).text("`: component ");
            let text = text.quoted(W::COMPONENTS[start]).text(" excludes ").quoted(W::COMPONENTS[other]);
            let text = text.text(", which does not exclude it: write `#[component(excludes(");
            text.text(W::COMPONENTS[start]).text("))]` on it as well").panic();
        }
        rest = rest.minus(ComponentSet::EMPTY.with(other));
    }
}
