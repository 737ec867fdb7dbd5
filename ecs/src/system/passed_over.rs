//! The entities that the queries of a system pass over: see `query/passed_over.rs`. A system with
//! an input is named as an [`Unfed`](super::input::Unfed) one.

use core::marker::PhantomData;

use super::System;
use crate::base::access::row;
use crate::query::passed_over::{Disabling, EMPTY, PassedColumns, PassedColumnsList, PassedList, list};
use crate::raw_world::RawWorld;

/// The columns for which the per-entity query of a system passes over entities.
pub struct PassedOverByRow<W, S>(PhantomData<fn() -> (W, S)>);

impl<W: RawWorld, S: System<W>> PassedOverByRow<W, S> {
    const LIST: PassedList =
        if Disabling::<W>::NONE { EMPTY } else { list::<W>(&row(S::DESC.function_params())) };
}

impl<W: RawWorld, S: System<W>> PassedColumnsList for PassedOverByRow<W, S> {
    const COLUMNS: PassedColumns = Self::LIST.0.split_at(Self::LIST.1).0;
}

/// The columns for which the query that is parameter `I` of a system passes over entities.
pub struct PassedOverByParam<W, S, const I: usize>(PhantomData<fn() -> (W, S)>);

impl<W: RawWorld, S: System<W>, const I: usize> PassedOverByParam<W, S, I> {
    const LIST: PassedList =
        if Disabling::<W>::NONE { EMPTY } else { list::<W>(&S::DESC.function_params()[I].access) };
}

impl<W: RawWorld, S: System<W>, const I: usize> PassedColumnsList for PassedOverByParam<W, S, I> {
    const COLUMNS: PassedColumns = Self::LIST.0.split_at(Self::LIST.1).0;
}
