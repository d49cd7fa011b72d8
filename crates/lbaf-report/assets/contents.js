// SPDX-License-Identifier: MIT OR Apache-2.0
// Table of contents: links to the visible sections.

function showContents() {
  const headings = [...document.querySelectorAll("main > section:not([hidden]) > h2")];
  const names = headings.map((heading) => heading.textContent).join("\n");
  // Rebuilding an unchanged list would take the focus from its links.
  if (byId("contents").dataset.names === names) return;
  byId("contents").dataset.names = names;
  fill("contents", element("h2", { class: "unseen", id: "contents-heading" }, "Contents"), element("ul", {}, ...headings.map((heading) => element("li", {}, link(heading)))));
}

function link(heading) {
  const go = (event) => {
    // A link would replace the selection in the address of the page.
    event.preventDefault();
    heading.tabIndex = -1;
    heading.scrollIntoView();
    heading.focus({ preventScroll: true });
  };
  return element("a", { href: `#${heading.id}`, click: go }, heading.dataset.short ?? heading.textContent);
}
