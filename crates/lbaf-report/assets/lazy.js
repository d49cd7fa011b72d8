// SPDX-License-Identifier: MIT OR Apache-2.0
// Drawing on demand: parts of the page are drawn when they are near the window, so a choice redraws only what the reader sees.

const lazy = (() => {
  /** Distance from the window in CSS pixels up to which parts are drawn. */
  const MARGIN = 300;
  const pending = new Map();
  const near = new Map();
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      near.set(target, isIntersecting);
      if (isIntersecting) now(target);
    }
  }, { rootMargin: `${MARGIN}px` });

  function isNear(target) {
    if (near.has(target)) return near.get(target);
    const { top, bottom, height } = target.getBoundingClientRect();
    near.set(target, target.getClientRects().length > 0 && (height > 0 || target.childElementCount === 0) && bottom >= -MARGIN && top <= window.innerHeight + MARGIN);
    observer.observe(target);
    return near.get(target);
  }

  /** Draws a part as soon as it is near the window; a later drawing of the same part replaces this one. */
  function draw(target, work) {
    pending.set(target, work);
    if (isNear(target)) now(target);
  }

  /** Draws a part now if it waits for that. */
  function now(target) {
    const work = pending.get(target);
    pending.delete(target);
    work?.();
  }

  /** Draws all parts that wait, for example before printing. */
  function all() {
    for (const target of [...pending.keys()]) now(target);
  }

  return { draw, now, all };
})();
