// SPDX-License-Identifier: MIT OR Apache-2.0
// Coloured cells: heat maps and matrices. All cells are one image, which the library draws quickly.

/** Colours from the smallest to the largest value; the smallest is closest to the background. */
function scaleColours() {
  const colours = ["#fde725", "#5ec962", "#21918c", "#3b528b", "#440154"];
  return document.documentElement.dataset.theme === "dark" ? colours.reverse() : colours;
}

/** Cells with `columns` and `rows`. `width` and `height` are the size of a cell in units of the axes. Charts of cells need `at` and `middle`. */
function cellsOf(columns, rows, { width = 1, height = 1, square = false } = {}) {
  const within = (value, n) => Math.min(Math.max(Math.floor(value), 0), n - 1);
  return {
    columns, rows, width, height, square,
    at: (x, y) => [within(x / width, columns), within(y / height, rows)],
    middle: (column, row) => [(column + 0.5) * width, (row + 0.5) * height],
  };
}

/** A scale from values to fractions from 0 to 1: linear from zero, or logarithmic from the smallest positive value. */
function shadeOf(least, most, logarithmic) {
  if (!logarithmic) return (value) => (most > 0 ? Math.min(value / most, 1) : 0);
  const range = Math.log(most / least);
  return (value) => (value > 0 ? (range > 0 ? Math.log(value / least) / range : 1) : undefined);
}

/** The series that draws cells. `shade(column, row)` returns a position on the scale; undefined leaves a cell empty. */
function cellSeries(cells, shade) {
  const { columns, rows, width, height } = cells;
  const image = cellImage(columns, rows, shade);
  return {
    type: "custom", silent: true, data: [0], coordinateSystem: "cartesian2d",
    renderItem: (_, api) => {
      const [[left, one], [right, other]] = [api.coord([0, 0]), api.coord([columns * width, rows * height])];
      const size = { width: right - left, height: Math.abs(other - one) };
      return { type: "image", style: { image: enlarged(image, size), x: left, y: Math.min(one, other), ...size } };
    },
  };
}

function cellImage(columns, rows, shade) {
  const palette = scaleColours().map((text) => [1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16)));
  const small = element("canvas", { width: columns, height: rows });
  const context = small.getContext("2d");
  const pixels = context.createImageData(columns, rows);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const share = shade(column, row);
      if (share === undefined) continue;
      const place = share * (palette.length - 1);
      const below = Math.min(Math.floor(place), palette.length - 2);
      const pixel = 4 * (row * columns + column);
      for (let part = 0; part < 3; part += 1) pixels.data[pixel + part] = palette[below][part] + (palette[below + 1][part] - palette[below][part]) * (place - below);
      pixels.data[pixel + 3] = 255;
    }
  }
  context.putImageData(pixels, 0, 0);
  return small;
}

/** An image in twice the resolution of the page, so that the library does not blur the edges of cells. */
function enlarged(image, { width, height }) {
  const large = element("canvas", { width: Math.max(Math.round(2 * width), 1), height: Math.max(Math.round(2 * height), 1) });
  const context = large.getContext("2d");
  context.imageSmoothingEnabled = false;
  context.drawImage(image, 0, 0, large.width, large.height);
  return large;
}

/** The entry of the legend that explains the colours. */
function scaleEntry(least, most, unit, logarithmic) {
  const name = most > 0 ? `${measured(logarithmic ? least : 0, unit, 3)} to ${measured(most, unit, 3)}${logarithmic ? ", logarithmic" : ""}` : "all values are zero";
  return { name, look: { colours: scaleColours() }, shape: "scale" };
}
