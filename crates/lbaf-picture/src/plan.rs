// SPDX-License-Identifier: MIT OR Apache-2.0
//! Layout of the page and level of detail, the same for all frames.

mod caption;

use caption::Caption;
use lbaf_plot::Size as Page;

use crate::edges::{MOST_EDGES, Strength};
use crate::layout::{Area, Layout};
use crate::legend::{self, Legend};
use crate::objects::Size;
use crate::scale::Scale;
use crate::{PictureError, Ranges, Scene, strips, tiles};

/// Size of the page: 2000 pixels along each side at 300 dots per inch.
pub(crate) const PAGE: Page = Page { width_mm: 169.33, height_mm: 169.33 };
pub(crate) const MARGIN: f64 = 4.0;
/// Width of the page without its margins.
pub(crate) const WIDTH: f64 = 169.33 - 2.0 * MARGIN;
/// Top of the grid, below headings and the legend of ranks.
const TOP: f64 = 22.0;
/// Distance between the grid and the legends below it, and between the legends and the caption.
const GAP: f64 = 2.5;

/// Corner and width of the legend of ranks at the top right.
pub(crate) const OF_RANKS: ((f64, f64), f64) = ((PAGE.width_mm - MARGIN - 70.0, MARGIN), 70.0);
/// Legends below the grid: distances from the left margin, and widths.
const OF_LINES: (f64, f64) = (0.0, 34.0);
const OF_SIZES: (f64, f64) = (37.0, 63.0);
const OF_OBJECTS: (f64, f64) = (103.0, WIDTH - 103.0);

/// Level of detail at which objects are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Detail {
    /// Each object is drawn.
    Objects(Size),
    /// A strip on each rank shows the number of objects of each colour.
    Strips,
    /// Objects are not drawn, because tiles are too small.
    Tiles,
}

/// Endpoints of the lines that are drawn: objects or ranks.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Lines {
    /// No lines, because there is no communication.
    None,
    Objects(Strength),
    Ranks(Strength),
    /// No lines, because even those between ranks are too many, or tiles are too small.
    TooMany,
}

/// Legend below the grid.
pub(crate) struct Placed {
    pub(crate) legend: Box<dyn Legend>,
    /// Distance from the left margin.
    pub(crate) left: f64,
    pub(crate) width: f64,
}

/// Layout and content of the page.
pub(crate) struct Plan {
    pub(crate) layout: Layout,
    pub(crate) detail: Detail,
    pub(crate) lines: Lines,
    pub(crate) caption: Caption,
    pub(crate) legends: Vec<Placed>,
}

impl Plan {
    /// Creates the plan with the largest tiles that leave space for legends and caption.
    pub(crate) fn new(scene: &Scene, ranges: &Ranges, objects: &Scale) -> Result<Self, PictureError> {
        if ranges.n_frames == 0 {
            return Err(PictureError::NoFrame);
        }
        let (axes, n_ranks) = (scene.grid.axes, ranges.n_ranks);
        if scene.grid.n_places() < n_ranks.max(1) as u128 {
            return Err(PictureError::Grid { axes, n_ranks });
        }
        // The space below the grid and the size of the tiles depend on each other, so the space is increased until
        // legends and caption fit, or it exceeds half of the page.
        let mut below = 12.0;
        loop {
            let plan = Plan::above(below, scene, ranges, objects);
            let needed = plan.below();
            if needed <= below || below > PAGE.height_mm / 2.0 {
                return Ok(plan);
            }
            below = needed;
        }
    }

    /// Creates the plan with a space of height `below` under the grid.
    fn above(below: f64, scene: &Scene, ranges: &Ranges, objects: &Scale) -> Self {
        let height = PAGE.height_mm - TOP - MARGIN - GAP - below;
        let area = Area { corner: (MARGIN, TOP), width: WIDTH, height };
        let layout = Layout::new(scene.grid.filled(ranges.n_ranks), area);
        let detail = detail(&layout, ranges);
        let lines = lines(&layout, scene, detail, ranges);
        let caption = Caption::new(&layout, ranges, detail, lines);
        let legends = legends(ranges, detail, lines, objects);
        Plan { layout, detail, lines, caption, legends }
    }

