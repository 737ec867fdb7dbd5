//! Components that exclude each other: an entity has one of them at most.
//!
//! Both sides say so, and `world!` checks that they do: whoever gets the second one asks only what that one excludes.

use core::marker::PhantomData;

use super::kind::{Changes, InPlace, Logs, Sealed, Tracks, Unseen, Untracked};
use super::requires::{Filler, Kind};
use super::{ComponentKind, ComponentSet, Requirements};
use crate::change::Ticks;
use crate::check::message::Message;
use crate::component::guard::Companion;
use crate::query::data::Data;
use crate::storage::column::Column;
use crate::world::World;

/// What a component `T` of kind `K` is that excludes others.
pub struct Excluding<T, K>(PhantomData<fn() -> (T, K)>);

impl<R, K> Sealed for Excluding<R, K> {}

impl<R: 'static, K: ComponentKind> ComponentKind for Excluding<R, K> {
    const TRACKED: bool = K::TRACKED;
    const LOGGED: bool = K::LOGGED;
    const GUARDED: bool = K::GUARDED;
    const REFUSES: bool = true;
    const INDEXED: bool = K::INDEXED;
    const EXCLUDES: bool = true;
    type Unique<T: 'static> = K::Unique<T>;

    #[inline(always)]
    fn unique<T: 'static>(
        column: &mut Column<T>,
        slot: u32,
        ticks: Ticks,
    ) -> Option<<Self::Unique<T> as Data>::Item<'_>> {
        K::unique(column, slot, ticks)
    }

    #[inline(always)]
    fn columns<T: 'static>(column: &mut Column<T>, ticks: Ticks) -> <Self::Unique<T> as Data>::Columns {
        K::columns(column, ticks)
    }

    fn companion<T: 'static>() -> Option<alloc::boxed::Box<dyn Companion<T>>> {
        K::companion()
    }
}

impl<W: World, T: Requirements<W> + 'static, K: Kind<W>> Kind<W> for Excluding<T, K> {
    const EXCLUDED: ComponentSet = T::EXCLUDES;
    #[inline]
    fn fill(at: &mut Filler<'_, W>) {
        K::fill(at);
    }
}

macro_rules! forwarded {
    ($($of:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: ?Sized, R, K: $of<T>> $of<T> for Excluding<R, K> {}
    )*};
}
forwarded!(Changes Untracked InPlace Unseen Tracks);

#[diagnostic::do_not_recommend]
impl<T, R, K: Logs<T>> Logs<T> for Excluding<R, K> {
    const MOST: usize = K::MOST;
    const COPY: fn(&T) -> T = K::COPY;
}

/// The components of a world that exclude others.
pub(crate) struct Exclusions<W>(PhantomData<fn() -> W>);

impl<W: World> Exclusions<W> {
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
