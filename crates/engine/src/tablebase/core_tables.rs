//! The WDL tables of the set *core*, made by `chuhe tables pack` (see `docs/tables.md`): in the program, or, where whoever
//! builds it says `--cfg chuhe_tables="lent"`, lent by the host while it runs. A page downloads them after its first view.

/// The largest number of attackers in them.
pub(super) const CORE_ATTACKERS: usize = 1;

#[cfg(not(chuhe_tables = "lent"))]
pub(super) fn bytes() -> Option<&'static [u8]> {
    Some(include_bytes!("core.bin"))
}

#[cfg(chuhe_tables = "lent")]
static LENT: std::sync::OnceLock<Vec<u8>> = std::sync::OnceLock::new();

#[cfg(chuhe_tables = "lent")]
pub(super) fn bytes() -> Option<&'static [u8]> {
    LENT.get().map(Vec::as_slice)
}

/// Lends the tables, the content of `core.bin`; searches that run find them, too. Later ones are dropped.
#[cfg(chuhe_tables = "lent")]
pub fn lend_tables(bytes: Vec<u8>) {
    let _ = LENT.set(bytes);
}

/// The tables in these bytes; what is cut off is not one.
pub(super) fn images(mut rest: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let (length, more) = rest.split_first_chunk::<4>()?;
        let (image, more) = more.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        rest = more;
        Some(image)
    })
}

#[cfg(all(test, not(chuhe_tables = "lent")))]
mod tests {
    use super::super::file::material_of;
    use xiangqi::Color;

    #[test]
    fn core_tables_have_as_many_attackers_as_is_said() {
        let materials = super::images(super::bytes().expect("tables")).filter_map(material_of);
        let attackers = materials.map(|material| Color::ALL.map(|color| material.side(color).attackers()).iter().sum());
        assert_eq!(attackers.max(), Some(super::CORE_ATTACKERS));
    }
}
