// SPDX-License-Identifier: MIT OR Apache-2.0
//! Picture of a frame: ranks as tiles on a grid, with objects, lines and legends.

use lbaf_plot::{Svg, fitted};

use crate::colour::{BLACK, GREY};
use crate::edges::{self, MOST_EDGES};
use crate::jitter::Jitter;
use crate::legend;
use crate::measure::{Measure, count};
use crate::paper::{Paper, TextAnchor, points};
use crate::placement::ByRank;
use crate::plan::{Detail, Lines, MARGIN, OF_RANKS, PAGE, Plan};
use crate::scale::Scale;
use crate::{Frame, PictureError, Ranges, Scene, objects, strips, tiles};

const HEADING: f64 = points(12.0);
const SUBHEADING: f64 = points(8.0);

/// Picture with a common layout and common scales, so that frames can be compared.
pub struct Picture {
    scene: Scene,
    ranges: Ranges,
    jitter: Jitter,
    ranks: Scale,
    objects: Scale,
    plan: Plan,
}

impl Picture {
    /// Creates the picture for frames that were all added to the ranges.
    ///
    /// # Errors
    /// If the ranges contain no frame, or the grid is too small for the ranks.
    pub fn new(scene: &Scene, ranges: &Ranges) -> Result<Self, PictureError> {
        let objects = Scale::of_objects(&scene.object_qoi, ranges, scene.force_continuous, scene.palette);
        Ok(Picture {
            plan: Plan::new(scene, ranges, &objects)?,
            ranks: Scale::of_ranks(&scene.rank_qoi, ranges, scene.palette),
            objects,
            jitter: Jitter::new(scene.seed, scene.jitter),
            scene: scene.clone(),
            ranges: ranges.clone(),
        })
    }

    /// Draws a frame.
    ///
    /// # Errors
    /// If the lists of the frame are inconsistent, a number is invalid, or its number of ranks differs from that of the
    /// ranges.
    pub fn draw(&self, frame: &Frame<'_>) -> Result<Svg, PictureError> {
        frame.check()?;
        if frame.n_ranks() != self.ranges.n_ranks {
            let (list, found, expected) = ("rank_qoi".to_owned(), frame.n_ranks(), self.ranges.n_ranks);
            return Err(PictureError::Length { list, found, expected });
        }
        let Plan { layout, detail, caption, legends, .. } = &self.plan;
        let mut paper = Paper::new(PAGE);
        let title = self.head(&mut paper, frame);
        tiles::draw(&mut paper, frame, layout, &self.ranks);
        match *detail {
            Detail::Objects(size) => {
                let by_rank = ByRank::new(frame);
                let label = tiles::label_height(layout);
                let spots = objects::spots(frame, &by_rank, layout, label, &self.jitter);
                self.draw_lines(&mut paper, frame, |object| spots[object as usize]);
                objects::draw(&mut paper, frame, &by_rank, &spots, size, &self.objects);
            }
            Detail::Strips => {
                self.draw_lines(&mut paper, frame, |_| (0.0, 0.0));
                strips::draw(&mut paper, frame, layout, self.ranges.most_on_rank, &self.objects);
            }
            Detail::Tiles => {}
        }
        tiles::label(&mut paper, frame, layout, &self.ranks);
        let (top, caption_top) = self.plan.legend_top();
        for placed in legends {
            legend::draw(&*placed.legend, &mut paper, (MARGIN + placed.left, top), placed.width);
        }
        caption.draw(&mut paper, caption_top);
        Ok(paper.finish(&title, PAGE))
    }

    /// Writes the heading, and draws the legend of ranks. Returns the first line of the heading.
    fn head(&self, paper: &mut Paper, frame: &Frame<'_>) -> String {
        let title = format!("Phase: {}/{}, {}", frame.phase, self.ranges.last_phase, frame.moment);
        let imbalance = Measure::of("", &[frame.load_imbalance]).number(frame.load_imbalance);
        let [x, y, z] = self.scene.grid.axes;
        let layers = if z > 1 { format!(" \u{d7} {z}") } else { String::new() };
        let (n_ranks, n_objects) = (frame.n_ranks(), frame.objects.len());
        let ranks = if n_ranks == 1 { "rank" } else { "ranks" };
        let objects = if n_objects == 1 { "object" } else { "objects" };
        let counts =
            format!("{} {ranks} ({x} \u{d7} {y}{layers}), {} {objects}", count(n_ranks), count(n_objects));
        let room = OF_RANKS.0.0 - MARGIN - 2.0;
        let lines = [
            (title.clone(), HEADING, BLACK, 0.8 * HEADING),
            (format!("Load imbalance: {imbalance}"), HEADING, BLACK, 2.1 * HEADING),
            (counts, SUBHEADING, GREY, 2.1 * HEADING + 1.6 * SUBHEADING),
        ];
        for (text, em, ink, down) in lines {
            paper.text(&fitted(&text, em, room), em, (MARGIN, MARGIN + down), TextAnchor::Start, ink);
        }
        let legend = legend::of_scale(&self.ranks, "ranks", false);
        legend::draw(&*legend, paper, OF_RANKS.0, OF_RANKS.1);
        title
    }

    fn draw_lines(&self, paper: &mut Paper, frame: &Frame<'_>, spot: impl Fn(u32) -> (f64, f64)) {
        match self.plan.lines {
            Lines::Objects(strength) => edges::draw(paper, &frame.objects.edges, spot, strength, 0.0),
            Lines::Ranks(strength) => {
                let pairs = edges::between_ranks(frame, MOST_EDGES).unwrap_or_default();
                let middle = |rank: u32| self.plan.layout.middle(rank as usize);
                // Less than half the side of a place, so that lines stay inside the grid.
                edges::draw(paper, &pairs, middle, strength, 0.45 * self.plan.layout.cell());
            }
            Lines::None | Lines::TooMany => {}
        }
    }
}
