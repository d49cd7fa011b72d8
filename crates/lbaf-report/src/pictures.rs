// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pictures of objects on ranks, as in LBAF: phases at their start, in their result and, if requested, after
//! iterations.

mod attributes;
mod population;

use std::borrow::Cow;
use std::io::BufWriter;

use lbaf_config::{Qoi, RunConfig, Visualization};
use lbaf_model::{ObjectQuantity, RankQoi};
use lbaf_picture::{
    Animation, ColourQuantity, Frame, Grid, Names, Picture, PictureError, Pixels, Ranges, Scene, object_mesh,
    pixels, rank_mesh,
};
use lbaf_plot::Palette;
use lbaf_reader::Recorded;
use lbaf_run::Balanced;
use lbaf_run::Messages;
use lbaf_run::Noise;
use lbaf_run::Progress;
use lbaf_run::worst_balanced;
use lbaf_writer::{Staging, Stream};
use population::{Population, View};
use rayon::prelude::*;

use crate::ReportError;

/// Number of objects above which frames are drawn in sequence. A frame takes a few hundred bytes per object, and memory
/// for the lines of communication.
const LARGE: usize = 1 << 18;

/// Animation that is being written to a file.
type Film<'f, 's> = Animation<&'f mut BufWriter<Stream<'s>>>;

/// Pictures of a run: objects on ranks, one frame per placement of each phase.
pub struct Drawing<'a> {
    run: &'a RunConfig,
    visualization: &'a Visualization,
    recorded: &'a Recorded,
    noise: Option<&'a Noise>,
    balanced: Vec<&'a Balanced<'a>>,
    scene: Scene,
    names: Names,
}

