// SPDX-License-Identifier: MIT OR Apache-2.0
//! Specification of a data set drawn from distributions.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::error::{require, require_magnitude};
use crate::evolution::{HotSpot, Wave};
use crate::sampler::{Draw, Sampler};
use crate::{MAX_RANKS, SynthError};

/// A data set drawn from distributions. The first six keys are those of LBAF's `from_samplers`, with the same
/// meaning.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SampledSpec {
    /// Number of ranks, 1 to 65536.
    pub n_ranks: u32,
    /// Number of migratable objects.
    pub n_objects: u32,
    /// Number of randomly chosen ranks on which the objects start; 0, the default, means all.
    #[serde(default)]
    pub n_mapped_ranks: u32,
    /// Mean number of receivers of an object; 0, the default, means no communication. Every object draws its
    /// number of receivers from the binomial distribution with min(`n_objects` - 1, 2 * degree) trials and
    /// probability 1/2, and then as many distinct receivers other than itself.
    #[serde(default)]
    pub communication_degree: u32,
    /// Load of an object in the first phase, in seconds.
    pub load_sampler: Sampler,
    /// Bytes of one communication, the same in every phase; required if there is communication.
    #[serde(default)]
    pub volume_sampler: Option<Sampler>,

    /// Sides of a box of objects; their product is `n_objects`. Objects are numbered so that the last
    /// coordinate changes fastest, and the index of an object is the list of its coordinates. Objects send to
    /// their neighbours if there is a `volume_sampler`. The objects are divided over the start ranks in
    /// consecutive parts, whose sizes differ by at most one object. Default none: objects form a line, start on
    /// random ranks and send to random receivers.
    #[serde(default)]
    pub grid: Vec<u32>,
    /// Number of phases, default 1. Objects, placement and communication are the same in all of them.
    #[serde(default = "one")]
    pub n_phases: u32,
    /// Change of loads: from one phase to the next every load is multiplied by its own exp(drift * Z - drift^2
    /// / 2), where Z is standard normal. The mean of this factor is 1. Default 0: loads stay constant.
    #[serde(default)]
    pub drift: f64,
    /// A spot of changed loads that moves through the data set, default none. The patterns `hot_spot` and
    /// `wave` multiply the loads that result from drift; if both cover an object, both factors apply. They do
    /// not change loads of sentinels.
    #[serde(default)]
    pub hot_spot: Option<HotSpot>,
    /// A front that moves through the data set, followed by a zone of refined objects; default none.
    #[serde(default)]
    pub wave: Option<Wave>,
    /// Number of ranks on a compute node, default 1.
    #[serde(default = "one")]
    pub ranks_per_node: u32,
    /// Number of non-migratable objects on every rank, default 0.
    #[serde(default)]
    pub n_sentinels_per_rank: u32,
    /// Load of a sentinel in the first phase, in seconds. Default: 0, as for the initial task of vt.
    #[serde(default)]
    pub sentinel_load_sampler: Option<Sampler>,
    /// Memory blocks that objects share, default none.
    #[serde(default)]
    pub shared_blocks: Option<SharedBlocks>,
    /// Footprint of every migratable object in bytes. Default: not recorded.
    #[serde(default)]
    pub task_footprint_bytes: Option<f64>,
    /// Working memory of every migratable object in bytes. Default: not recorded.
    #[serde(default)]
    pub task_working_bytes: Option<f64>,
    /// Serialized size of every migratable object in bytes. Default: not recorded.
    #[serde(default)]
    pub task_serialized_bytes: Option<f64>,
    /// Working memory of every rank in bytes. Default: not recorded.
    #[serde(default)]
    pub rank_working_bytes: Option<f64>,
}

/// Memory blocks. Their homes are the ranks on which objects start, in turn. Every migratable object uses a
/// block whose home is its start rank, drawn at random, or none if there is no such block. A block may remain
/// unused.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SharedBlocks {
    /// Number of blocks in the whole data set.
    pub n_blocks: u32,
    /// Size of a block in bytes.
    pub size_bytes: Amount,
}

/// A number, or a distribution from which it is drawn.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "a number or a sampler `{name: ..., parameters: [...]}`")]
pub enum Amount {
    /// A fixed number.
    Fixed(f64),
    /// A distribution, from which each value is drawn.
    Sampled(Sampler),
}

