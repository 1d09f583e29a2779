//! The icon and version of the program for Windows, as an object file for the linker: no resource compiler has to be
//! there. The layout is that of Microsoft's PE and COFF specification.

const RT_ICON: u32 = 3;
const RT_GROUP_ICON: u32 = 14;
const RT_VERSION: u32 = 16;
/// No language: one for all.
const NEUTRAL: u32 = 0;
/// US English in Unicode, in which the texts of the version are found by old programs.
const LANGUAGE_AND_PAGE: &str = "040904b0";

const DIRECTORY_SIZE: usize = 16;
const ENTRY_SIZE: usize = 8;
const DATA_ENTRY_SIZE: usize = 16;

/// A resource: its type, its number, its bytes.
type Resource = (u32, u32, Vec<u8>);

/// The object file with an icon (the bytes of a `.ico`) and a version; `None` for a processor that is not known here.
pub fn object_file(architecture: &str, icon: &[u8], version: &str, texts: &[(&str, &str)]) -> Option<Vec<u8>> {
    let (machine, relative_address) = match architecture {
        "x86_64" => (0x8664_u16, 3_u16),
        "x86" => (0x014c, 7),
        "aarch64" => (0xaa64, 2),
        _ => return None,
    };
    let mut resources = icon_resources(icon);
    resources.push((RT_VERSION, 1, version_resource(version, texts)));
    let (tree, data) = resource_sections(&resources);
    Some(coff(machine, relative_address, &tree, &data, resources.len()))
}

/// Appends numbers of two bytes.
fn put_u16(bytes: &mut Vec<u8>, numbers: &[u16]) {
    numbers.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
}

/// Appends numbers of four bytes.
fn put_u32(bytes: &mut Vec<u8>, numbers: &[u32]) {
    numbers.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
}

/// Each image of an icon, and the group that lists them.
fn icon_resources(icon: &[u8]) -> Vec<Resource> {
    let number = |at: usize, length: usize| {
        icon[at..at + length].iter().rev().fold(0, |number, byte| number << 8 | *byte as usize)
    };
    let count = number(4, 2);
    let mut group = icon[..6].to_vec();
    let mut resources = Vec::new();
    for index in 0..count {
        let entry = 6 + 16 * index;
        let (length, start) = (number(entry + 8, 4), number(entry + 12, 4));
        // The same entry as in the file, with a number in place of the offset.
        group.extend(&icon[entry..entry + 12]);
        put_u16(&mut group, &[index as u16 + 1]);
        resources.push((RT_ICON, index as u32 + 1, icon[start..start + length].to_vec()));
    }
    resources.push((RT_GROUP_ICON, 1, group));
    resources
}

/// The version (`1.2.3`) and the texts that Explorer shows.
fn version_resource(version: &str, texts: &[(&str, &str)]) -> Vec<u8> {
    let mut parts = version.split('.').map(|part| part.parse::<u32>().unwrap_or(0)).chain(std::iter::repeat(0));
    let mut part = || parts.next().unwrap_or(0);
    let (high, low) = (part() << 16 | part(), part() << 16 | part());
    let mut fixed = Vec::new();
    // Signature, structure version, file and product version, flags, Windows on 32 bits, a program.
    put_u32(&mut fixed, &[0xFEEF_04BD, 0x1_0000, high, low, high, low, 0x3F, 0, 0x4_0004, 1, 0, 0, 0]);
    let strings = texts.iter().map(|(name, text)| {
        let text = utf16(text);
        version_block(name, true, (text.len() / 2) as u16, &text, &[])
    });
    let table = version_block(LANGUAGE_AND_PAGE, true, 0, &[], &strings.collect::<Vec<_>>());
    let mut translation = Vec::new();
    put_u16(&mut translation, &[0x0409, 0x04b0]);
    let languages = version_block("Translation", false, translation.len() as u16, &translation, &[]);
    let children = [
        version_block("StringFileInfo", true, 0, &[], &[table]),
        version_block("VarFileInfo", true, 0, &[], &[languages]),
    ];
    version_block("VS_VERSION_INFO", false, fixed.len() as u16, &fixed, &children)
}

/// A block of the version: its length, that of its value, its kind, its name, its value, the blocks in it.
fn version_block(name: &str, is_text: bool, value_length: u16, value: &[u8], children: &[Vec<u8>]) -> Vec<u8> {
    let mut block = Vec::new();
    put_u16(&mut block, &[0, value_length, u16::from(is_text)]);
    block.extend(utf16(name));
    align(&mut block, 4);
    block.extend(value);
    for child in children {
        align(&mut block, 4);
        block.extend(child);
    }
    let length = block.len() as u16;
    block[..2].copy_from_slice(&length.to_le_bytes());
    block
}

