//! Chinese for the values of `chuhe-engine`.

use super::Localize;
use crate::language::{Language, reason};
use chuhe_engine::ReadError;
use chuhe_engine::nnue::{Explanation, NetworkError, NetworkFileError, OutputBuckets, ParseBucketsError};
use chuhe_engine::search::{HashSizeError, ThreadMemoryError};
use chuhe_engine::tablebase::{
    BuildError, HeaderPart, ParseMaterialError, ParseTableSetError, SolveError, TableFileError, TableWarning,
};

impl Localize for ReadError {
    fn chinese(&self) -> String {
        match self {
            ReadError::Io(error) => Language::CHINESE.with(|| reason(error)),
            ReadError::NotAFile => "不是文件".to_string(),
            ReadError::TooLarge { megabytes } => format!("超过 {megabytes} MB"),
            _ => self.to_string(),
        }
    }
}

impl Localize for NetworkError {
    fn chinese(&self) -> String {
        match self {
            NetworkError::BadMagic => "不是本引擎的网络".to_string(),
            NetworkError::Version { found, known } => format!("格式版本是 {found}；本程序支持 {known}"),
            NetworkError::Shape => "形状不合理".to_string(),
            NetworkError::Range => "权重超出范围".to_string(),
            NetworkError::Size { expected, found } => format!("{found} 字节；这种形状的网络应有 {expected}"),
            NetworkError::Checksum => "已损坏：校验和不对".to_string(),
            _ => self.to_string(),
        }
    }
}

impl Localize for NetworkFileError {
    fn chinese(&self) -> String {
        let (path, source) = match self {
            NetworkFileError::Read { path, source } => (path, source.chinese()),
            NetworkFileError::Network { path, source } => (path, source.chinese()),
            _ => return self.to_string(),
        };
        format!("{}：{source}", path.display())
    }
}

impl Localize for ParseBucketsError {
    fn chinese(&self) -> String {
        match self {
            ParseBucketsError::King(text) => format!("“{text}”应为 plain、mirrored、three 或 six"),
            ParseBucketsError::Output(text) => format!("“{text}”应为 one、pieces 或 attackers"),
            _ => self.to_string(),
        }
    }
}

impl Localize for Explanation {
    fn chinese(&self) -> String {
        let buckets = match self.output_buckets {
            OutputBuckets::One => "输出头（所有局面共用）：",
            OutputBuckets::Pieces => "输出头（按棋盘上的子数）：",
            OutputBuckets::Attackers => "输出头（按棋盘上车马炮的数目）：",
        };
        let note = if self.has_winning_material { "" } else { "剩余子力不能取胜，不计优势\n" };
        format!(
            "{}\n\n棋子下方：去掉该子红方的得失（+ 为失，- 为得）；一个马约为 400。\n\
             {buckets}{}\n{note}网络 {}\n红方评估 {:+}",
            self.board(),
            self.bucket_scores().trim_start(),
            self.network,
            self.total
        )
    }
}

impl Localize for HashSizeError {
    fn chinese(&self) -> String {
        format!("内存不够 {} MB 的置换表", self.0)
    }
}

impl Localize for ThreadMemoryError {
    fn chinese(&self) -> String {
        format!("内存不够 {} 个线程", self.0)
    }
}

impl Localize for ParseMaterialError {
    fn chinese(&self) -> String {
        format!("“{}”不是子力名称：应如 KNPKAABB，两方的将帅各带 R N C P A B", self.0)
    }
}

impl Localize for ParseTableSetError {
    fn chinese(&self) -> String {
        format!("“{}”不是残局库集合：应为 core、study、one 或 duel", self.0)
    }
}

impl Localize for SolveError {
    fn chinese(&self) -> String {
        match self {
            SolveError::TooLong { material, longest } => {
                format!("{material}：有的杀法超过 {longest} 步，这个版本的残局库放不下")
            }
            _ => self.to_string(),
        }
    }
}

impl Localize for BuildError {
    fn chinese(&self) -> String {
        match self {
            BuildError::Solve(error) => error.chinese(),
            BuildError::File { path, source } => format!("“{}”{}", path.display(), source.chinese()),
            _ => self.to_string(),
        }
    }
}

impl Localize for HeaderPart {
    fn chinese(&self) -> String {
        let name = match self {
            HeaderPart::Length => "太短",
            HeaderPart::BlockSize => "块的大小",
            HeaderPart::Checksum => "校验和",
            HeaderPart::Format => "内容",
            HeaderPart::Material => "名称",
            HeaderPart::PositionCount => "局面数",
            HeaderPart::BlockLength => "块的长度",
        };
        name.to_string()
    }
}

impl Localize for TableFileError {
    fn chinese(&self) -> String {
        match self {
            TableFileError::Read(error) => format!("无法读取：{}", error.chinese()),
            TableFileError::BadMagic => "不是楚河的残局库".to_string(),
            TableFileError::Version { found, known } => format!("格式版本是 {found}，不是 {known}"),
            TableFileError::Length { expected, found } => {
                format!("长 {found} 字节，应为 {expected}：被截断或添加过")
            }
            TableFileError::Header(part) => format!("文件头损坏（{}）", part.chinese()),
            TableFileError::Block(number) => format!("第 {number} 块损坏"),
            TableFileError::OtherMaterial(material) => format!("内容是 {material}"),
            _ => self.to_string(),
        }
    }
}

impl Localize for TableWarning {
    fn chinese(&self) -> String {
        match self {
            TableWarning::Folder(folder, error) => {
                format!("残局库：“{}”无法读取：{}", folder.display(), error.chinese())
            }
            TableWarning::File(path, error) => {
                format!("残局库：“{}”{}，不再使用", path.display(), error.chinese())
            }
            TableWarning::Embedded(material, error) => {
                format!("残局库：程序自带的 {material} {}，不再使用", error.chinese())
            }
            _ => self.to_string(),
        }
    }
}
