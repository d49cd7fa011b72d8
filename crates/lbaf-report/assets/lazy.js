// SPDX-License-Identifier: MIT OR Apache-2.0
// Drawing on demand: parts are drawn near the window, so a choice redraws only the visible parts.

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

  /** Draws a part as soon as it is near the window. A later request for the same part replaces an earlier one. */
  function draw(target, work) {
    pending.set(target, work);
    if (isNear(target)) now(target);
  }

  /** Draws a waiting part now. */
  function now(target) {
    const work = pending.get(target);
    pending.delete(target);
    work?.();
  }

  /** Draws all waiting parts, for example before printing. */
  function all() {
    for (const target of [...pending.keys()]) now(target);
  }

  return { draw, now, all };
})();
