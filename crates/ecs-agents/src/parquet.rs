//! Tables as files of Apache Parquet.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::{Repetition, Type as PhysicalType};
use parquet::data_type::DoubleType;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

/// Writes columns of equal length with their names, as one group of rows.
pub(crate) fn write(columns: &[(&str, &[f64])], to: impl Write + Send) -> Result<(), ParquetError> {
    let field = |(name, _): &(&str, _)| {
        let field = Type::primitive_type_builder(name, PhysicalType::DOUBLE);
        Ok(Arc::new(field.with_repetition(Repetition::REQUIRED).build()?))
    };
    let fields: Vec<_> = columns.iter().map(field).collect::<Result<_, ParquetError>>()?;
    let schema = Arc::new(Type::group_type_builder("table").with_fields(fields).build()?);
    let mut file = SerializedFileWriter::new(to, schema, Arc::new(WriterProperties::builder().build()))?;
    let mut rows = file.next_row_group()?;
    for (_, values) in columns {
        let mut column =
            rows.next_column()?.ok_or_else(|| ParquetError::General("a column is missing".into()))?;
        column.typed::<DoubleType>().write_batch(values, None, None)?;
        column.close()?;
    }
    rows.close()?;
    file.close()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    use crate::recorder::{Recorder, run};

    #[test]
    fn a_file_has_the_numbers_of_the_table() {
        let mut recorder =
            Recorder::new().column("half", |world: &f64| world / 2.0).column("nan", |_| f64::NAN);
        run(&mut 0.0, |world| *world += 0.1, 5, &mut recorder);
        let path = std::env::temp_dir().join(format!("ecs-agents-{}.parquet", std::process::id()));
        recorder.table().write_parquet(File::create(&path).unwrap()).unwrap();
        let file = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
        std::fs::remove_file(path).unwrap();
        let names: Vec<&str> = recorder.table().names().iter().map(String::as_str).collect();
        let rows: Vec<_> = file.get_row_iter(None).unwrap().map(Result::unwrap).collect();
        assert_eq!(rows.len(), 6);
        for (i, row) in rows.into_iter().enumerate() {
            let columns = row.into_columns();
            assert!(columns.iter().map(|(name, _)| name.as_str()).eq(names.iter().copied()));
            for (name, field) in columns {
                let Field::Double(value) = field else { panic!("{field:?} is no number") };
                let expected = recorder.table().column(&name).unwrap()[i];
                assert!(value.to_bits() == expected.to_bits() || value.is_nan() && expected.is_nan());
            }
        }
    }
}
