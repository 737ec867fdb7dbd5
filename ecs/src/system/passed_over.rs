//! The entities that the queries of a system pass over: see `query/passed_over.rs`.

use core::marker::PhantomData;

use super::{InputSystem, System};
use crate::base::access::row;
use crate::query::passed_over::{Disabling, EMPTY, PassedColumns, PassedColumnsList, PassedList, list};
use crate::raw_world::RawWorld;

/// The columns for which the per-entity query of a system passes over entities.
pub struct PassedOverByRow<W, S>(PhantomData<fn() -> (W, S)>);

impl<W: RawWorld, S: System<W>> PassedOverByRow<W, S> {
    const LIST: PassedList = if Disabling::<W>::NONE { EMPTY } else { list::<W>(&row(S::FUNCTION)) };
}

impl<W: RawWorld, S: System<W>> PassedColumnsList for PassedOverByRow<W, S> {
    const COLUMNS: PassedColumns = Self::LIST.0.split_at(Self::LIST.1).0;
}

/// [`PassedOverByRow`] for a system with an input.
pub struct PassedOverByInputRow<W, S>(PhantomData<fn() -> (W, S)>);

impl<W: RawWorld, S: InputSystem<W>> PassedOverByInputRow<W, S> {
    const LIST: PassedList = if Disabling::<W>::NONE { EMPTY } else { list::<W>(&row(S::PARAMS)) };
}

impl<W: RawWorld, S: InputSystem<W>> PassedColumnsList for PassedOverByInputRow<W, S> {
    const COLUMNS: PassedColumns = Self::LIST.0.split_at(Self::LIST.1).0;
}

/// The columns for which the query that is parameter `I` of a system passes over entities.
pub struct PassedOverByParam<W, S, const I: usize>(PhantomData<fn() -> (W, S)>);

impl<W: RawWorld, S: System<W>, const I: usize> PassedOverByParam<W, S, I> {
    const LIST: PassedList = if Disabling::<W>::NONE { EMPTY } else { list::<W>(&S::FUNCTION[I].access) };
}

impl<W: RawWorld, S: System<W>, const I: usize> PassedColumnsList for PassedOverByParam<W, S, I> {
    const COLUMNS: PassedColumns = Self::LIST.0.split_at(Self::LIST.1).0;
}

/// [`PassedOverByParam`] for a system with an input.
pub struct PassedOverByInputParam<W, S, const I: usize>(PhantomData<fn() -> (W, S)>);

impl<W: RawWorld, S: InputSystem<W>, const I: usize> PassedOverByInputParam<W, S, I> {
    const LIST: PassedList = if Disabling::<W>::NONE { EMPTY } else { list::<W>(&S::PARAMS[I].access) };
}

impl<W: RawWorld, S: InputSystem<W>, const I: usize> PassedColumnsList for PassedOverByInputParam<W, S, I> {
    const COLUMNS: PassedColumns = Self::LIST.0.split_at(Self::LIST.1).0;
}
