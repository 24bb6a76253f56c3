/* SPDX-License-Identifier: MIT */
// The plots of the folder: each is decoded when it comes near the view. With scripts, the content of
// a noscript element is text.
(() => {
  const { make } = touchstone;
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries)
      if (isIntersecting) {
        observer.unobserve(target);
        showPlot(target);
      }
  }, { rootMargin: "600px" });

  function showPlot(figure) {
    const [source] = figure.querySelector("noscript").textContent
      .match(/data:image\/svg\+xml;base64,[A-Za-z0-9+/=]*/);
    figure.querySelector("img").src = source;
  }

  const figures = [...document.querySelectorAll("#plots figure")];
  for (const figure of figures) {
    figure.prepend(make("img", { alt: figure.querySelector("figcaption").textContent }));
    observer.observe(figure);
  }
  addEventListener("beforeprint", () => figures.forEach(showPlot));
})();
