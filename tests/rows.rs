//! Each capability of the four founding systems has an acceptance test whose name begins with its row: `w31_..`.

use std::fs;
use std::path::Path;

/// The rows that this workspace covers, by letter.
const ROWS: &[(char, &[u32])] = &[
    ('g', &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]),
    (
        'w',
        &[
            1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
            29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 50, 53, 54, 57,
            60, 61, 62,
        ],
    ),
    ('r', &[1, 2, 3, 4, 5, 6, 7, 8]),
    ('e', &[1, 2, 3, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15]),
];

/// The text of all Rust files below a folder.
fn collect(folder: &Path, text: &mut String) {
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("is readable").path();
        if path.is_dir() && !path.ends_with("target") && !path.ends_with("ui") {
            collect(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&fs::read_to_string(&path).expect("is text"));
        }
    }
}

#[test]
fn each_row_has_a_test_of_its_name() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut text = String::new();
    for folder in [".", "../examples/tests", "../crates"] {
        collect(&root.join(folder), &mut text);
    }
    let rows = ROWS.iter().flat_map(|(letter, rows)| rows.iter().map(move |row| format!("{letter}{row:02}")));
    let missing: Vec<String> = rows.filter(|row| !text.contains(&format!("#[test]\nfn {row}_"))).collect();
    assert!(missing.is_empty(), "no acceptance test has the name of these rows: {missing:?}");
}
