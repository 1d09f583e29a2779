//! The training settings: one table of names, defaults and descriptions, read from a TOML file and from the command
//! line, and written next to the network.

use crate::arena::parse::{TomlError, read_toml};
use chuhe_engine::nnue::Network;
use chuhe_engine::nnue::architecture::{Architecture, KingBuckets, OutputBuckets, ParseBucketsError};
use chuhe_support::language::{reason, tr};
use chuhe_support::messages::Localize;
use std::error::Error;
use std::fmt::Write as _;
use thiserror::Error as ThisError;
use toml::de::DeValue;

/// Why a setting is invalid.
#[derive(Debug, Clone, PartialEq, Eq, ThisError)]
pub enum TrainingSettingsError {
    #[error("{}", tr!("there is no setting {name}; `chuhe help learn fit` lists them", name = format_args!("{_0:?}")))]
    Unknown(String),
    /// An invalid value.
    #[error("{}", tr!("{name} = {value}: {reason}", name, value, reason))]
    Value {
        name: String,
        /// The given value.
        value: String,
        reason: String,
    },
    /// The file is not TOML.
    #[error(transparent)]
    File(#[from] TomlError),
}

macro_rules! settings {
    ($($name:ident: $type:ty = $default:expr, $doc:literal;)*) => {
        /// The settings of a training run.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Settings {
            $(#[doc = $doc] pub $name: $type,)*
        }

        impl Default for Settings {
            fn default() -> Settings {
                Settings { $($name: $default,)* }
            }
        }

        impl Settings {
            fn set_unchecked(&mut self, name: &str, value: &str) -> Result<(), TrainingSettingsError> {
                match current_name(name) {
                    $(stringify!($name) => {
                        self.$name = value.parse().map_err(|error| bad_value(name, value, parse_error_text(error)))?;
                    })*
                    _ => return Err(TrainingSettingsError::Unknown(name.to_string())),
                }
                Ok(())
            }

            /// The settings as TOML, each with its description as a comment.
            pub fn to_toml(&self) -> String {
                let mut text = String::new();
                $({
                    let value = self.$name.to_string();
                    let quote = if value.parse::<f64>().is_ok() { "" } else { "\"" };
                    let _ = writeln!(text, "{} = {quote}{value}{quote}  # {}", stringify!($name), $doc);
                })*
                text
            }
        }
    };
}

settings! {
    hidden: usize = 256, "neurons of the hidden layer for each side, a multiple of 32";
    king_buckets: KingBuckets = KingBuckets::Plain, "feature weights by the place of the own king: plain, mirrored, three, six";
    output_buckets: OutputBuckets = OutputBuckets::Pieces, "output weights by the pieces on the board: one, pieces, attackers";
    epochs: u32 = 14, "passes over the positions";
    batch: usize = 4096, "positions in a batch";
    rate: f32 = 0.003, "initial learning rate";
    rate_end: f32 = 0.00003, "final learning rate, reached by cosine decay";
    feature_rate: f32 = 1.0, "share of that rate for the feature weights; 0 trains only the output weights";
    lambda: f32 = 0.0, "weight of the game's result in the target; the rest is the search's score";
    scale: f32 = 330.0, "score at which a side is expected to make 73 points of 100";
    loss_scale: f32 = 0.0, "the same in the loss alone, while learning; 0: as scale";
    exponent: f32 = 2.0, "power of the error in the loss, while learning";
    warmup: u32 = 0, "batches over which the learning rate rises to its first value";
    rounded_epochs: u32 = 0, "the last passes compute with the weights as the network will round them";
    limit: i32 = 3000, "positions with a score beyond this are left out";
    decay: f32 = 0.05, "weight decay of the first layer, per unit of learning rate";
    seed: u64 = 1, "random seed";
}

/// The name of a setting, which files of earlier versions may call otherwise.
fn current_name(name: &str) -> &str {
    match name {
        "kings" => "king_buckets",
        "heads" => "output_buckets",
        "rows" => "feature_rate",
        name => name,
    }
}

fn bad_value(name: &str, value: &str, reason: String) -> TrainingSettingsError {
    TrainingSettingsError::Value { name: name.to_string(), value: value.to_string(), reason }
}

/// The parse error in the current language.
fn parse_error_text(error: impl Into<Box<dyn Error>>) -> String {
    let error = error.into();
    error.downcast_ref::<ParseBucketsError>().map_or_else(|| reason(error.as_ref()), Localize::localized)
}

impl Settings {
    /// The defaults, with the architecture and scale of a network.
    pub fn of(network: &Network) -> Settings {
        let Architecture { hidden, king_buckets, output_buckets } = network.architecture;
        Settings { hidden, king_buckets, output_buckets, scale: network.scale as f32, ..Settings::default() }
    }

    /// The defaults, with the architecture and scale of an earlier run.
    pub fn continuing(earlier: &Settings) -> Settings {
        let Settings { hidden, king_buckets, output_buckets, scale, .. } = *earlier;
        Settings { hidden, king_buckets, output_buckets, scale, ..Settings::default() }
    }

    /// Factor from the model's output to the argument of the sigmoid in the loss.
    pub fn sharpness(&self) -> f32 {
        if self.loss_scale > 0.0 { self.scale / self.loss_scale } else { 1.0 }
    }

    /// Sets one setting by name.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), TrainingSettingsError> {
        let mut changed = self.clone();
        changed.set_unchecked(name, value)?;
        let fault = if changed.hidden == 0 || !changed.hidden.is_multiple_of(32) || changed.hidden > 2048 {
            Some(tr!("must be a multiple of 32 up to 2048"))
        } else if changed.epochs == 0 || changed.batch == 0 {
            Some(tr!("must be at least 1"))
        } else if ![changed.lambda, changed.feature_rate].iter().all(|share| (0.0..=1.0).contains(share)) {
            Some(tr!("must lie between 0 and 1"))
        } else if !(1.0..=8.0).contains(&changed.exponent) {
            Some(tr!("must lie between 1 and 8"))
        } else if !(changed.loss_scale >= 0.0
            && changed.rate > 0.0
            && changed.rate_end > 0.0
            && changed.scale > 0.0
            && changed.decay >= 0.0)
        {
            Some(tr!("must be positive"))
        } else if changed.limit < 1 || changed.limit > 20_000 {
            Some(tr!("must lie between 1 and 20000"))
        } else {
            None
        };
        match fault {
            Some(reason) => Err(bad_value(name, value, reason)),
            None => {
                *self = changed;
                Ok(())
            }
        }
    }

    /// Sets all settings in a TOML text.
    pub fn read(&mut self, text: &str) -> Result<(), TrainingSettingsError> {
        let table = read_toml(text)?;
        for (name, value) in table.get_ref() {
            let name: &str = name.get_ref();
            match value.get_ref() {
                DeValue::String(text) => self.set(name, text)?,
                DeValue::Integer(number) => self.set(name, number.as_str())?,
                DeValue::Float(number) => self.set(name, number.as_str())?,
                other => return Err(bad_value(name, other.type_str(), tr!("expected a word or a number"))),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_accept_their_earlier_names() {
        let mut settings = Settings::default();
        settings.read("kings = \"six\"\nheads = \"one\"\nrows = 0.5\n").unwrap();
        let renamed = Settings {
            king_buckets: KingBuckets::Six,
            output_buckets: OutputBuckets::One,
            feature_rate: 0.5,
            ..Settings::default()
        };
        assert_eq!(settings, renamed);
    }
}
