//! The entities that the queries of a system pass over: see `query/passed_over.rs`.

use core::marker::PhantomData;

use super::System;
use crate::base::access::row;
use crate::query::passed_over::{Disabling, EMPTY, List, PassedColumns, list};
use crate::raw_world::RawWorld;

/// The columns for which the per-entity query of a system, and the query that is its parameter `I`, pass over entities.
pub struct PassedOverBySystem<W, S, const I: usize>(PhantomData<fn() -> (W, S)>);

impl<W: RawWorld, S: System<W>, const I: usize> PassedOverBySystem<W, S, I> {
    const ROW_LIST: List = if Disabling::<W>::NONE { EMPTY } else { list::<W>(&row(S::PARAMS)) };
    const PARAM_LIST: List = if Disabling::<W>::NONE { EMPTY } else { list::<W>(&S::PARAMS[I].access) };
    /// Those of the per-entity query.
    pub const ROW: PassedColumns = Self::ROW_LIST.0.split_at(Self::ROW_LIST.1).0;
    /// Those of the parameter.
    pub const PARAM: PassedColumns = Self::PARAM_LIST.0.split_at(Self::PARAM_LIST.1).0;
}
