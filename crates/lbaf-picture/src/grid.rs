// SPDX-License-Identifier: MIT OR Apache-2.0
//! Grid of ranks along three axes.

/// Grid of places for ranks. The first axis varies fastest: rank 1 is next to rank 0 along x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Places along x, y and z; at least 1 each.
    pub axes: [u32; 3],
}

impl Grid {
    /// Returns the number of places, which ranks need not fill.
    pub fn n_places(self) -> u128 {
        self.axes.iter().map(|&axis| u128::from(axis)).product()
    }

    /// Returns the place of a rank.
    pub fn place(self, rank: usize) -> [u32; 3] {
        let [x, y, _] = self.axes.map(|axis| axis as usize);
        [(rank % x) as u32, (rank / x % y) as u32, (rank / x / y) as u32]
    }

    /// Returns the grid without the layers along z that have no ranks. The first layer always stays.
    pub(crate) fn filled(self, n_ranks: usize) -> Self {
        let [x, y, z] = self.axes;
        let in_layer = u64::from(x) * u64::from(y);
        let layers = (n_ranks as u64).div_ceil(in_layer.max(1));
        Grid { axes: [x, y, layers.clamp(1, u64::from(z.max(1))) as u32] }
    }

    /// Returns the axes along which the objects of a rank are arranged: those with more than one place, or x and y if
    /// there is only one place.
    pub fn extended(self) -> [bool; 3] {
        let extended = self.axes.map(|axis| axis > 1);
        if extended.contains(&true) { extended } else { [true, true, false] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_go_along_x_first() {
        let grid = Grid { axes: [3, 2, 2] };
        let places: Vec<_> = [0, 1, 3, 6, 11].map(|rank| grid.place(rank)).into();
        assert_eq!(places, [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [2, 1, 1]]);
        assert_eq!(grid.n_places(), 12);
    }

    #[test]
    fn layers_without_ranks_are_left_out() {
        let filled = |axes, n_ranks| Grid { axes }.filled(n_ranks).axes;
        assert_eq!(filled([2, 2, 1_000_000_000], 5), [2, 2, 2]);
        assert_eq!(filled([2, 2, 3], 12), [2, 2, 3]);
        assert_eq!(filled([u32::MAX, u32::MAX, 2], 0), [u32::MAX, u32::MAX, 1]);
    }

    #[test]
    fn objects_are_arranged_along_axes_with_several_places() {
        assert_eq!(Grid { axes: [4, 1, 2] }.extended(), [true, false, true]);
        assert_eq!(Grid { axes: [1, 1, 1] }.extended(), [true, true, false]);
    }
}
