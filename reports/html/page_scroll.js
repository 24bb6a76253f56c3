/* SPDX-License-Identifier: MIT */
// Tables that are wider than their place: that columns are cut off at the right is seen, and said.
(() => {
  const { make } = touchstone;

  function watch(scroll) {
    const hint = make("p", { class: "quiet cut-hint" }, "More columns to the right: scroll sideways.");
    scroll.before(hint);
    const look = () => {
      const isCut = scroll.scrollWidth - scroll.clientWidth - scroll.scrollLeft > 4;
      scroll.classList.toggle("cut", isCut);
      // A table that fits needs no line for it; one that does not keeps the line while it is scrolled.
      hint.hidden = scroll.scrollWidth <= scroll.clientWidth;
      hint.style.visibility = isCut ? "" : "hidden";
    };
    scroll.addEventListener("scroll", look, { passive: true });
    const sizes = new ResizeObserver(look);
    sizes.observe(scroll);
    sizes.observe(scroll.firstElementChild);
  }

  for (const scroll of document.querySelectorAll("main .scroll")) watch(scroll);
})();
