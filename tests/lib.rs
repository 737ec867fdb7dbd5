//! Tests of `ecs`, see the files beside this one.
