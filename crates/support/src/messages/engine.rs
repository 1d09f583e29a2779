//! The values of `chuhe-engine`.

use super::{Localize, word};
use crate::language::{reason, tr};
use chuhe_engine::ReadError;
use chuhe_engine::nnue::{Explanation, NetworkError, NetworkFileError, OutputBuckets, ParseBucketsError};
use chuhe_engine::search::{HashSizeError, ThreadMemoryError};
use chuhe_engine::tablebase::{
    BuildError, HeaderPart, ParseMaterialError, ParseTableSetError, SolveError, TableFileError, TableWarning,
};

impl Localize for HeaderPart {}

impl Localize for ReadError {
    fn translated(&self) -> String {
        match self {
            ReadError::Io(error) => reason(error),
            ReadError::TooLarge { megabytes } => tr!("is larger than {megabytes} MB", megabytes),
            _ => word(&self.to_string()),
        }
    }
}

impl Localize for NetworkError {
    fn translated(&self) -> String {
        match self {
            NetworkError::Version { found, known } => {
                tr!("version {found} of the format; this program knows {known}", found, known)
            }
            NetworkError::Size { expected, found } => {
                tr!("{found} bytes; a network of this shape has {expected}", found, expected)
            }
            _ => word(&self.to_string()),
        }
    }
}

impl Localize for NetworkFileError {
    fn translated(&self) -> String {
        let (path, source) = match self {
            NetworkFileError::Read { path, source } => (path, source.translated()),
            NetworkFileError::Network { path, source } => (path, source.translated()),
            _ => return self.to_string(),
        };
        tr!("{path}: {source}", path = path.display(), source)
    }
}

impl Localize for ParseBucketsError {
    fn translated(&self) -> String {
        match self {
            ParseBucketsError::King(text) => tr!("{text} is none of plain, mirrored, three, six", text),
            ParseBucketsError::Output(text) => tr!("{text} is none of one, pieces, attackers", text),
            _ => self.to_string(),
        }
    }
}

impl Localize for Explanation {
    fn translated(&self) -> String {
        let heads = match self.output_buckets {
            OutputBuckets::One => tr!("heads, one for all positions:"),
            OutputBuckets::Pieces => tr!("heads, by the number of pieces on the board:"),
            OutputBuckets::Attackers => tr!("heads, by the number of rooks, horses and cannons on the board:"),
        };
        let note = tr!("insufficient material: worth nothing");
        let note = if self.has_winning_material { String::new() } else { note + "\n" };
        let values = tr!("Under each piece: what red would lose without it (+) or win (-); a horse is about 400.");
        let (board, scores) = (self.board(), self.bucket_scores());
        let network = tr!("network {description}", description = self.network);
        let total = tr!("evaluation {score} for red", score = format_args!("{:+}", self.total));
        format!("{board}\n\n{values}\n{heads}{}\n{note}{network}\n{total}", scores.trim_start())
    }
}

impl Localize for HashSizeError {
    fn translated(&self) -> String {
        tr!("no memory for a hash table of {megabytes} MB", megabytes = self.0)
    }
}

impl Localize for ThreadMemoryError {
    fn translated(&self) -> String {
        tr!("no memory for {count} threads", count = self.0)
    }
}

impl Localize for ParseMaterialError {
    fn translated(&self) -> String {
        tr!(
            "'{text}' is no material: expected a name such as KNPKAABB, two kings each with what R N C P A B stand beside it",
            text = self.0
        )
    }
}

impl Localize for ParseTableSetError {
    fn translated(&self) -> String {
        tr!("'{text}' is no set of tables: expected core, study, one or duel", text = self.0)
    }
}

impl Localize for SolveError {
    fn translated(&self) -> String {
        match self {
            SolveError::TooLong { material, longest } => tr!(
                "{material}: a mate takes more than {longest} plies, which tables of this version cannot hold",
                material,
                longest
            ),
            _ => self.to_string(),
        }
    }
}

impl Localize for BuildError {
    fn translated(&self) -> String {
        match self {
            BuildError::Solve(error) => error.translated(),
            BuildError::File { path, source } => {
                tr!("'{path}' {source}", path = path.display(), source = source.translated())
            }
            _ => self.to_string(),
        }
    }
}

impl Localize for TableFileError {
    fn translated(&self) -> String {
        match self {
            TableFileError::Read(error) => tr!("cannot be read: {error}", error = error.translated()),
            TableFileError::Version { found, known } => {
                tr!("has version {found} of the format, not {known}", found, known)
            }
            TableFileError::Length { expected, found } => {
                tr!("is {found} bytes long, not {expected}: it was cut off or added to", found, expected)
            }
            TableFileError::Header(part) => tr!("has a damaged header ({part})", part = part.translated()),
            TableFileError::Block(number) => tr!("is damaged in block {number}", number),
            TableFileError::OtherMaterial(material) => tr!("holds {material}", material),
            _ => word(&self.to_string()),
        }
    }
}

impl Localize for TableWarning {
    fn translated(&self) -> String {
        match self {
            TableWarning::Folder(folder, error) => {
                tr!("tables: cannot read '{path}': {error}", path = folder.display(), error = error.translated())
            }
            TableWarning::File(path, error) => {
                tr!("tables: '{path}' {error} and is not used", path = path.display(), error = error.translated())
            }
            TableWarning::Embedded(material, error) => {
                tr!(
                    "tables: the embedded table {material} {error} and is not used",
                    material,
                    error = error.translated()
                )
            }
            _ => self.to_string(),
        }
    }
}
