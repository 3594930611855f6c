// SPDX-License-Identifier: BSD-3-Clause
// Reports in a browser: headless Chromium looks at pages that tests/app/test_report.py made.
//
//   node report.mjs LIST      LIST has a line for each test: a JSON array of its name and arguments.
//                             CHROMIUM and SCREE_BUILD are set
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

import { between } from "../../web/src/between.js";
import { chooseDetail, sortIntoCells } from "../../web/src/cells.js";
import { smoothed } from "../../web/src/smooth.js";

const { chromium } = createRequire(path.join(process.env.SCREE_BUILD, "web", "package.json"))("playwright-core");
const flags = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"];

// Opens a page and looks at it with `look`; whatever goes to the network or to the console as an error fails the test.
async function visit(browser, file, options, look) {
  const context = await browser.newContext({ viewport: { width: 1100, height: 800 }, acceptDownloads: true, ...options });
  const page = await context.newPage();
  const wrong = [];
  page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
  page.on("pageerror", (error) => wrong.push(String(error)));
  page.on("dialog", (dialog) => (wrong.push(`a dialog: ${dialog.message()}`), dialog.dismiss()));
  page.on("request", (request) => /^(file|blob|data):/.test(request.url()) || wrong.push(`asked for ${request.url()}`));
  await page.goto(`file://${path.resolve(file)}`);
  await page.waitForFunction(() => window.scree && (!window.scree.player.canvas || window.scree.player.drawn > 0));
  await look(page);
  assert.deepEqual(wrong, [], "errors of the page");
  await context.close();
}

// probes.csv as columns of numbers, read here and not by the page.
function readCsv(file) {
  const [head, ...rows] = readFileSync(file, "utf8").trim().split("\n").map((line) => line.split(","));
  return Object.fromEntries(head.map((name, c) => [name, rows.map((row) => Number(row[c]))]));
}

const shot = (page) => page.locator(".screen canvas").screenshot();

// How many pixels of two pictures differ; the browser itself unpacks them.
async function differingPixels(page, a, b) {
  return page.evaluate(async (pictures) => {
    const [p, q] = await Promise.all(pictures.map(async (picture) => {
      const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, image.width, image.height).data;
    }));
    let count = 0;
    for (let i = 0; i < p.length; i += 4) if (Math.abs(p[i] - q[i]) + Math.abs(p[i + 1] - q[i + 1]) + Math.abs(p[i + 2] - q[i + 2]) > 60) ++count;
    return count;
  }, [a, b].map((picture) => picture.toString("base64")));
}

// When the picture stands still it is drawn once more, finely.
const settle = (page) => page.waitForFunction(() => !window.scree.player.playing && window.scree.player.resolution.ratio >= 2);

// Does something that changes the picture, and waits until it is drawn: at once, and finely when nothing follows.
async function redrawn(page, action) {
  const before = await page.evaluate(() => window.scree.player.drawn);
  await action();
  await page.waitForFunction((drawn) => window.scree.player.drawn >= drawn + 2, before);
  await settle(page);
}

const jump = (page, frame) => redrawn(page, () => page.evaluate((index) => window.scree.player.jump(index), frame));

