//! Programs that must compile: each is close to a refused case of the folders beside this one and
//! breaks no rule. They run, too.
//!
//! They are modules of one crate: trybuild makes a crate of each program, and would build the
//! library and its dependencies once more for them. `every_lint` is a crate of its own: it denies
//! lints that only a whole crate can deny.
#![allow(uncommon_codepoints, mixed_script_confusables, reason = "a program has names of many scripts")]
#![allow(dead_code, reason = "programs of newcomers contain what is not used yet")]
#![allow(clippy::all, reason = "the programs are tests of rustc")]

macro_rules! programs {
    ($($program:ident),* $(,)?) => {
        $(pub mod $program;)*

        mod runs {
            $(
                #[test]
                fn $program() {
                    crate::$program::main();
                }
            )*
        }

        const PROGRAMS: &[&str] = &[$(stringify!($program)),*];
    };
}

programs! {
    advice_about_parts_and_threads,
    advice_about_relations_and_inputs,
    advice_about_steps,
    advice_about_types_and_parts,
    advice_in_bodies,
    advice_that_files_show,
    aspects,
    attributes_in_every_place,
    bounded_events,
    bundles_of_different_components,
    cures_of_errors,
    documented_sections_and_schedules,
    element_kept_apart_from_a_query,
    event_read_in_another_schedule,
    excludes_a_component_not_in_the_world,
    exclusive_with_a_local,
    external_events,
    external_states,
    followed_advice,
    followed_advice_of_types,
    generic_over_the_world,
    generic_parts,
    generic_system_kept_apart,
    inside_of_macro_rules,
    methods_of_other_libraries,
    names_of_the_language,
    names_of_the_library_and_of_the_language,
    observers,
    ordered_indexes,
    own_methods_of_entities,
    own_types_with_foreign_names,
    own_systems_with_library_names,
    own_types_with_library_names,
    parts_listed_under_other_names,
    parts_of_two_libraries,
    queries_kept_apart,
    queries_kept_apart_through_an_alias,
    queries_of_snapshots,
    raw_and_unicode_identifiers,
    reactions_kept_apart,
    replacements_for_other_libraries,
    requirements_without_a_cycle,
    save,
    shared_more_than_once,
    states_of_every_visibility,
    storage_beside_other_components,
    system_in_two_schedules,
    traits_with_names_of_the_library,
    two_worlds,
    types_of_the_same_name,
    types_that_messages_advise,
    used_systems,
    worlds_in_every_place,
    worlds_named_like_traits,
}

#[test]
fn every_file_is_a_program() {
    for entry in std::fs::read_dir("ui/accepted").expect("the folder is there") {
        let name = entry.expect("is readable").file_name().into_string().expect("is plain text");
        let name = name.strip_suffix(".rs").expect("the folder has programs only");
        assert!(
            ["main", "every_lint"].contains(&name) || PROGRAMS.contains(&name),
            "`{name}` is missing in `main.rs`"
        );
    }
}
