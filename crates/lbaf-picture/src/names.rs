// SPDX-License-Identifier: MIT OR Apache-2.0
//! File names. Those of pictures and meshes are as in vt-tv.

/// Names of the files of one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    /// Common beginning of the names, including a directory.
    pub stem: String,
}

impl Names {
    /// Returns the name of the picture of a frame.
    pub fn picture(&self, frame: usize, extension: &str) -> String {
        format!("{}{frame}.{extension}", self.stem)
    }

    /// Returns the name of the animation of all frames.
    pub fn animation(&self) -> String {
        format!("{}.apng", self.stem)
    }

    /// Returns the name of the mesh of ranks of a frame.
    pub fn rank_mesh(&self, frame: usize) -> String {
        format!("{}_rank_mesh_{frame}.vtp", self.stem)
    }

    /// Returns the name of the mesh of objects of a frame.
    pub fn object_mesh(&self, frame: usize) -> String {
        format!("{}_object_mesh_{frame}.vtp", self.stem)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_and_meshes_have_the_names_of_vt_tv() {
        let names = Names { stem: "viz/run".to_owned() };
        assert_eq!(names.picture(3, "png"), "viz/run3.png");
        assert_eq!(names.object_mesh(0), "viz/run_object_mesh_0.vtp");
        assert_eq!(names.rank_mesh(12), "viz/run_rank_mesh_12.vtp");
        assert_eq!(names.animation(), "viz/run.apng");
    }
}
