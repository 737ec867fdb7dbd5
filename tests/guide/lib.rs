//! The guide in `docs/guide`: every program in it is a doctest of this crate, one module for each
//! chapter.
//!
//! `cargo test -p ecs-guide --doc` runs them all, `cargo test -p ecs-guide --doc queries` those of
//! one chapter. The test `text` checks the rest: the quoted compile errors, the quoted figures, the
//! links and the table of contents.

macro_rules! chapters {
    ($($name:ident $file:literal)*) => {
        $(
            #[cfg(doctest)]
            #[doc = include_str!(concat!("../../docs/guide/src/", $file))]
            mod $name {}
        )*

        /// The files of the chapters, as `SUMMARY.md` lists them.
        pub const CHAPTERS: &[&str] = &[$($file),*];
    };
}

chapters! {
    introduction "README.md"
    first_world "first-world.md"
    queries "queries.md"
    systems "systems.md"
    commands "commands.md"
    events "events.md"
    observers "observers.md"
    states "states.md"
    time "time.md"
    relations "relations.md"
    components "components.md"
    aspects "aspects.md"
    saving "saving.md"
    history "history.md"
    reflect "reflect.md"
    inspector "inspector.md"
    remote "remote.md"
    replication "replication.md"
    distributed "distributed.md"
    libraries "libraries.md"
    mechanics "mechanics.md"
    simulations "simulations.md"
    testing "testing.md"
    threads "threads.md"
    performance "performance.md"
    compile_errors "compile-errors.md"
    patterns "patterns.md"
    programs "programs.md"
    coming_from "coming-from.md"
}
