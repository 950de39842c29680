"use strict";
// Gives the charts of the page a cursor when they are looked at, filters, sorts and saves tables, copies commands. What is shown
// comes from the page's own data and goes into text nodes only.
(() => {
  const HEIGHT = 220;
  const AT_ONCE = 12; // charts that are drawn before anybody scrolls
  const WORD_ROWS = 4; // of marks
  const MOST_DRAWN = 60; // beyond which those that are out of sight become drawings again

  const CHINESE = { "judged ": "判定区间 ", "at least": "下限", "at most": "上限", "copied": "已复制", "save the table as CSV": "将表格存为 CSV" };
  const say = (words) => (document.documentElement.lang.startsWith("zh") && CHINESE[words]) || words;

  const drawn = new Map(); // figure -> its plot

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();

  const shown = (value) => (value == null ? "" : String(Number(value.toPrecision(6))));

  const given = (value) => value != null;

  // --- numbers as src/reports/render/html/chart_json.cpp packs them ---

  const bytesOf = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

  function rising(bytes) {
    const values = [];
    let value = 0;
    let rise = 0;
    let scale = 1;
    for (const byte of bytes) {
      rise += (byte & 127) * scale;
      scale *= 128;
      if (byte & 128) continue;
      values.push(value += rise);
      rise = 0;
      scale = 1;
    }
    return values;
  }

  function unpacked(data) {
    if (Array.isArray(data)) return data;
    if (data.rises != null) return rising(bytesOf(data.rises));
    const values = Array(data.size).fill(null);
    if (data.floats == null) return values.fill(data.all, data.from, data.from + data.count);
    const view = new DataView(bytesOf(data.floats).buffer);
    for (let k = 0; k * 4 < view.byteLength; ++k) {
      const value = view.getFloat32(k * 4, true);
      if (!Number.isNaN(value)) values[data.from + k] = value;
    }
    return values;
  }

  function dataOf(figure) {
    const data = JSON.parse(figure.querySelector("script").textContent);
    for (const key of ["x", "low", "high"]) data[key] = unpacked(data[key]);
    for (const curve of data.curves) curve.values = unpacked(curve.values);
    data.labels = labelsOf(figure);
    return data;
  }

  // A tick and a name for each place, of the labels that stand before the chart.
  function labelsOf(figure) {
    let node = figure;
    while (node && !node.matches("script.labels")) node = node.previousElementSibling;
    return node ? JSON.parse(node.textContent) : [];
  }

  // --- what is drawn ---

  // Ranks differ in hue; their baselines are the same hue, dashed. Sides that lie over one another have a colour each.
  function strokes(curves) {
    const runs = curves.filter((curve) => curve.run).length;
    const hue = (k) => (runs < 2 ? null : `hsl(${(210 + k * 360 / runs) % 360} 65% 52%)`);
    let run = 0;
    let base = 0;
    return curves.map((curve) => (curve.side ? colour("side" + curve.side)
      : curve.run ? hue(run++) || colour("run") : hue(base++) || colour("baseline")));
  }

  // What the legend says while nobody points at the chart.
  function idle(data, role) {
    const levels = data.levels.filter((level) => level.role === role);
    return levels.map((level) => level.name + " " + Number(level.value.toPrecision(5))).join(", ");
  }

  function idleWindow(data) {
    if (!data.judged) return "";
    const [first, last] = data.judged;
    return say("judged ") + label(data, first) + (last > first ? "-" + label(data, last) : "");
  }

  function seriesOf(data) {
    const colours = strokes(data.curves);
    const few = data.x.length <= 60;
    const series = [{ label: data.axis, value: (_, x) => (x == null ? idleWindow(data) : label(data, x)) }];
    const runs = data.curves.filter((curve) => curve.run).length;
    data.curves.forEach((curve, k) => series.push({
      label: curve.name, stroke: colours[k], width: curve.run ? 1.8 : 1.2, dash: curve.run ? undefined : [5, 4],
      points: { show: few, size: 4, fill: colour("back") },
      value: (_, value) => (value == null ? (runs > 1 ? "" : idle(data, curve.run ? "run" : "baseline")) : shown(value)),
    }));
    for (const side of ["low", "high"]) {
      if (!bounded(data[side])) continue;
      series.push({ label: say(side === "low" ? "at least" : "at most"), stroke: colour("limit"), width: 1, dash: [2, 3],
        points: { show: few && data[side].filter(given).length === 1, size: 4 }, value: (_, value) => shown(value) });
    }
    return series;
  }

  const bounded = (side) => side.some(given);

  function label(data, x) {
    const at = data.labels.length ? data.x.indexOf(x) : -1;
    return at >= 0 ? data.labels[at][1] : shown(x);
  }

  // Below the axis, each name once.
  function tickNames(data, ticks) {
    let before = "";
    return ticks.map((tick) => {
      const at = data.x.filter((x) => x <= tick).length - 1;
      const name = at >= 0 ? data.labels[at][0] : "";
      if (!name || name === before) return "";
      return (before = name);
    });
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

  function pixelsOf(plot, stretch) {
    const { bbox } = plot;
    return stretch.map((x) => Math.min(Math.max(plot.valToPos(x, "x", true), bbox.left), bbox.left + bbox.width));
  }

  function shade(plot, stretch, name) {
    const [from, to] = pixelsOf(plot, stretch);
    plot.ctx.save();
    plot.ctx.fillStyle = colour(name);
    plot.ctx.fillRect(from, plot.bbox.top, Math.max(to - from, 1), plot.bbox.height);
    plot.ctx.restore();
  }

  function shadeStretches(plot, data) {
    const { min, max } = plot.scales.x;
    if (data.judged) shade(plot, data.judged, "window");
    for (const mark of data.marks)
      if (given(mark.until) && mark.x <= max && mark.until >= min) shade(plot, [mark.x, mark.until], "stretch");
  }

  function drawLevels(plot, data) {
    const { ctx, bbox } = plot;
    if (!data.judged) return;
    const [from, to] = pixelsOf(plot, data.judged);
    ctx.save();
    for (const level of data.levels) {
      const y = plot.valToPos(level.value, "y", true);
      if (y < bbox.top || y > bbox.top + bbox.height) continue;
      ctx.strokeStyle = colour(level.role);
      ctx.lineWidth = devicePixelRatio * (level.role === "limit" ? 1.5 : 2.5);
      ctx.setLineDash(level.role === "run" ? [] : [5 * devicePixelRatio, 3 * devicePixelRatio]);
      ctx.beginPath();
      ctx.moveTo(from, y);
      ctx.lineTo(to, y);
      ctx.stroke();
    }
    ctx.restore();
  }

  // A triangle at the edge where a curve leaves the picture.
  function drawClips(plot, data) {
    const { ctx, bbox } = plot;
    const { min, max } = plot.scales.y;
    ctx.save();
    data.curves.forEach((curve, k) => {
      ctx.fillStyle = plot.series[k + 1].stroke(plot, k + 1);
      let before = false;
      curve.values.forEach((value, i) => {
        const out = value != null && (value < min || value > max);
        const x = plot.valToPos(data.x[i], "x", true);
        if (out && !before && x >= bbox.left && x <= bbox.left + bbox.width) {
          const up = value > max;
          const tip = up ? bbox.top : bbox.top + bbox.height;
          const foot = tip + (up ? 7 : -7) * devicePixelRatio;
          ctx.beginPath();
          ctx.moveTo(x, tip);
          ctx.lineTo(x - 4 * devicePixelRatio, foot);
          ctx.lineTo(x + 4 * devicePixelRatio, foot);
          ctx.fill();
        }
        before = out;
      });
    });
    ctx.restore();
  }

  // Text that can be read where lines pass behind it.
  function write(ctx, text, x, y) {
    ctx.save();
    ctx.setLineDash([]);
    ctx.strokeStyle = colour("back");
    ctx.lineWidth = 4 * devicePixelRatio;
    ctx.strokeText(text, x, y);
    ctx.fillText(text, x, y);
    ctx.restore();
  }

  // Words stand in the first row in which they lie over no other ones; where each is taken, nowhere.
  function rowFor(rows, from, to) {
    const row = rows.findIndex((taken) => taken.every(([first, last]) => to < first || from > last));
    if (row >= 0) rows[row].push([from, to]);
    return row;
  }

  function drawMarks(plot, marks) {
    const { ctx, bbox } = plot;
    const rows = Array.from({ length: WORD_ROWS }, () => []);
    ctx.save();
    ctx.font = `${12 * devicePixelRatio}px sans-serif`;
    ctx.lineWidth = devicePixelRatio;
    for (const mark of marks) {
      const x = Math.round(plot.valToPos(mark.x, "x", true)) + (devicePixelRatio % 2) / 2; // so that it is sharp
      if (x < bbox.left || x > bbox.left + bbox.width) continue;
      ctx.strokeStyle = ctx.fillStyle = colour(mark.kind === "miss" ? "bad" : "warn");
      ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      if (!given(mark.until)) ctx.stroke();
      const right = x > bbox.left + bbox.width / 2;
      const width = ctx.measureText(mark.text).width + 8 * devicePixelRatio;
      const row = rowFor(rows, right ? x - width : x, right ? x : x + width);
      ctx.textAlign = right ? "right" : "left";
      if (row >= 0) write(ctx, mark.text, x + (right ? -4 : 4) * devicePixelRatio, bbox.top + 14 * (row + 1) * devicePixelRatio);
    }
    ctx.restore();
  }

  // --- what of the axes is shown: the judged part at first, then whatever is dragged over, or all ---

  const wholeX = (data) => [data.x[0], data.x[data.x.length - 1]];
  const firstX = (data) => data.shownX || wholeX(data);
  const isFirst = (figure, min, max) => !figure.all && min === firstX(figure.data)[0] && max === firstX(figure.data)[1];

  // As sketched_y() of src/reports/render/html/sketch.cpp does.
  function withRoom(low, high) {
    const least = Math.max(Math.abs(high) * 1e-6, 1e-12);
    const room = high - low > least ? (high - low) * 0.06 : Math.max(Math.abs(high) * 0.02, least);
    return [low - room, high + room];
  }

  // uPlot asks for the range of x before that of y, which hangs on it.
  const rangeOfX = (figure, min, max) => (figure.rangeX = [min, max]);

  function rangeOfY(figure, low, high) {
    if (figure.data.shownY && isFirst(figure, ...figure.rangeX)) return figure.data.shownY;
    const levels = figure.data.levels.map((level) => level.value);
    const values = [low, high, ...levels].filter(given);
    if (!values.length) return [0, 1];
    const [from, to] = withRoom(Math.min(...values), Math.max(...values));
    return [from, figure.data.marks.length ? to + (to - from) * 0.12 : to]; // their words stand at the top
  }

  function showMoreOrLess(figure) {
    const { min, max } = figure.plot.scales.x;
    const cut = figure.data.shownX || figure.data.shownY;
    figure.all = Boolean(cut) && isFirst(figure, min, max);
    const [from, to] = figure.all ? wholeX(figure.data) : firstX(figure.data);
    figure.plot.setScale("x", { min: from, max: to });
  }

  // Steps, reports and runs are whole.
  const whole = [1, 2, 5].flatMap((n) => Array.from({ length: 10 }, (_, k) => n * 10 ** k)).sort((a, b) => a - b);

  function axis(size, unit) {
    return { values: (_, ticks) => ticks.map(shown), stroke: colour("dim"), grid: { stroke: colour("grid"), width: 1 }, ticks: { stroke: colour("grid") },
      size, label: unit || undefined, labelSize: unit ? 18 : 0, labelFont: "12px sans-serif", font: "11px sans-serif" };
  }

  function draw(figure, zoom) {
    const data = figure.data = dataOf(figure);
    const place = figure.querySelector(".plot");
    place.textContent = "";
    figure.dataset.drawn = "yes";
    const x = axis(34, data.axis);
    if (data.axis !== "s") x.incrs = whole;
    if (data.labels.length) {
      x.space = 84;
      x.values = (_, ticks) => tickNames(data, ticks);
    }
    const group = data.group && figure.closest("details") ? figure.closest("details").id + data.group : "";
    const [from, to] = figure.rangeX = zoom || firstX(data);
    figure.plot = new uPlot({
      width: Math.max(240, place.clientWidth), height: HEIGHT,
      scales: { x: { time: false, min: from, max: to, range: (_, min, max) => rangeOfX(figure, min, max) },
        y: { range: (_, low, high) => rangeOfY(figure, low, high) } },
      series: seriesOf(data), bands: bandsOf(data), axes: [x, axis(64, data.unit)],
      cursor: { sync: group ? { key: group } : undefined, drag: { x: true, y: false }, bind: { dblclick: () => () => showMoreOrLess(figure) } },
      hooks: { drawClear: [(plot) => shadeStretches(plot, data)],
        draw: [(plot) => { drawLevels(plot, data); drawClips(plot, data); drawMarks(plot, data.marks); }] },
    }, valuesOf(data), place);
    drawn.set(figure, figure.plot);
  }

  function redraw() {
    for (const [figure, plot] of drawn) {
      const { min, max } = plot.scales.x;
      plot.destroy();
      draw(figure, [min, max]);
    }
  }

  // --- when: a few at once, the others as they come near and the browser has time; one at a time ---

  const whenIdle = window.requestIdleCallback ? (work) => requestIdleCallback(work, { timeout: 300 }) : requestAnimationFrame.bind(window);
  const waiting = new Set();

  function drawNext() {
    const [figure] = waiting;
    if (!figure) return;
    waiting.delete(figure);
    draw(figure, figure.rangeX);
    if (waiting.size) whenIdle(drawNext);
  }

  function forget(figure) {
    drawn.get(figure).destroy();
    drawn.delete(figure);
    delete figure.dataset.drawn;
  }

  const seen = new IntersectionObserver((entries) => {
    const begins = waiting.size === 0;
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting && !drawn.has(target)) waiting.add(target);
      if (!isIntersecting) waiting.delete(target);
      if (!isIntersecting && drawn.has(target) && drawn.size > MOST_DRAWN) forget(target);
    }
    if (begins && waiting.size) whenIdle(drawNext);
  }, { rootMargin: "200px" });

  const sized = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const plot = drawn.get(target);
      const width = target.querySelector(".plot").clientWidth;
      if (plot && width > 0 && width !== plot.width) plot.setSize({ width, height: HEIGHT });
    }
  });

  function watch() {
    let left = AT_ONCE;
    for (const figure of document.querySelectorAll("figure.chart")) {
      if (left > 0 && !figure.closest("details:not([open])")) {
        draw(figure);
        --left;
      }
      seen.observe(figure);
      sized.observe(figure);
    }
  }

  // --- tables, commands, links ---

  function filter(input) {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of input.parentElement.querySelectorAll("tbody tr")) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    }
    if (words.length)
      for (const fold of input.parentElement.querySelectorAll("details"))
        fold.open = fold.querySelector("tbody tr:not([hidden])") !== null;
  }

  // A drawing's title is none of the cell's words.
  const wordsOf = (cell) => [...cell.childNodes].filter((node) => node.nodeName !== "svg").map((node) => node.textContent).join("");

  // By their numbers where both begin with one, else as words; empty cells last.
  function compareCells(a, b) {
    const [words, others] = [wordsOf(a), wordsOf(b)];
    if (!words || !others) return Boolean(!words) - Boolean(!others);
    const [number, other] = [Number.parseFloat(a.dataset.order ?? words), Number.parseFloat(b.dataset.order ?? others)];
    return number - other || words.localeCompare(others, undefined, { numeric: true });
  }

  function sort(button) {
    const name = button.parentElement;
    const up = name.getAttribute("aria-sort") !== "ascending";
    for (const other of name.parentElement.cells) other.removeAttribute("aria-sort");
    name.setAttribute("aria-sort", up ? "ascending" : "descending");
    const body = name.closest("table").tBodies[0];
    const rows = [...body.rows].sort((a, b) => {
      const [one, two] = [a.cells[name.cellIndex], b.cells[name.cellIndex]];
      return up || !wordsOf(one) || !wordsOf(two) ? compareCells(one, two) : compareCells(two, one);
    });
    body.append(...rows);
  }

  // What a spreadsheet would take for a formula gets an apostrophe.
  function csvOf(table) {
    const cell = (words) => `"${(/^[=+@\t\r-](?![\d.])/.test(words) ? "'" : "") + words.replaceAll('"', '""')}"`;
    const rows = [...table.rows].filter((row) => !row.hidden);
    return rows.map((row) => [...row.cells].map((one) => cell(wordsOf(one))).join(",") + "\r\n").join("");
  }

  function save(table) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(["\ufeff", csvOf(table)], { type: "text/csv" }));
    link.download = "table.csv";
    link.click();
    URL.revokeObjectURL(link.href);
  }

  function newButton(words, act) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = words;
    button.addEventListener("click", () => act(button));
    return button;
  }

  function equip(table) {
    if (table.tBodies[0].rows.length < 2) return;
    table.classList.add("sorts");
    for (const name of table.tHead.rows[0].cells) if (name.textContent) name.replaceChildren(newButton(name.textContent, sort));
    const button = newButton("CSV", () => save(table));
    button.title = say("save the table as CSV");
    table.after(button);
  }

  // Without the clipboard's permission the text is selected, to be copied by hand.
  async function copy(button) {
    const code = button.previousElementSibling;
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = say("copied");
    } catch {
      getSelection().selectAllChildren(code);
    }
  }

  function openTarget() {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    for (let node = target; node; node = node.parentElement) if (node instanceof HTMLDetailsElement) node.open = true;
    target.scrollIntoView();
  }

  watch();
  for (const table of document.querySelectorAll(".wide table")) equip(table);
  for (const input of document.querySelectorAll("input.filter")) input.addEventListener("input", () => filter(input));
  for (const button of document.querySelectorAll(".command button")) button.addEventListener("click", () => copy(button));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  addEventListener("hashchange", openTarget);
  openTarget();
})();