impl SampledSpec {
    /// Checks every setting.
    ///
    /// # Errors
    /// For the first invalid setting, or the first that contradicts another.
    pub fn validate(&self) -> Result<(), SynthError> {
        let n_ranks = self.n_ranks;
        require(n_ranks > 0, "n_ranks", n_ranks, "a data set must have at least one rank")?;
        require(
            n_ranks <= MAX_RANKS,
            "n_ranks",
            n_ranks,
            "object ids hold the home rank in 16 bits, so there can be 65536 ranks at most",
        )?;
        let mapped = self.n_mapped_ranks;
        require(
            mapped <= n_ranks,
            "n_mapped_ranks",
            mapped,
            "objects cannot start on more than `n_ranks` ranks",
        )?;
        require(self.n_phases > 0, "n_phases", self.n_phases, "a data set must have at least one phase")?;
        require(
            self.ranks_per_node > 0,
            "ranks_per_node",
            self.ranks_per_node,
            "a node must have at least one rank",
        )?;
        self.validate_grid()?;
        require_magnitude("drift", self.drift)?;
        self.hot_spot.map_or(Ok(()), |spot| spot.validate())?;
        self.wave.map_or(Ok(()), |wave| wave.validate())?;
        self.load_sampler.draw("load_sampler")?;
        self.volume_draw()?;
        self.sentinel_draw()?;
        if let Some(blocks) = &self.shared_blocks {
            blocks.size_draw()?;
        }
        for (key, bytes) in [
            ("task_footprint_bytes", self.task_footprint_bytes),
            ("task_working_bytes", self.task_working_bytes),
            ("task_serialized_bytes", self.task_serialized_bytes),
            ("rank_working_bytes", self.rank_working_bytes),
        ] {
            require_magnitude(key, bytes.unwrap_or(0.0))?;
        }
        Ok(())
    }

    fn validate_grid(&self) -> Result<(), SynthError> {
        if self.grid.is_empty() {
            return Ok(());
        }
        let shown = format!("{:?}", self.grid);
        let n_places = self.grid.iter().try_fold(1_u32, |places, &side| places.checked_mul(side));
        let fits = n_places == Some(self.n_objects) && !self.grid.contains(&0);
        require(fits, "grid", shown, "its sides must be above 0 and their product must be `n_objects`")?;
        let degree = self.communication_degree;
        require(
            degree == 0,
            "communication_degree",
            degree,
            "it must be 0 with a `grid`, whose objects send to their neighbours",
        )
    }

    /// Returns the distribution of volumes, which is not used without communication.
    pub(crate) fn volume_draw(&self) -> Result<Draw, SynthError> {
        match (&self.volume_sampler, self.communication_degree) {
            (Some(sampler), _) => sampler.draw("volume_sampler"),
            (None, 0) => Ok(Draw::Constant(0.0)),
            (None, degree) => Err(SynthError::MissingVolumeSampler { degree }),
        }
    }

    /// Distribution of the loads of sentinels.
    pub(crate) fn sentinel_draw(&self) -> Result<Draw, SynthError> {
        self.sentinel_load_sampler
            .as_ref()
            .map_or(Ok(Draw::Constant(0.0)), |sampler| sampler.draw("sentinel_load_sampler"))
    }
}

impl SharedBlocks {
    /// Distribution of the sizes of blocks.
    pub(crate) fn size_draw(&self) -> Result<Draw, SynthError> {
        const KEY: &str = "shared_blocks.size_bytes";
        match &self.size_bytes {
            &Amount::Fixed(bytes) => require_magnitude(KEY, bytes).map(|()| Draw::Constant(bytes)),
            Amount::Sampled(sampler) => sampler.draw(KEY),
        }
    }
}