    /// Returns the height of the legends.
    fn legend_height(&self) -> f64 {
        let heights = self.legends.iter().map(|placed| legend::height(&*placed.legend, placed.width));
        heights.fold(0.0, f64::max)
    }

    fn below(&self) -> f64 {
        self.legend_height() + GAP + self.caption.height()
    }

    /// Returns the tops of the legends and of the caption, in millimetres from the top of the page.
    pub(crate) fn legend_top(&self) -> (f64, f64) {
        let caption = PAGE.height_mm - MARGIN - self.caption.height();
        (caption - GAP - self.legend_height(), caption)
    }
}

fn detail(layout: &Layout, ranges: &Ranges) -> Detail {
    let side = layout.side() - tiles::label_height(layout);
    let size = Size::new(side, ranges.most_on_rank, ranges.most_load);
    if size.is_readable() {
        Detail::Objects(size)
    } else if strips::are_readable(layout.side()) {
        Detail::Strips
    } else {
        Detail::Tiles
    }
}

fn lines(layout: &Layout, scene: &Scene, detail: Detail, ranges: &Ranges) -> Lines {
    // As in vt-tv, the thickest line is a fraction of the width of the page, divided by the number of places along the
    // longest axis. Unlike in vt-tv, it has upper limits.
    let longest = scene.grid.filled(ranges.n_ranks).axes.into_iter().max().unwrap_or(1);
    let thickest = (0.03 * WIDTH / f64::from(longest)).min(1.4).min(layout.cell() / 3.0);
    // The more lines there are, the thinner they are, so that other lines and objects remain visible.
    let strength = |n: usize, most_bytes| {
        let thinned = thickest * (60.0 / n.max(1) as f64).sqrt().min(1.0);
        Strength { most_bytes, thickest: thinned.max(0.15) }
    };
    match (detail, ranges.rank_pairs) {
        _ if ranges.most_edges == 0 => Lines::None,
        (Detail::Objects(_), _) if ranges.most_edges <= MOST_EDGES => {
            Lines::Objects(strength(ranges.most_edges, ranges.most_bytes))
        }
        (Detail::Objects(_) | Detail::Strips, Some((n, bytes))) => Lines::Ranks(strength(n, bytes)),
        _ => Lines::TooMany,
    }
}

fn legends(ranges: &Ranges, detail: Detail, lines: Lines, objects: &Scale) -> Vec<Placed> {
    let place = |legend: Box<dyn Legend>, (left, width)| Placed { legend, left, width };
    let (title, strength, instead) = match lines {
        Lines::None => ("Inter-object volume", None, "none"),
        Lines::Objects(strength) => ("Inter-object volume", Some(strength), ""),
        Lines::Ranks(strength) => ("Volume between ranks", Some(strength), ""),
        Lines::TooMany => ("Inter-object volume", None, "not drawn"),
    };
    let mut legends = vec![place(Box::new(legend::Lines { title, strength, instead }), OF_LINES)];
    match detail {
        Detail::Objects(size) => {
            let sizes = legend::Sizes {
                size,
                least_load: ranges.least_load,
                any_sentinel: ranges.any_sentinel,
                any_anomaly: ranges.any_anomaly,
            };
            legends.push(place(Box::new(sizes), OF_SIZES));
        }
        Detail::Strips => {
            let strip = legend::Strip { most_on_rank: ranges.most_on_rank, any_anomaly: ranges.any_anomaly };
            legends.push(place(Box::new(strip), OF_SIZES));
        }
        Detail::Tiles => return legends,
    }
    legends.push(place(legend::of_scale(objects, "objects", detail == Detail::Strips), OF_OBJECTS));
    if ranges.most_on_rank == 0 {
        // Without objects, only the legend of lines remains.
        legends.truncate(1);
    }
    legends
}
