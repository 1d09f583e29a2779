//! Which materials: by name and by set.

use super::error::TablesError;
use chuhe_engine::tablebase::{Material, Set};

/// Whether `build` could make a table of this material.
pub fn can_have_table(material: Material) -> bool {
    material.has_attackers() && material.pieces() <= 16
}

/// The materials of names and sets together.
pub fn materials(names: &[String], sets: &[Set]) -> Result<Vec<Material>, TablesError> {
    let mut found: Vec<Material> = sets.iter().flat_map(|set| set.materials()).collect();
    for name in names {
        let material: Material = name.parse()?;
        if !can_have_table(material) {
            return Err(TablesError::Unfit(material));
        }
        found.push(material);
    }
    Ok(found)
}
