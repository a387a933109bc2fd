"use strict";

const plots = new Map();

const paint = () => {
  const style = getComputedStyle(document.documentElement);
  const [text, line] = ["--quiet", "--rule"].map((name) => style.getPropertyValue(name).trim());
  for (const plot of plots.values()) {
    for (const axis of [...plot.below, ...plot.left]) {
      axis.setv({
        axis_label_text_color: text,
        major_label_text_color: text,
        axis_line_color: line,
        major_tick_line_color: line,
      });
    }
    for (const grid of plot.center) grid.setv({ grid_line_color: line });
  }
};

const draw = async () => {
  for (const item of document.querySelectorAll("script[data-chart]")) {
    const id = item.dataset.chart;
    const views = await Bokeh.embed.embed_item(JSON.parse(item.textContent), id);
    plots.set(id, views.roots[0].model);
  }
  paint();
  document.documentElement.dataset.charts = plots.size;
};

const toggle = (button) => {
  const visible = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", visible);
  for (const renderer of plots.get(button.dataset.chart)?.renderers ?? []) {
    if (renderer.tags.includes(Number(button.dataset.series))) renderer.visible = visible;
  }
};

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);
document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-series]");
  if (button) toggle(button);
});
draw();