/// A text with a zero at its end.
fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect()
}

fn align(bytes: &mut Vec<u8>, to: usize) {
    bytes.resize(bytes.len().next_multiple_of(to), 0);
}

/// The tree of the resources (by type, number and language) and their bytes. Where the tree has an address it is that in
/// the bytes.
fn resource_sections(resources: &[Resource]) -> (Vec<u8>, Vec<u8>) {
    let mut types: Vec<u32> = resources.iter().map(|(kind, ..)| *kind).collect();
    types.sort_unstable();
    types.dedup();
    let of_type = |kind: u32| resources.iter().enumerate().filter(move |(_, resource)| resource.0 == kind);
    // The root, a directory for each type, one for each resource, then the entries of the data.
    let mut next_type = DIRECTORY_SIZE + ENTRY_SIZE * types.len();
    let languages = next_type + types.len() * DIRECTORY_SIZE + ENTRY_SIZE * resources.len();
    let entries = languages + resources.len() * (DIRECTORY_SIZE + ENTRY_SIZE);
    const SUBDIRECTORY: u32 = 1 << 31;
    let mut tree = Vec::new();
    let directory = |tree: &mut Vec<u8>, count: usize| {
        put_u32(tree, &[0, 0, 0]);
        put_u16(tree, &[0, count as u16]);
    };
    directory(&mut tree, types.len());
    for kind in &types {
        put_u32(&mut tree, &[*kind, next_type as u32 | SUBDIRECTORY]);
        next_type += DIRECTORY_SIZE + ENTRY_SIZE * of_type(*kind).count();
    }
    for kind in &types {
        directory(&mut tree, of_type(*kind).count());
        for (index, (_, number, _)) in of_type(*kind) {
            let language = languages + index * (DIRECTORY_SIZE + ENTRY_SIZE);
            put_u32(&mut tree, &[*number, language as u32 | SUBDIRECTORY]);
        }
    }
    for index in 0..resources.len() {
        directory(&mut tree, 1);
        put_u32(&mut tree, &[NEUTRAL, (entries + index * DATA_ENTRY_SIZE) as u32]);
    }
    let mut data = Vec::new();
    for (_, _, bytes) in resources {
        put_u32(&mut tree, &[data.len() as u32, bytes.len() as u32, 0, 0]);
        data.extend(bytes);
        align(&mut data, 8);
    }
    (tree, data)
}

/// An object file of two sections: the tree, which ends with so many entries of the data whose addresses the linker fills
/// in, and the data.
fn coff(machine: u16, relative_address: u16, tree: &[u8], data: &[u8], entry_count: usize) -> Vec<u8> {
    const HEADER_SIZE: usize = 20;
    const SECTION_SIZE: usize = 40;
    const RELOCATION_SIZE: usize = 10;
    /// Initialised data that can be read.
    const CHARACTERISTICS: u32 = 0x4000_0040;
    const STATIC: u8 = 3;
    let tree_at = HEADER_SIZE + 2 * SECTION_SIZE;
    let data_at = tree_at + tree.len();
    let relocations_at = data_at + data.len();
    let symbols_at = relocations_at + entry_count * RELOCATION_SIZE;
    let mut file = Vec::new();
    put_u16(&mut file, &[machine, 2]);
    put_u32(&mut file, &[0, symbols_at as u32, 2]);
    put_u16(&mut file, &[0, 0]);
    let mut section = |name: &[u8; 8], length: usize, at: usize, relocations: usize| {
        file.extend(name);
        let relocated = if relocations > 0 { relocations_at } else { 0 };
        put_u32(&mut file, &[0, 0, length as u32, at as u32, relocated as u32, 0]);
        put_u16(&mut file, &[relocations as u16, 0]);
        put_u32(&mut file, &[CHARACTERISTICS]);
    };
    section(b".rsrc$01", tree.len(), tree_at, entry_count);
    section(b".rsrc$02", data.len(), data_at, 0);
    file.extend(tree);
    file.extend(data);
    for index in 0..entry_count {
        let address = tree.len() - (entry_count - index) * DATA_ENTRY_SIZE;
        // Symbol 1 is the section of the data.
        put_u32(&mut file, &[address as u32, 1]);
        put_u16(&mut file, &[relative_address]);
    }
    for (number, name) in [(1, b".rsrc$01"), (2, b".rsrc$02")] {
        file.extend(name);
        put_u32(&mut file, &[0]);
        put_u16(&mut file, &[number, 0]);
        file.extend([STATIC, 0]);
    }
    // An empty table of longer names.
    put_u32(&mut file, &[4]);
    file
}
