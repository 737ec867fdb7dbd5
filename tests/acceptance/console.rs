//! The console of WECS. The rows W47 and W48 are tests of the inspector and of the server, which
//! are packages of their own: their dependencies, a terminal library and an HTTP server, would
//! otherwise be built for every compile-fail case of this package. They run with
//! `cargo test -p checked-ecs-inspect -p checked-ecs-remote acceptance`.

/// The tests of each row, by the file that contains them.
const TESTS: [(&str, &str, &[&str]); 2] = [
    (
        "the inspector",
        include_str!("../../crates/ecs-inspect/tests/inspector/acceptance.rs"),
        &[
            "w47_the_console_shows_the_matrix_of_entities_and_components",
            "w47_values_are_watched_and_entities_pinned",
            "w47_rows_are_sorted_and_filtered",
            "w47_the_systems_of_an_entity_are_known",
            "w48_values_are_edited_and_a_refused_value_changes_nothing",
            "w48_entities_are_created_and_destroyed",
            "w48_components_are_added_removed_and_moved",
            "w48_the_world_is_paused_and_stepped",
            "w48_aspects_are_added_swapped_and_removed",
            "aspects_prefabs_and_failures_have_their_places_on_the_screen",
        ],
    ),
    (
        "the server",
        include_str!("../../crates/ecs-remote/tests/remote/acceptance.rs"),
        &[
            "w47_explorers_read_the_matrix_the_systems_and_the_times",
            "w48_explorers_edit_create_destroy_and_move",
        ],
    ),
];

#[test]
fn w47_w48_have_tests_in_the_packages_of_the_console() {
    for (package, text, names) in TESTS {
        for name in names {
            assert!(text.contains(&format!("#[test]\nfn {name}()")), "{package} has no test `{name}`");
        }
        assert!(!text.contains("#[ignore"), "every test of {package} runs");
        assert_eq!(text.matches("#[test]").count(), names.len(), "all tests of {package} are listed");
    }
}
