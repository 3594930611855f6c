// SPDX-License-Identifier: BSD-3-Clause
// What a report costs in a browser: size of the page, time to the first picture, pictures a second of the player.
//
//   node bench/report_page.mjs BUILD [GRAINS FRAMES [BUDGET_MB [MOVING]]]      default: build/release 100000 200 40, all moving
//
// Headless Chromium with software GL. Timings on a machine with other work are noise.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";

const [build = "build/release", grains = "100000", frames = "200", budget = "40", moving = grains] = process.argv.slice(2);
const { chromium } = createRequire(path.resolve(build, "web/package.json"))("playwright-core");
const place = mkdtempSync(path.join(os.tmpdir(), "scree-report-"));
const page = path.join(place, "report.html");
const flags = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"];

try {
  execFileSync(path.resolve(build, "bin/bench_report_run"), [place, grains, frames, moving]);
  const begun = performance.now();
  execFileSync(path.resolve(build, "bin/scree"), ["report", place, "-o", page, "--budget", budget]);
  console.log(`scree report          ${((performance.now() - begun) / 1000).toFixed(2)} s`);
  console.log(`page                  ${(statSync(page).size / 1e6).toFixed(1)} MB`);
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: flags });
  const tab = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await tab.goto("about:blank");
  await tab.addInitScript(() => {
    const look = () => (window.scree?.player.drawn > 0 ? (window.firstPicture = performance.now()) : requestAnimationFrame(look));
    requestAnimationFrame(look);
  });
  await tab.goto(`file://${page}`);
  await tab.waitForFunction(() => window.firstPicture, null, { timeout: 60_000 });
  console.log(`first picture         ${((await tab.evaluate(() => window.firstPicture)) / 1000).toFixed(2)} s after navigation began`);
  const shown = await tab.evaluate(() => window.scree.runs[0].player.grains);
  // Playing, and playing while the reader turns the picture.
  const rate = (turning) => tab.evaluate(async (turns) => {
    const { player } = window.scree;
    player.canvas.scrollIntoView({ block: "center" });
    player.play();
    const turn = () => turns && player.playing && (player.orbit(0.01, 0), requestAnimationFrame(turn));
    requestAnimationFrame(turn);
    await new Promise((done) => setTimeout(done, 1000));
    const [drawn, begin] = [player.drawn, performance.now()];
    await new Promise((done) => setTimeout(done, 5000));
    const pictures = (1000 * (player.drawn - drawn)) / (performance.now() - begin);
    player.stop();
    return pictures;
  }, turning);
  console.log(`player                ${(await rate(false)).toFixed(1)} pictures a second, turned ${(await rate(true)).toFixed(1)}; ${shown.toLocaleString("en-GB")} grains shown`);
  await browser.close();
} finally {
  rmSync(place, { recursive: true, force: true });
}
