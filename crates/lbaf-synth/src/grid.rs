// SPDX-License-Identifier: MIT OR Apache-2.0
//! Objects on the integer coordinates of a box.

/// A box of objects. The last coordinate changes fastest.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    sides: Vec<u32>,
}

impl Grid {
    /// Creates a box; `None` without sides.
    pub(crate) fn new(sides: &[u32]) -> Option<Self> {
        (!sides.is_empty()).then(|| Grid { sides: sides.to_vec() })
    }

    /// Number of objects.
    pub(crate) fn n_places(&self) -> u32 {
        self.sides.iter().product()
    }

    /// Coordinates of an object, from 0 on each side.
    pub(crate) fn place(&self, object: i64) -> Vec<i64> {
        self.strides().map(|(side, stride)| object / i64::from(stride) % i64::from(side)).collect()
    }

    /// Returns the neighbours of an object, ascending: at most two along each side.
    pub(crate) fn beside(&self, object: u32) -> impl Iterator<Item = u32> {
        let at = move |side: u32, stride: u32| object / stride % side;
        let before = self.strides().filter(move |&(side, stride)| at(side, stride) > 0);
        let after: Vec<u32> = (self.strides())
            .filter(move |&(side, stride)| at(side, stride) + 1 < side)
            .map(|(_, stride)| object + stride)
            .collect();
        before.map(move |(_, stride)| object - stride).chain(after.into_iter().rev())
    }

    /// Returns each side of the box, and the difference between the numbers of neighbours along it.
    fn strides(&self) -> impl Iterator<Item = (u32, u32)> {
        let stride = |axis: usize| self.sides[axis + 1..].iter().product();
        self.sides.iter().enumerate().map(move |(axis, &side)| (side, stride(axis)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_neighbours_are_those_of_a_box() {
        let grid = Grid::new(&[2, 1, 3]).expect("a box");
        let places: Vec<Vec<i64>> = (0..6).map(|object| grid.place(object)).collect();
        let expected = [[0, 0, 0], [0, 0, 1], [0, 0, 2], [1, 0, 0], [1, 0, 1], [1, 0, 2]];
        assert_eq!(places, expected);
        for object in 0..6_u32 {
            let far = |other: &u32| {
                let places = grid.place(object.into()).into_iter().zip(grid.place((*other).into()));
                places.map(|(a, b)| a.abs_diff(b)).sum::<u64>()
            };
            let expected: Vec<u32> = (0..6).filter(|other| far(other) == 1).collect();
            assert_eq!(grid.beside(object).collect::<Vec<_>>(), expected);
        }
        assert!(Grid::new(&[]).is_none());
    }
}