const tests = {
  // A cosine filtered by a Gaussian is the same cosine, lower by exp(-(w sigma)^2 / 2).
  async filter() {
    for (const [spacing, sigma] of [[0.01, 0.03], [0.001, 0.05]]) {
      const time = Array.from({ length: Math.round(4 / spacing) }, (_, i) => i * spacing);
      const w = 12;
      const smooth = smoothed(time, time.map((t) => Math.cos(w * t)), sigma);
      time.forEach((t, i) => {
        if (t < 5 * sigma || t > 4 - 5 * sigma) return;
        assert.ok(Math.abs(smooth[i] - Math.exp(-0.5 * (w * sigma) ** 2) * Math.cos(w * t)) < 2e-3, `at ${t}: ${smooth[i]}`);
      });
    }
    assert.deepEqual(smoothed([0, 1, 2, 3], [2, 2, null, 2], 1.5), [2, 2, null, 2], "constants stay, gaps too");
  },

  // Across a seam a grain goes the short way, and is in the cell all the time.
  async seam() {
    assert.equal(between(1, 3, 0.25), 1.5);
    const [low, length] = [-1, 2];
    for (const [a, b, share, expected] of [[0.9, -0.9, 0.25, 0.95], [0.9, -0.9, 0.75, -0.95], [-0.8, 0.8, 0.75, 0.9], [0.2, 0.6, 0.5, 0.4], [1, -0.5, 0, 1]])
      assert.ok(Math.abs(between(a, b, share, low, length) - expected) < 1e-12, `${a} to ${b}: ${between(a, b, share, low, length)}`);
  },

  // A cube of spheres that touch: each is in one cell and in its box; hidden are some, all of them deep inside, and none
  // of those that look out of a hole which opens in the course of the run.
  async cells() {
    const side = 40;
    const place = (i) => [Math.floor(i / side ** 2), Math.floor(i / side) % side, i % side];
    const position = Float32Array.from({ length: 3 * side ** 3 }, (_, i) => 0.02 * place(Math.floor(i / 3))[i % 3]);
    const radius = new Float32Array(side ** 3).fill(0.01);
    const hole = (i, grown = 0) => place(i).every((n) => Math.abs(n - 20) <= 4 + grown);
    const { order, cells } = sortIntoCells(position, radius, (i) => !hole(i));
    assert.deepEqual([...order].sort((a, b) => a - b), Array.from({ length: side ** 3 }, (_, i) => i), "each sphere once");
    const found = { hidden: 0, spheres: 0 };
    for (const { start, seen, end, low, high } of cells) {
      found.spheres += end - start;
      for (let at = start; at < end; ++at) {
        for (let k = 0; k < 3; ++k) assert.ok(position[3 * order[at] + k] >= low[k] && position[3 * order[at] + k] <= high[k], "in its box");
        if (at < seen) continue;
        ++found.hidden;
        assert.ok(place(order[at]).every((n) => n >= 2 && n < side - 2) && !hole(order[at], 1), `sphere ${place(order[at])} can be seen`);
      }
    }
    assert.equal(found.spheres, side ** 3);
    assert.ok(found.hidden > 0.2 * side ** 3, `only ${found.hidden} are hidden`);
    // The first spheres of a cell are a fair sample: their mean is that of all, within four standard errors.
    for (const { start, seen } of cells.filter((cell) => cell.seen - cell.start > 400)) {
      const few = Math.ceil((seen - start) / 4);
      const mean = (end) => order.subarray(start, end).reduce((sum, i) => sum + position[3 * i], 0) / (end - start);
      const deviation = Math.sqrt(order.subarray(start, seen).reduce((sum, i) => sum + (position[3 * i] - mean(seen)) ** 2, 0) / (seen - start));
      assert.ok(Math.abs(mean(start + few) - mean(seen)) < (4 * deviation) / Math.sqrt(few), "a fair sample");
    }
  },

  // Spheres that are left out are made up for: what is drawn covers as much of the picture, and near ones are all there.
  async detail() {
    const seen = Array.from({ length: 300 }, (_, c) => ({ count: 1000, pixels: 10 / (1 + 0.1 * c) }));
    for (const most of [5e3, 2e4, 1e5, 1e6]) {
      const { least, take } = chooseDetail(seen, 0.7, most);
      const total = take.reduce((sum, number) => sum + number, 0);
      assert.ok(total <= most && (least === 0.7 || total > 0.8 * most), `${total} of ${most}`);
      seen.forEach(({ count, pixels }, c) => {
        const area = take[c] * Math.max(pixels, least) ** 2;
        assert.ok(area >= count * pixels ** 2 * (1 - 1e-12) && area <= count * pixels ** 2 + least ** 2, "as much of the picture");
        assert.ok(pixels < least || take[c] === count, "near ones are all there");
      });
    }
  },

  // Grains on a lattice that a ball runs into. In every frame each is there once, at rest or moving; those of the first
  // frame are on the lattice; a rest begins and ends where frames list the grain.
  async rests(browser, file, side, spacing) {
    await visit(browser, file, {}, async (page) => {
      await settle(page);
      const found = await page.evaluate(([n, step]) => {
        const { frames, rests } = window.scree.player.stage;
        const result = { wrong: 0, astray: 0, torn: 0, resting: [], ever: 0 };
        const places = [];
        for (let f = 0; f < frames.count; ++f) {
          const { present, position } = frames.frame(f);
          const at = new Map();
          const see = (id, from, i, resting) => (at.has(id) ? ++result.wrong : at.set(id, { resting, place: [...from.subarray(3 * i, 3 * i + 3)] }));
          for (let i = 0; i < frames.instances.count; ++i) if (present[i] && frames.instances.id[i] > 1) see(frames.instances.id[i], position, i, false);
          for (let i = 0; i < rests.count; ++i) if (rests.first[i] <= f && f <= rests.last[i]) see(rests.id[i], rests.position, i, true);
          if (at.size !== n ** 3) ++result.wrong;
          result.resting.push([...at.values()].filter(({ resting }) => resting).length);
          places.push(at);
        }
        const apart = (p, q) => Math.max(...p.map((x, k) => Math.abs(x - q[k])));
        for (const [id, { place }] of places[0]) {
          const i = id - 2;
          result.astray = Math.max(result.astray, apart(place, [i % n, Math.floor(i / n) % n, Math.floor(i / n ** 2)].map((x) => step * x)));
        }
        for (let f = 1; f < frames.count; ++f) {
          for (const [id, now] of places[f]) {
            const before = places[f - 1].get(id);
            if (now.resting !== before.resting) {
              ++result.ever;
              result.torn = Math.max(result.torn, apart(now.place, before.place));
            }
          }
        }
        return result;
      }, [side, spacing]);
      const grid = (0.51 * 2 * side * spacing) / 65535 + 1e-6; // of rests and of frames, whose boxes differ
      assert.equal(found.wrong, 0, "each grain once in each frame");
      assert.ok(found.astray < grid, `${found.astray} m off the lattice`);
      assert.ok(found.torn < 3 * grid, `${found.torn} m between a rest and the frame beside it`);
      assert.ok(found.resting[0] > 0.9 * side ** 3 && found.resting.at(-1) < found.resting[0] && found.ever > 10, String(found.resting));

      // With far fewer spheres the picture shows grains in nearly the same places, and a click meets one of them.
      const picture = (least) => page.evaluate((pixels) => {
        const { player } = window.scree;
        const { rests } = player.stage;
        clearTimeout(player.resolution.timer);
        player.resolution.set(1);
        rests.show(0, player.stage.colours);
        rests.prepare(player.camera, player.canvas.width, player.canvas.height);
        if (pixels > 0) {
          const cells = rests.cellsInView(player.camera, player.canvas.height);
          const take = cells.map((cell) => Math.ceil(cell.count * Math.min(1, (cell.pixels / pixels) ** 2)));
          rests.uniforms.least.value = pixels;
          rests.fillIndices(cells, take, pixels);
        }
        player.draw();
        return [rests.drawn, player.canvas.toDataURL().split(",")[1], player.stage.pick(0, 0) !== null];
      }, least);
      const [all, fine, met] = await picture(0);
      assert.ok(met, "a grain is in the middle of the picture");
      const [few, coarse] = await picture(12);
      assert.ok(few < 0.5 * all, `${few} of ${all} spheres`);
      const area = await page.evaluate(() => window.scree.player.canvas.width * window.scree.player.canvas.height);
      const differing = await differingPixels(page, Buffer.from(fine, "base64"), Buffer.from(coarse, "base64"));
      assert.ok(differing > 100 && differing < 0.25 * area, `${differing} of ${area} pixels differ`);
    });
  },

  async plots(browser, file, csv) {
    await visit(browser, file, {}, async (page) => {
      const expected = readCsv(csv);
      const plots = await page.evaluate(() => {
        for (const plot of window.scree.plots) {
          plot.seen = true;
          plot.draw();
        }
        return window.scree.plots.map(({ plot, chart }) => ({ title: plot.title, unit: plot.unit, curves: plot.curves.map(({ column }) => column), data: chart.data }));
      });
      let compared = 0;
      for (const { unit, curves, data } of plots) {
        assert.deepEqual(data[0], expected["time [s]"]);
        curves.forEach((column, i) => {
          assert.deepEqual(data[1 + 2 * i], expected[unit ? `${column} [${unit}]` : column]);
          ++compared;
        });
      }
      assert.equal(compared, Object.keys(expected).length - 1, "every column is in a plot");

      // The value under the pointer is that of the nearest row.
      const plot = page.locator(".plot").first();
      await plot.scrollIntoViewIfNeeded();
      await plot.locator(".u-over").hover({ position: { x: 80, y: 60 } });
      const [shown, at] = await page.evaluate(() => [document.querySelector(".plot output").textContent, window.scree.plots[0].chart.cursor.idx]);
      assert.ok(Math.abs(Number(shown.replace("\u2212", "-")) - plots[0].data[1][at]) <= 1e-3 * Math.abs(plots[0].data[1][at]), `${shown} under the pointer`);

      // A drag zooms every plot, the button goes back.
      const over = await plot.locator(".u-over").boundingBox();
      await page.mouse.move(over.x + 60, over.y + 50);
      await page.mouse.down();
      await page.mouse.move(over.x + 160, over.y + 60, { steps: 4 });
      await page.mouse.up();
      const range = () => page.evaluate(() => window.scree.plots.map(({ chart }) => chart.scales.x.max - chart.scales.x.min));
      const length = expected["time [s]"].at(-1);
      await page.waitForFunction((most) => window.scree.plots.every(({ chart }) => chart.scales.x.max - chart.scales.x.min < most), 0.6 * length);
      await page.getByRole("button", { name: "Show all" }).click();
      await page.waitForFunction((least) => window.scree.plots.every(({ chart }) => chart.scales.x.max - chart.scales.x.min > least), 0.99 * length);
      assert.equal(new Set(await range()).size, 1, "all plots show the same time");

      // The filter adds a curve and keeps the raw one; a logarithmic axis leaves out what is not positive.
      await page.getByLabel("Gaussian filter").fill("80");
      await page.waitForFunction(() => window.scree.plots[0].chart.series[2].show);
      const filtered = await page.evaluate(() => window.scree.plots[0].chart.data);
      assert.deepEqual(filtered[1], plots[0].data[1], "raw values stay");
      assert.ok(filtered[2].every((value) => typeof value === "number"));
      await page.getByLabel("log values").check();
      const logarithmic = await page.evaluate(() => window.scree.plots.map(({ chart }) => chart.data.slice(1).flat().filter((value) => value !== null && value <= 0).length));
      assert.ok(logarithmic.every((count) => count === 0), "nothing below zero on a logarithmic axis");

      // What is saved is probes.csv.
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "All as CSV" }).click()]);
      assert.deepEqual(readCsv(await download.path()), expected);
    });
  },

  // Nothing pulls at these grains, which begin on a lattice: each goes straight on, by v t, to within the grid that
  // positions are rounded to. A box turns by its spin times t. Ids count from 1, first those of the scene's list: 1 is a
  // ball, 2 the box.
  async motion(browser, file, side, spacing, velocity, spin) {
    await visit(browser, file, {}, async (page) => {
      await settle(page);
      const { worst, count, frames, angle } = await page.evaluate(([n, step, v, w]) => {
        const { frames: shown } = window.scree.player.stage;
        const { id } = shown.instances;
        const found = { worst: 0, count: 0, frames: shown.count, angle: 0 };
        const box = id.indexOf(2);
        for (let index = 0; index < shown.count; ++index) {
          const { time, present, position, rotation } = shown.frame(index);
          // Two rotations p and q, close together, are an angle of 2 |p - q| apart; -q is the same rotation as q.
          const q = [Math.cos((w * time) / 2), 0, 0, Math.sin((w * time) / 2)];
          const away = (sign) => Math.hypot(...q.map((value, k) => value - sign * rotation[4 * box + k]));
          found.angle = Math.max(found.angle, 2 * Math.min(away(1), away(-1)));
          for (let instance = 0; instance < shown.instances.count; ++instance) {
            if (!present[instance] || id[instance] < 3) continue;
            ++found.count;
            const i = id[instance] - 3;
            const began = [i % n, Math.floor(i / n) % n, Math.floor(i / n ** 2)];
            for (let k = 0; k < 3; ++k) found.worst = Math.max(found.worst, Math.abs(position[3 * instance + k] - step * began[k] - v[k] * time));
          }
        }
        return found;
      }, [side, spacing, velocity, spin]);
      assert.equal(count, frames * side ** 3, "every grain in every frame");
      assert.ok(angle < 1.7e-4, `${angle} rad`);
      assert.ok(worst < (0.51 * side * spacing) / 65535 + 1e-6, `${worst} m`);

      // What moves is seen to move, and what does not is not.
      const first = await shot(page);
      await jump(page, 5);
      const later = await shot(page);
      await jump(page, 0);
      assert.ok((await differingPixels(page, first, later)) > 2000, "grains move");
      assert.ok((await differingPixels(page, first, await shot(page))) < 50, "the same frame is the same picture");
      const drawn = await page.evaluate(() => window.scree.player.drawn);
      await page.getByRole("button", { name: "Play" }).click();
      await page.waitForFunction((before) => window.scree.player.drawn > before + 3 && window.scree.player.at > 0, drawn);
      await page.getByRole("button", { name: "Pause" }).click();

      // Cut away, coloured otherwise: other pictures.
      await jump(page, 0);
      await page.getByLabel("Cut", { exact: true }).selectOption("x");
      await settle(page);
      await page.waitForTimeout(100);
      assert.ok((await differingPixels(page, first, await shot(page))) > 2000, "a cut takes grains away");
    });
  },

  // Names from the scene are text wherever they are, and a following camera keeps its body in the middle.
  async names(browser, file, title, body) {
    await visit(browser, file, {}, async (page) => {
      assert.equal(await page.locator("h1").textContent(), title);
      assert.equal(await page.locator("h1 *").count(), 0);
      assert.equal(await page.evaluate(() => window.hit), undefined, "a script from the scene ran");
      assert.ok((await page.locator("select option").allTextContents()).includes(body), "the body can be followed");
      assert.equal(await page.locator("main img, main b, main script").count(), 0, "no markup from the scene");
      await page.getByLabel("Follow", { exact: true }).selectOption({ label: body });
      for (const frame of [0, 4]) {
        await jump(page, frame);
        const away = await page.evaluate((index) => {
          const { stage } = window.scree.player;
          const instance = stage.instanceOfBody(stage.follows);
          const { position } = stage.frames.frame(index);
          return Math.hypot(...[0, 1, 2].map((k) => position[3 * instance + k] - stage.controls.target.getComponent(k)));
        }, frame);
        assert.ok(away < 1e-6, `${away} m away`);
      }
    });
  },

  // The page says how many grains and frames are left, and that many are there.
  async thinning(browser, file, grains, frames) {
    await visit(browser, file, {}, async (page) => {
      const text = await page.locator(".thinning").textContent();
      const said = /^([\d,]+) of ([\d,]+) grains are shown.*; (\d+) of (\d+) frames.*budget of 1\.5.MB/.exec(text) ?? assert.fail(text);
      const [fewGrains, allGrains, fewFrames, allFrames] = said.slice(1).map((word) => Number(word.replaceAll(",", "")));
      assert.deepEqual([allGrains, allFrames], [Number(grains), Number(frames)]);
      assert.ok(fewGrains < allGrains && fewFrames < allFrames, text);
      const there = await page.evaluate(() => {
        const { frames: shown } = window.scree.player.stage;
        return [shown.frame(0).present.reduce((sum, bit) => sum + bit, 0), shown.count];
      });
      assert.deepEqual(there, [fewGrains + 1, fewFrames], "the grains and the body of the scene's list");
    });
  },

  async comparison(browser, file, ...names) {
    await visit(browser, file, { colorScheme: "dark" }, async (page) => {
      assert.equal(await page.locator("h1").textContent(), `${names.length} runs compared`);
      const curves = await page.evaluate(() => window.scree.plots.map(({ plot }) => plot.curves.map(({ name }) => name)));
      assert.ok(curves.length > 0 && curves.every((list) => list.join() === names.join()), "each plot has all runs");
      for (const name of names) assert.ok((await page.locator("thead th").allTextContents()).includes(name), `figures of ${name}`);
      await settle(page);
      const first = await shot(page);
      await page.getByLabel("Run", { exact: true }).selectOption({ label: names[1] });
      await page.waitForTimeout(300);
      await settle(page);
      assert.equal(await page.evaluate(() => window.scree.player.stage.run.name), names[1]);
      assert.ok((await differingPixels(page, first, await shot(page))) > 100, "another run is another picture");
    });
  },

  async keyboard(browser, file) {
    await visit(browser, file, {}, async (page) => {
      const player = (what) => page.evaluate(`window.scree.player.${what}`);
      // Tab alone reaches the picture and the button below it.
      const reached = [];
      for (let i = 0; i < 6; ++i) {
        await page.keyboard.press("Tab");
        reached.push(await page.evaluate(() => document.activeElement.textContent || document.activeElement.tagName));
      }
      assert.ok(reached.includes("CANVAS") && reached.includes("Play"), reached.join(", "));
      await page.locator(".screen canvas").focus();
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("ArrowRight");
      assert.equal(await player("at"), 2);
      await page.keyboard.press("End");
      assert.equal(await player("at"), (await player("stage.frames.count")) - 1);
      await page.keyboard.press("Home");
      assert.equal(await player("at"), 0);
      await page.keyboard.press("c");
      assert.equal(await player("stage.colours.by"), "speed");
      const eye = await player("camera.position.x");
      await page.keyboard.press("d");
      assert.notEqual(await player("camera.position.x"), eye);
      await page.keyboard.press("Space");
      assert.equal(await player("playing"), true);
      await page.keyboard.press("Space");
      assert.equal(await player("playing"), false);

      await page.locator(".plot").first().focus();
      await page.waitForFunction(() => window.scree.plots[0].chart);
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("ArrowRight");
      assert.equal(await page.evaluate(() => window.scree.plots[0].chart.cursor.idx), 1);
      const range = () => page.evaluate(() => window.scree.plots[0].chart.scales.x.max - window.scree.plots[0].chart.scales.x.min);
      const all = await range();
      await page.keyboard.press("+");
      await page.waitForTimeout(100);
      assert.ok((await range()) < 0.6 * all);
      await page.keyboard.press("0");
      await page.waitForTimeout(100);
      assert.equal(await range(), all);
    });
  },

  // On a phone nothing is wider than the screen, and both themes are what they say.
  async looks(browser, file) {
    const luminance = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).slice(0, 3).reduce((sum, c) => sum + Number(c), 0) / 765);
    await visit(browser, file, { viewport: { width: 360, height: 740 }, colorScheme: "dark", isMobile: true, hasTouch: true }, async (page) => {
      for (const by of ["material", "speed"]) {
        await page.getByLabel("Colour by").selectOption(by);
        assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 360, "no sideways scrolling");
      }
      assert.ok((await luminance(page)) < 0.2);
      await page.getByRole("button", { name: "light and dark" }).click();
      assert.ok((await luminance(page)) > 0.8);
    });
  },

  // What the run says of itself is on the page, word by word; a run with nothing to say is told to be fine.
  async warnings(browser, file, summary, quiet) {
    const { warnings, notes, force_error: error, unsolved_steps: unsolved } = JSON.parse(readFileSync(summary, "utf8"));
    assert.ok(warnings.length > 0 && unsolved > 0);
    await visit(browser, file, {}, async (page) => {
      assert.deepEqual(await page.locator(".warnings .bad").allTextContents(), warnings);
      assert.deepEqual(await page.locator(".warnings .note").allTextContents(), notes);
      const row = (name) => page.getByRole("row", { name }).locator("td").textContent();
      const shown = (await row("Force error, last and worst")).split(", ").map(Number);
      [error.last, error.max].forEach((value, i) => assert.ok(Math.abs(shown[i] - value) < 0.06 * value, `${shown} for ${value}`));
      assert.match(await row("Steps that did not reach it"), new RegExp(`^${unsolved} of \\d+$`));
    });
    await visit(browser, quiet, {}, async (page) => {
      assert.equal(await page.locator(".warnings").count(), 0);
      assert.match(await page.locator("main").textContent(), /nothing to warn of/);
    });
  },

  // All grains have the same speed, which is zero in every quarter of the run and largest between: the scale is that of the
  // whole film, so that no frame is saturated, and the reader may set another.
  async scale(browser, file, fastest) {
    await visit(browser, file, {}, async (page) => {
      const { high, most, above } = await page.evaluate(() => {
        const { colours, frames } = window.scree.player.stage;
        const found = { high: colours.ranges.speed.high, most: 0, above: 0 };
        for (let index = 0; index < frames.count; ++index) {
          const { present, speed } = frames.frame(index);
          const speeds = [...speed].map((code, instance) => (present[instance] && colours.isGrain(instance) ? colours.codes[code] : 0));
          found.most = Math.max(found.most, ...speeds);
          found.above = Math.max(found.above, speeds.filter((v) => v > 1.02 * found.high).length / speeds.length);
        }
        return found;
      });
      assert.ok(Math.abs(most - fastest) < 0.03 * fastest, `${most} m/s`);
      assert.ok(above <= 0.005 && high >= 0.98 * fastest && high < 2 * fastest, `a scale to ${high} m/s for ${most} m/s`);

      await page.getByLabel("Colour by").selectOption("speed");
      const legend = () => page.locator(".colour-legend").textContent();
      assert.match(await legend(), /99\.5/);
      await jump(page, 5);
      const before = await shot(page);
      await page.getByLabel("Upper end").fill(String(10 * fastest));
      await redrawn(page, () => page.getByLabel("Upper end").press("Enter"));
      assert.match(await legend(), new RegExp(`${Math.round(10 * fastest)}`));
      assert.doesNotMatch(await legend(), /99\.5/);
      assert.ok((await differingPixels(page, before, await shot(page))) > 500, "another range is another picture");
      // Ends in the wrong order are refused.
      await page.getByLabel("Upper end").fill("-1");
      await page.getByLabel("Upper end").press("Enter");
      assert.ok(await page.evaluate(() => window.scree.player.rangeEnds[1].matches(":invalid")));
      await redrawn(page, () => page.getByRole("button", { name: "auto" }).click());
      assert.match(await legend(), /99\.5/);
      assert.ok((await differingPixels(page, before, await shot(page))) < 50, "the range that was found is back");
    });
  },

  // keys: [frame, eye, target] of the scene's camera. It moves until the reader takes it, and again after a reset.
  async camera(browser, file, angle, ...keys) {
    await visit(browser, file, {}, async (page) => {
      const place = () => page.evaluate(() => [window.scree.player.camera.position.toArray(), window.scree.player.controls.target.toArray()]);
      const isAt = async ([frame, eye, target]) => {
        await jump(page, frame);
        (await place()).forEach((found, i) => found.forEach((x, k) => assert.ok(Math.abs(x - [eye, target][i][k]) < 1e-6, `${found} at frame ${frame}`)));
      };
      assert.equal(await page.evaluate(() => window.scree.player.camera.fov), angle);
      for (const key of keys) await isAt(key);
      await page.locator(".screen canvas").focus();
      await page.keyboard.press("d");
      const taken = await place();
      await jump(page, 0);
      assert.deepEqual(await place(), taken, "the reader's camera stays");
      await page.keyboard.press("r");
      for (const key of keys) await isAt(key);
    });
  },

  // The player and the plots show the same moment, whichever of them the reader moves.
  async cursor(browser, file) {
    await visit(browser, file, {}, async (page) => {
      const plot = page.locator(".plot").first();
      await plot.scrollIntoViewIfNeeded();
      await page.waitForFunction(() => window.scree.plots[0].chart);
      const line = () => page.evaluate(() => {
        const { chart, timeCursor } = window.scree.plots[0];
        return timeCursor.hidden ? null : chart.posToVal(parseFloat(timeCursor.style.left), "x");
      });
      const time = () => page.evaluate(() => window.scree.player.time());
      const { length, pixel } = await page.evaluate(() => {
        const { times } = window.scree.player.stage.frames;
        return { length: times.at(-1), pixel: times.at(-1) / window.scree.plots[0].chart.over.clientWidth };
      });
      await page.evaluate(() => window.scree.player.jump(3));
      assert.ok(Math.abs((await line()) - (await time())) < pixel, "the player moves the line");
      const shown = await page.evaluate(() => [document.querySelector(".plot").dataset.time, window.scree.plots[0].rowShown()]);
      assert.match(shown[0], /^t = /);
      const { width } = await plot.locator(".u-over").boundingBox();
      await plot.locator(".u-over").click({ position: { x: 0.7 * width, y: 50 } });
      assert.ok(Math.abs((await time()) - 0.7 * length) < 2 * pixel, `a click moves the player: ${await time()} s`);
      assert.ok(Math.abs((await line()) - (await time())) < pixel);
      // A drag zooms and is no click; a moment outside of what a plot shows has no line.
      const before = await time();
      const over = await plot.locator(".u-over").boundingBox();
      await page.mouse.move(over.x + 20, over.y + 50);
      await page.mouse.down();
      await page.mouse.move(over.x + 100, over.y + 50, { steps: 4 });
      await page.mouse.up();
      await page.waitForFunction(() => window.scree.plots[0].timeCursor.hidden);
      assert.equal(await time(), before);
    });
  },

  // What is on paper: every plot, in light colours, no wider than its frame, and the picture.
  async paper(browser, file) {
    await visit(browser, file, { colorScheme: "dark" }, async (page) => {
      assert.ok(await page.evaluate(() => window.scree.plots.some(({ chart }) => !chart)), "some plots are below the fold");
      await page.emulateMedia({ media: "print", colorScheme: "dark" });
      await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
      await page.waitForTimeout(100);
      const sheets = await page.evaluate(() => window.scree.plots.map(({ chart, root }) => {
        const { data } = chart.ctx.getImageData(0, 0, chart.ctx.canvas.width, chart.ctx.canvas.height);
        let [ink, light] = [0, 0];
        for (let i = 0; i < data.length; i += 4) {
          if (data[i + 3] < 128) continue;
          ++ink;
          if (data[i] + data[i + 1] + data[i + 2] > 600) ++light;
        }
        return { ink, light, wide: chart.ctx.canvas.getBoundingClientRect().width - root.getBoundingClientRect().width };
      }));
      for (const { ink, light, wide } of sheets) assert.ok(ink > 500 && light > 0.3 * ink && wide < 0, JSON.stringify({ ink, light, wide }));
      const [width, height] = await page.evaluate(() => [window.scree.player.still.naturalWidth, window.scree.player.still.getBoundingClientRect().height]);
      assert.ok(width > 500 && height > 200, `a picture of ${width} pixels, ${height} high`);
      const image = await page.locator(".still").screenshot();
      await page.evaluate(() => (window.scree.player.still.style.visibility = "hidden"));
      assert.ok((await differingPixels(page, image, await page.locator(".screen").screenshot())) > 500, "the picture shows something");
      await page.evaluate(() => dispatchEvent(new Event("afterprint")));
      assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), undefined, "dark again");
    });
  },

  // Colour and opacity are those of the scene, whatever colours mean; a body that is not visible is not on the page.
  async appearance(browser, file, { id, shape, colour, opacity }, hidden) {
    await visit(browser, file, {}, async (page) => {
      for (const by of ["material", "speed"]) {
        await page.getByLabel("Colour by").selectOption(by);
        const found = await page.evaluate(([body, kind, without]) => {
          const { stage } = window.scree.player;
          const instance = stage.frames.instances.id.indexOf(body);
          const shown = [...stage.solids.groups.get(stage.solids.keyOf(kind, instance)).meshes.values()].filter(({ visible }) => visible);
          return { count: shown.length, colour: [...shown[0].instanceColor.array.slice(0, 3)], opacity: shown[0].material.opacity, transparent: shown[0].material.transparent, hidden: stage.frames.instances.id.includes(without) };
        }, [id, shape, hidden]);
        assert.ok(found.colour.every((c, k) => Math.abs(c - colour[k]) < 1e-3), String(found.colour));
        assert.deepEqual([found.count, found.opacity, found.transparent, found.hidden], [1, opacity, true, false]);
      }
    });
  },

  // Ground stays what it is when walls become glass or vanish.
  async terrain(browser, file) {
    await visit(browser, file, {}, async (page) => {
      for (const walls of ["glass", "solid", "hidden"]) {
        await page.getByLabel("Walls").selectOption(walls);
        const [ground, wall] = await page.evaluate(() => {
          const { stage } = window.scree.player;
          const shown = (shape) => {
            const set = stage.frames.sets.find((each) => each.shape === shape && each.kept && each.count > 0);
            const { meshes } = stage.solids.groups.get(stage.solids.keyOf(shape, set.start));
            const mesh = [...meshes.values()].find(({ visible }) => visible);
            return mesh ? (mesh.material.transparent ? "glass" : "solid") : "hidden";
          };
          return [shown(8), shown(2)];
        });
        assert.deepEqual([ground, wall], ["solid", walls]);
      }
    });
  },

  // Every figure of the mobility table is that of the summary; pages of runs without vehicles have none. The
  // legend names no material whose colour no body has.
  async mobility(browser, file, summary, without) {
    const { robot } = JSON.parse(readFileSync(summary, "utf8")).vehicles;
    const prefixes = { k: 1e3, m: 1e-3, "µ": 1e-6, n: 1e-9, "": 1 };
    const read = (text) => {
      const [, value, prefix] = /^([^\u202f]+)\u202f([kmµn]?)(m\/s|J\/m|N m|[sNWm%])$/.exec(text);
      return Number(value.replace("\u2212", "-").replaceAll(",", "")) * prefixes[prefix];
    };
    const near = (text, value) => assert.ok(Math.abs(read(text) - value) <= 6e-3 * Math.abs(value) + 1e-9, `${text} for ${value}`);
    await visit(browser, file, {}, async (page) => {
      const row = (name) => page.locator(".mobility").getByRole("row", { name }).locator("td").allTextContents();
      for (const [name, key] of [["Speed", "speed"], ["Thrust", "thrust"], ["Drawbar pull", "drawbar"], ["Motion resistance", "resistance"], ["Energy a metre", "energy_per_metre"]])
        near((await row(name))[0], robot[key]);
      for (const [name, key] of [["Sprocket torque", "torque"], ["Tension, mean of pins", "tension"], ["Largest pin force", "pin_force"], ["Force on road wheels", "wheel_force"]]) {
        const [left, right] = await row(name);
        near(left, robot.tracks.left[key]);
        near(right, robot.tracks.right[key]);
      }
      assert.equal(await page.locator(".colour-legend").textContent(), "", "all parts have colours of their own: no material's is to be seen");
    });
    await visit(browser, without, {}, async (page) => assert.equal(await page.locator(".mobility").count(), 0));
  },

  async still(browser, file) {
    await visit(browser, file, {}, async (page) => {
      assert.match(await page.locator("main").textContent(), /no frames to play/);
      assert.match(await page.locator("main").textContent(), /no probes/);
    });
  },
};

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: flags });
let failed = 0;
for (const line of readFileSync(process.argv[2], "utf8").trim().split("\n")) {
  const [name, ...words] = JSON.parse(line);
  const begun = Date.now();
  try {
    await tests[name](browser, ...words);
    console.log(`ok      ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
  } catch (error) {
    ++failed;
    console.log(`FAILED  ${name}: ${error.stack}`);
  }
}
await browser.close();
process.exit(failed ? 1 : 0);