impl<'a> Drawing<'a> {
    /// Prepares the pictures of a run from its data, the removed noise, and the balanced phases.
    pub fn new(
        run: &'a RunConfig,
        visualization: &'a Visualization,
        (recorded, noise): (&'a Recorded, Option<&'a Noise>),
        balanced: &'a [Balanced<'a>],
    ) -> Self {
        let scene = Scene {
            grid: Grid { axes: visualization.axes },
            jitter: visualization.jitter,
            seed: run.seed,
            rank_qoi: quantity(&visualization.rank_qoi, RankQoi::name, RankQoi::unit),
            object_qoi: quantity(&visualization.object_qoi, ObjectQuantity::name, ObjectQuantity::unit),
            force_continuous: visualization.force_continuous,
            palette: run.plots.as_ref().map_or(Palette::Colour, |plots| plots.style.palette),
        };
        let names = Names { stem: visualization.stem.clone() };
        let balanced = match &visualization.phases {
            Some(phases) => {
                balanced.iter().filter(|balanced| phases.contains(balanced.phase.id().0)).collect()
            }
            None => worst_balanced(balanced),
        };
        Drawing { run, visualization, recorded, noise, balanced, scene, names }
    }

    /// Draws all frames into `staging`, and returns warnings.
    ///
    /// Frames are created twice, because all frames together may not fit into memory. The first pass computes their
    /// common ranges.
    ///
    /// # Errors
    /// If a record cannot be read, or a frame cannot be drawn or written.
    pub fn draw(&self, staging: &Staging, messages: &dyn Messages) -> Result<Vec<String>, ReportError> {
        // The first pass takes time too, so the progress bar starts before it.
        let n_frames = self.balanced.iter().map(|&phase| self.views(phase).len()).sum();
        let bar = messages.progress("drawing pictures", n_frames);
        let only = match &*self.balanced {
            [phase] => Some(self.population(phase)?),
            _ => None,
        };
        let (mut ranges, mut lacks) = (Ranges::default(), Lacks { rank: true, object: true });
        for &phase in &self.balanced {
            let population = self.made(only.as_ref(), phase)?;
            for view in self.views(phase) {
                let frame = self.frame(&population, view);
                lacks.look_at(&frame);
                ranges.add(&frame).map_err(|error| self.failed(0, error))?;
            }
        }
        let picture = Picture::new(&self.scene, &ranges).map_err(|error| self.failed(0, error))?;
        if n_frames == 1 {
            self.draw_frames(&picture, only.as_ref(), staging, None, &*bar)?;
            return Ok(self.warnings(lacks));
        }
        let stream = staging.stream(&self.names.animation())?;
        let failed = |error| self.failed(n_frames, error);
        let mut file = BufWriter::new(stream);
        let mut animation = Animation::new(&mut file, n_frames as u32);
        self.draw_frames(&picture, only.as_ref(), staging, Some(&mut animation), &*bar)?;
        animation.finish().map_err(failed)?;
        let stream = file.into_inner().map_err(|error| failed(error.into_error().into()))?;
        stream.finish();
        Ok(self.warnings(lacks))
    }

    /// Draws the frames in order, a few at a time to limit memory.
    fn draw_frames(
        &self,
        picture: &Picture,
        only: Option<&Population>,
        staging: &Staging,
        mut animation: Option<&mut Film<'_, '_>>,
        bar: &dyn Progress,
    ) -> Result<(), ReportError> {
        let mut done = 0;
        let animated = animation.is_some();
        for &phase in &self.balanced {
            let population = self.made(only, phase)?;
            let at_once = if phase.phase.n_objects() > LARGE { 1 } else { rayon::current_num_threads() };
            for views in self.views(phase).chunks(at_once) {
                let draw = |(i, view): (usize, &View<'_>)| {
                    let frame = self.frame(&population, *view);
                    self.draw_one(picture, done + i, &frame, staging, animated)
                };
                let drawn: Vec<Result<Option<Pixels>, ReportError>> =
                    views.par_iter().enumerate().map(draw).collect();
                for pixels in drawn {
                    if let (Some(animation), Some(pixels)) = (&mut animation, pixels?) {
                        animation.add(&pixels).map_err(|error| self.failed(done, error))?;
                    }
                    done += 1;
                    bar.set(done);
                }
            }
        }
        Ok(())
    }

    /// Returns the population of a phase. If there is only one phase, `only` is its population, computed before.
    fn made<'p>(
        &self,
        only: Option<&'p Population>,
        phase: &Balanced<'_>,
    ) -> Result<Cow<'p, Population>, ReportError> {
        only.map_or_else(|| self.population(phase).map(Cow::Owned), |made| Ok(Cow::Borrowed(made)))
    }

    fn population(&self, phase: &Balanced<'_>) -> Result<Population, ReportError> {
        Population::new(self.visualization, (self.recorded, self.noise), phase.phase)
    }

    fn views<'b>(&self, phase: &'b Balanced<'b>) -> Vec<View<'b>> {
        population::views(phase, self.visualization.iterations)
    }

    fn frame<'p>(&self, population: &'p Population, view: View<'_>) -> Frame<'p> {
        population.frame(self.run, self.visualization, self.recorded.data.keys(), view)
    }

    /// Writes the files of a frame, and returns its pixels if there is an animation.
    fn draw_one(
        &self,
        picture: &Picture,
        number: usize,
        frame: &Frame<'_>,
        staging: &Staging,
        animated: bool,
    ) -> Result<Option<Pixels>, ReportError> {
        let failed = |error: PictureError| self.failed(number, error);
        let svg = picture.draw(frame).map_err(failed)?;
        for &format in &self.visualization.formats {
            let bytes = svg.to_bytes(format, self.visualization.dpi).map_err(|error| failed(error.into()))?;
            staging.put(&self.names.picture(number, format.extension()), &bytes)?;
        }
        if self.visualization.save_meshes {
            let objects = object_mesh(&self.scene, frame).map_err(failed)?;
            staging.put(&self.names.object_mesh(number), &objects)?;
            staging.put(&self.names.rank_mesh(number), &rank_mesh(&self.scene, frame).map_err(failed)?)?;
        }
        animated.then(|| pixels(&svg).map_err(failed)).transpose()
    }

    fn failed(&self, number: usize, source: PictureError) -> ReportError {
        ReportError::Picture { picture: format!("{}{number}", self.names.stem), source: Box::new(source) }
    }

    /// Returns warnings on quantities without values, whose names may be misspelt.
    fn warnings(&self, lacks: Lacks) -> Vec<String> {
        let (ranks, objects) = (&self.scene.rank_qoi.name, &self.scene.object_qoi.name);
        let mut warnings = Vec::new();
        if lacks.rank {
            warnings.push(format!(
                "`visualization.rank_qoi: {ranks}`: no rank has a value of this quantity, so ranks are drawn without a value"
            ));
        }
        if lacks.object && self.recorded.data.n_objects() > 0 {
            warnings
                .push(format!("`visualization.object_qoi: {objects}`: no object has a value of this quantity, so objects are drawn without a value"));
        }
        warnings
    }
}

/// True for the quantity of ranks or of objects if no frame has a value of it.
#[derive(Clone, Copy)]
struct Lacks {
    rank: bool,
    object: bool,
}

impl Lacks {
    fn look_at(&mut self, frame: &Frame<'_>) {
        self.rank &= frame.rank_qoi.iter().all(|value| value.is_nan());
        self.object &= frame.object_qoi.iter().all(|value| value.is_nan());
    }
}

fn quantity<T: Copy>(
    qoi: &Qoi<T>,
    name: fn(T) -> &'static str,
    unit: fn(T) -> &'static str,
) -> ColourQuantity {
    match qoi {
        Qoi::Quantity(quantity) => {
            ColourQuantity { name: name(*quantity).to_owned(), unit: unit(*quantity).to_owned() }
        }
        Qoi::Attribute(name) => ColourQuantity { name: name.clone(), unit: String::new() },
    }
}
