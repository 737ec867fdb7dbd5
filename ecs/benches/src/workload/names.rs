//! Components by name, beside the same by type: all values of each of 10,000 entities with four
//! components, and queries for two components without a third one, which half of 100,000 entities
//! have.

use super::{PLAIN, Workload};

pub(crate) const READ: Workload =
    Workload { name: "names_read", what: "the values of an entity by name, as trees", ..PLAIN };

pub(crate) const READ_TYPED: Workload =
    Workload { name: "names_read_typed", what: "the values of an entity by type", ..PLAIN };

pub(crate) const JSON: Workload =
    Workload { name: "names_json", what: "an entity as JSON, its components by name", ..PLAIN };

pub(crate) const JSON_TYPED: Workload =
    Workload { name: "names_json_typed", what: "an entity as JSON, a struct of four references", ..PLAIN };

pub(crate) const QUERY: Workload = Workload {
    name: "names_query",
    what: "a prepared query lists its entities",
    counts: &[100_000],
    visits: 1_000_000,
    ..PLAIN
};

pub(crate) const QUERY_ROWS: Workload = Workload {
    name: "names_query_rows",
    what: "a prepared query lists its entities as rows without values",
    ..QUERY
};

pub(crate) const QUERY_TYPED: Workload =
    Workload { name: "names_query_typed", what: "a typed query lists its entities", ..QUERY };