fn one() -> u32 {
    1
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::Places;

    fn smallest() -> Value {
        json!({
            "n_ranks": 4,
            "n_objects": 10,
            "load_sampler": { "name": "uniform", "parameters": [0, 1] },
        })
    }

    fn with(key: &str, value: Value) -> Value {
        let mut spec = smallest();
        spec[key] = value;
        spec
    }

    /// Returns the message for an invalid specification.
    fn refusal(spec: Value) -> String {
        match serde_json::from_value::<SampledSpec>(spec) {
            Err(error) => error.to_string(),
            Ok(spec) => spec.validate().expect_err("the specification should be refused").to_string(),
        }
    }

    #[test]
    fn defaults_are_the_documented_ones() {
        let spec: SampledSpec = serde_json::from_value(smallest()).unwrap();
        let expected = SampledSpec {
            n_ranks: 4,
            n_objects: 10,
            n_mapped_ranks: 0,
            communication_degree: 0,
            load_sampler: Sampler { name: crate::Law::Uniform, parameters: vec![0.0, 1.0] },
            volume_sampler: None,
            grid: Vec::new(),
            n_phases: 1,
            drift: 0.0,
            hot_spot: None,
            wave: None,
            ranks_per_node: 1,
            n_sentinels_per_rank: 0,
            sentinel_load_sampler: None,
            shared_blocks: None,
            task_footprint_bytes: None,
            task_working_bytes: None,
            task_serialized_bytes: None,
            rank_working_bytes: None,
        };
        assert_eq!(spec, expected);
        assert_eq!(spec.validate(), Ok(()));
    }

    #[test]
    fn block_sizes_are_a_number_or_a_sampler() {
        let size = |value| -> Amount { serde_json::from_value(value).unwrap() };
        assert_eq!(size(json!(100)), Amount::Fixed(100.0));
        assert_eq!(
            size(json!({ "name": "uniform", "parameters": [1, 2] })),
            Amount::Sampled(Sampler { name: crate::Law::Uniform, parameters: vec![1.0, 2.0] })
        );
        let error = serde_json::from_value::<Amount>(json!("many")).unwrap_err();
        assert!(error.to_string().contains("a number or a sampler"), "{error}");
    }

    #[test]
    fn invalid_settings_are_refused_by_name() {
        let sampler = |a: f64, b: f64| json!({ "name": "uniform", "parameters": [a, b] });
        for (spec, message) in [
            (with("n_ranks", json!(0)), "`n_ranks` is 0, but a data set must have at least one rank"),
            (
                with("n_ranks", json!(65537)),
                "`n_ranks` is 65537, but object ids hold the home rank in 16 bits, so there can be 65536 \
                 ranks at most",
            ),
            (
                with("n_mapped_ranks", json!(5)),
                "`n_mapped_ranks` is 5, but objects cannot start on more than `n_ranks` ranks",
            ),
            (
                with("grid", json!([2, 4])),
                "`grid` is [2, 4], but its sides must be above 0 and their product must be `n_objects`",
            ),
            (
                with("grid", json!([65536, 65536, 10])),
                "`grid` is [65536, 65536, 10], but its sides must be above 0 and their product must be \
                 `n_objects`",
            ),
            (with("n_phases", json!(0)), "`n_phases` is 0, but a data set must have at least one phase"),
            (
                with("ranks_per_node", json!(0)),
                "`ranks_per_node` is 0, but a node must have at least one rank",
            ),
            (with("drift", json!(-0.1)), "`drift` is -0.1, but it must be finite and non-negative"),
            (
                with("hot_spot", json!({ "factor": -2, "width": 0.1 })),
                "`hot_spot.factor` is -2, but it must be finite and non-negative",
            ),
            (
                with("hot_spot", json!({ "factor": 2, "width": 0 })),
                "`hot_spot.width` is 0, but it must be a fraction above 0 and at most 1",
            ),
            (
                with("wave", json!({ "factor": 2, "width": 1.5, "period": 10 })),
                "`wave.width` is 1.5, but it must be a fraction above 0 and at most 1",
            ),
            (
                with("wave", json!({ "factor": 2, "width": 0.5, "period": 0 })),
                "`wave.period` is 0, but a period must have at least one phase",
            ),
            (
                with("rank_working_bytes", json!(-1)),
                "`rank_working_bytes` is -1, but it must be finite and non-negative",
            ),
            (
                with("communication_degree", json!(2)),
                "`communication_degree` is 2, but the bytes of a communication are missing; add a \
                 `volume_sampler`",
            ),
            (
                with("volume_sampler", sampler(2.0, 1.0)),
                "`volume_sampler.parameters` is [2, 1], but the lower end of the interval must not exceed \
                 the upper",
            ),
            (
                with("sentinel_load_sampler", sampler(-1.0, 1.0)),
                "`sentinel_load_sampler.parameters` is [-1, 1], but sampled values must not be negative",
            ),
            (
                with("shared_blocks", json!({ "n_blocks": 3, "size_bytes": -5 })),
                "`shared_blocks.size_bytes` is -5, but it must be finite and non-negative",
            ),
        ] {
            assert_eq!(refusal(spec), message);
        }
    }

    #[test]
    fn a_spot_with_infinite_speed_is_refused() {
        // JSON has no infinity; YAML has.
        let spot = |speed, start| HotSpot { factor: 2.0, width: 0.1, speed, start, across: Places::Ranks };
        let message = |spot: HotSpot| spot.validate().unwrap_err().to_string();
        assert_eq!(message(spot(f64::INFINITY, 0.0)), "`hot_spot.speed` is inf, but it must be finite");
        assert_eq!(message(spot(0.0, f64::NAN)), "`hot_spot.start` is NaN, but it must be finite");
    }

    #[test]
    fn negative_counts_and_unknown_keys_are_refused() {
        for key in ["n_ranks", "n_objects", "n_mapped_ranks", "communication_degree", "n_phases"] {
            let message = refusal(with(key, json!(-1)));
            assert!(message.contains("-1") && message.contains("u32"), "{key}: {message}");
        }
        assert!(refusal(with("n_tasks", json!(3))).contains("unknown field `n_tasks`"));
    }

    #[test]
    fn blocks_without_objects_and_the_largest_rank_count_are_fine() {
        let mut spec = with("shared_blocks", json!({ "n_blocks": 0, "size_bytes": 1 }));
        spec["n_objects"] = json!(0);
        spec["n_ranks"] = json!(65536);
        spec["n_mapped_ranks"] = json!(65536);
        let spec: SampledSpec = serde_json::from_value(spec).unwrap();
        assert_eq!(spec.validate(), Ok(()));
    }
}
