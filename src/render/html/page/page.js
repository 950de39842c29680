"use strict";
// Draws the charts of the page when they are looked at, filters tables and copies commands. What is shown comes from
// the page's own data and goes into text nodes only.
(() => {
  const drawn = new Map(); // figure -> its plot

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();

  const shown = (value) => (value == null ? "-" : String(Number(value.toPrecision(7))));

  // Ranks differ in hue; their baselines are the same hue, dashed.
  function strokes(curves) {
    const runs = curves.filter((curve) => curve.run).length;
    const hue = (k) => (runs < 2 ? null : `hsl(${(210 + k * 360 / runs) % 360} 65% 52%)`);
    let run = 0;
    let base = 0;
    return curves.map((curve) => (curve.run ? hue(run++) || colour("run") : hue(base++) || colour("baseline")));
  }

  function seriesOf(data) {
    const colours = strokes(data.curves);
    const few = data.x.length <= 60;
    const series = [{ label: data.axis, value: (_, x) => (x == null ? "-" : label(data, x)) }];
    data.curves.forEach((curve, k) => series.push({
      label: curve.name, stroke: colours[k], width: curve.run ? 1.8 : 1.2, dash: curve.run ? undefined : [5, 4],
      points: { show: few, size: 4, fill: colour("back") }, value: (_, value) => shown(value),
    }));
    for (const side of ["low", "high"]) {
      if (!bounded(data[side])) continue;
      series.push({ label: side === "low" ? "at least" : "at most", stroke: colour("good"), width: 0.8, dash: [2, 3],
        points: { show: few && data[side].filter((v) => v != null).length === 1, size: 4 }, value: (_, value) => shown(value) });
    }
    return series;
  }

  const bounded = (side) => side.some((value) => value != null);

  function label(data, x) {
    const at = data.labels.length ? data.x.indexOf(x) : -1;
    return at >= 0 ? data.labels[at] : shown(x);
  }

  function valuesOf(data) {
    const values = [data.x, ...data.curves.map((curve) => curve.values)];
    for (const side of ["low", "high"]) if (bounded(data[side])) values.push(data[side]);
    return values;
  }

  function bandsOf(data) {
    const first = 1 + data.curves.length;
    return bounded(data.low) && bounded(data.high) ? [{ series: [first + 1, first], fill: colour("band") }] : [];
  }

  function drawMarks(plot, marks) {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.font = `${12 * devicePixelRatio}px sans-serif`;
    marks.forEach((mark, k) => {
      const x = Math.round(plot.valToPos(mark.x, "x", true));
      if (x < bbox.left || x > bbox.left + bbox.width) return;
      ctx.strokeStyle = ctx.fillStyle = colour(mark.kind === "miss" ? "bad" : "warn");
      ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
      const right = x > bbox.left + bbox.width / 2;
      ctx.textAlign = right ? "right" : "left";
      ctx.fillText(mark.text, x + (right ? -4 : 4) * devicePixelRatio, bbox.top + (14 + 14 * k) * devicePixelRatio);
    });
    ctx.restore();
  }

  // Steps, reports and runs are whole.
  const whole = [1, 2, 5].flatMap((n) => Array.from({ length: 10 }, (_, k) => n * 10 ** k)).sort((a, b) => a - b);

  function axis(size, unit) {
    return { values: (_, ticks) => ticks.map(shown), stroke: colour("dim"), grid: { stroke: colour("grid"), width: 1 }, ticks: { stroke: colour("grid") },
      size, label: unit || undefined, labelSize: unit ? 18 : 0, labelFont: "12px sans-serif", font: "11px sans-serif" };
  }

  function draw(figure, zoom) {
    const data = JSON.parse(figure.querySelector("script").textContent);
    const place = figure.querySelector(".plot");
    place.textContent = "";
    const x = axis(34, data.axis);
    if (data.axis !== "s") x.incrs = whole;
    if (data.labels.length) x.values = (_, ticks) => ticks.map((tick) => (Number.isInteger(tick) ? label(data, tick) : ""));
    const group = data.group && figure.closest("details") ? figure.closest("details").id + data.group : "";
    figure.plot = new uPlot({
      width: Math.max(240, place.clientWidth), height: 220, scales: { x: { time: false } },
      series: seriesOf(data), bands: bandsOf(data), axes: [x, axis(64, data.unit)],
      cursor: { sync: group ? { key: group } : undefined, drag: { x: true, y: false } },
      hooks: { draw: [(plot) => drawMarks(plot, data.marks)] },
    }, valuesOf(data), place);
    if (zoom) figure.plot.setScale("x", zoom);
    drawn.set(figure, figure.plot);
    figure.dataset.drawn = "yes";
  }

  function redraw() {
    for (const [figure, plot] of drawn) {
      const { min, max } = plot.scales.x;
      plot.destroy();
      draw(figure, { min, max });
    }
  }

  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      seen.unobserve(entry.target);
      draw(entry.target);
    }
  }, { rootMargin: "200px" });

  const sized = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const plot = drawn.get(target);
      const width = target.querySelector(".plot").clientWidth;
      if (plot && width > 0 && width !== plot.width) plot.setSize({ width, height: 220 });
    }
  });

  function filter(input) {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of input.nextElementSibling.querySelectorAll("tbody tr")) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    }
  }

  // Without the clipboard's permission the text is selected, to be copied by hand.
  async function copy(button) {
    const code = button.previousElementSibling;
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "copied";
    } catch {
      getSelection().selectAllChildren(code);
    }
  }

  function openTarget() {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target instanceof HTMLDetailsElement) target.open = true;
  }

  for (const figure of document.querySelectorAll("figure.chart")) {
    seen.observe(figure);
    sized.observe(figure);
  }
  for (const input of document.querySelectorAll("input.filter")) input.addEventListener("input", () => filter(input));
  for (const button of document.querySelectorAll(".command button")) button.addEventListener("click", () => copy(button));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  addEventListener("hashchange", openTarget);
  openTarget();
})();
