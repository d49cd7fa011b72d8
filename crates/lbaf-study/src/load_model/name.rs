// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names of load models in tables.

use std::fmt;

use super::LoadModel;

impl fmt::Display for LoadModel {
    /// Writes the name and the parameters, separated by spaces: `LinearModel n=5`. A field `of` other than the
    /// default follows: `LinearModel n=5 of=(PersistenceMedianLastN n=3)`. Of the model of messages `WeightedMessages`,
    /// only the parameters are written.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadModel::Measured => f.write_str("Measured"),
            LoadModel::NaivePersistence(of) => {
                f.write_str("NaivePersistence")?;
                taken_from(f, of, &LoadModel::Measured)
            }
            LoadModel::PersistenceMedianLastN { n, of } => {
                write!(f, "PersistenceMedianLastN n={n}")?;
                taken_from(f, of, &LoadModel::Measured)
            }
            LoadModel::LinearModel { n, of } => {
                write!(f, "LinearModel n={n}")?;
                taken_from(f, of, &LoadModel::Measured)
            }
            LoadModel::MultiplePhases { n_phases, of } => {
                write!(f, "MultiplePhases n={n_phases}")?;
                taken_from(f, of, &LoadModel::naive())
            }
            LoadModel::CommOverhead { per_message, per_byte, of } => {
                write!(f, "CommOverhead per_message={per_message} per_byte={per_byte}")?;
                taken_from(f, of, &LoadModel::naive())
            }
            LoadModel::WeightedMessages { per_message, per_byte } => {
                write!(f, "WeightedMessages per_message={per_message} per_byte={per_byte}")
            }
            LoadModel::WeightedCommunicationVolume { alpha, beta, gamma, of, messages } => {
                write!(f, "WeightedCommunicationVolume alpha={alpha} beta={beta} gamma={gamma}")?;
                match &**messages {
                    LoadModel::WeightedMessages { per_message, per_byte } => {
                        write!(f, " per_message={per_message} per_byte={per_byte}")?;
                    }
                    other => write!(f, " messages=({other})")?,
                }
                taken_from(f, of, &LoadModel::naive())
            }
            LoadModel::Norm { p } => write!(f, "Norm p={p}"),
            LoadModel::SelectSubphases { subphases } => {
                f.write_str("SelectSubphases")?;
                subphases.iter().try_for_each(|number| write!(f, " {number}"))
            }
            LoadModel::PerCollection { collections, default } => {
                f.write_str("PerCollection")?;
                for (collection, model) in collections {
                    write!(f, " {collection}=({model})")?;
                }
                write!(f, " default=({default})")
            }
        }
    }
}

fn taken_from(f: &mut fmt::Formatter<'_>, of: &LoadModel, default: &LoadModel) -> fmt::Result {
    if of == default { Ok(()) } else { write!(f, " of=({of})") }
}
