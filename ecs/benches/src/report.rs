//! Tables on the terminal, and JSON beside the program.

use std::io;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::harness::{Cell, Row};
use crate::library::{Library, Role};
use crate::versions;
use crate::workload::Measure;

/// The fastest median of a role.
fn best(row: &Row, role: Role) -> Option<f64> {
    let cells = row.cells.iter().filter(|cell| cell.library.role == role);
    cells.map(Cell::median).min_by(f64::total_cmp)
}

fn title(library: Library) -> String {
    format!("{} {}", library.name, versions::of(library.package))
}

/// Prints a row as a table of its own: a line for each library.
pub(crate) fn print(row: &Row) {
    println!("\n{}, {} entities: {}", row.workload.name, row.count, row.workload.what);
    println!(
        "{:<18}{:>12}{:>12}{:>12}{:>14}",
        match row.workload.measure {
            Measure::Memory => "bytes per entity",
            _ => "ns per entity",
        },
        "median",
        "minimum",
        "x arrays",
        "x best peer"
    );
    let ratio =
        |cell: &Cell, to: Option<f64>| to.map_or("-".into(), |to| format!("{:.2}", cell.median() / to));
    for cell in &row.cells {
        println!(
            "{:<18}{:>12.3}{:>12.3}{:>12}{:>14}",
            title(cell.library),
            cell.median(),
            cell.minimum(),
            ratio(cell, best(row, Role::Limit)),
            ratio(cell, best(row, Role::Peer)),
        );
    }
    if let [cell] = &row.cells[..] {
        println!("nobody to compare with: {:016x}", cell.checksum);
    } else if row.agree() {
        println!("all computed the same: {:016x}", row.cells.first().map_or(0, |cell| cell.checksum));
    } else {
        for cell in &row.cells {
            println!("MISMATCH: {:<18}{:016x}", cell.library.name, cell.checksum);
        }
    }
}

/// Writes all rows as JSON beside the program, and says where.
pub(crate) fn save(rows: &[Row]) -> io::Result<PathBuf> {
    let path = std::env::current_exe()?.with_extension("json");
    let report = json!({
        "rows": rows.iter().map(row).collect::<Value>(),
    });
    std::fs::write(&path, format!("{report:#}\n"))?;
    Ok(path)
}

fn row(row: &Row) -> Value {
    let cell = |cell: &Cell| {
        json!({
            "library": cell.library.name,
            "version": versions::of(cell.library.package),
            "median": cell.median(),
            "minimum": cell.minimum(),
            "to_arrays": best(row, Role::Limit).map(|to| cell.median() / to),
            "to_best_peer": best(row, Role::Peer).map(|to| cell.median() / to),
            "checksum": format!("{:016x}", cell.checksum),
        })
    };
    json!({
        "workload": row.workload.name,
        "entities": row.count,
        "agree": row.agree(),
        "libraries": row.cells.iter().map(cell).collect::<Value>(),
    })
}
