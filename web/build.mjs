// SPDX-License-Identifier: BSD-3-Clause
// Makes the page of reports: one HTML file with its program and its style inside.
//
//   node build.mjs NPM OUT      packages go to the directory of OUT, never into the sources
//
// Where npm cannot fetch its packages OUT is empty and so old that the next build tries again.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const [npm, out] = process.argv.slice(2);
const web = path.dirname(fileURLToPath(import.meta.url));
const directory = path.dirname(out);
const lock = path.join(web, "package-lock.json");
const installed = path.join(directory, "installed.json"); // the lock file of the packages that are there

function packagesAreThere() {
  return existsSync(installed) && readFileSync(installed).equals(readFileSync(lock));
}

// No package runs a script of its own here: none of them needs one.
function fetchPackages() {
  mkdirSync(directory, { recursive: true });
  for (const name of ["package.json", "package-lock.json"]) copyFileSync(path.join(web, name), path.join(directory, name));
  const options = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1", "--loglevel=error", "--prefix", directory];
  const { status } = spawnSync(npm, options, { cwd: directory, stdio: ["ignore", "ignore", "inherit"], timeout: 300_000 });
  if (status === 0) copyFileSync(lock, installed);
  return status === 0;
}

async function bundle() {
  const esbuild = createRequire(path.join(directory, "package.json"))("esbuild");
  const common = {
    bundle: true, minify: true, write: false, legalComments: "eof", logLevel: "warning", charset: "utf8",
    target: ["chrome100", "firefox100", "safari16"], nodePaths: [path.join(directory, "node_modules")],
  };
  const source = (name) => path.join(web, "src", name);
  const script = await esbuild.build({ ...common, format: "iife", entryPoints: [source("main.js")] });
  const style = await esbuild.build({ ...common, entryPoints: [source("page.css")] });
  // A program inside HTML must not hold the end of its own element.
  const text = (result) => result.outputFiles[0].text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
  return readFileSync(source("page.html"), "utf8")
    .replace("/*style*/", () => style.outputFiles[0].text)
    .replace("/*script*/", () => text(script));
}

if (packagesAreThere() || fetchPackages()) {
  writeFileSync(out, await bundle());
} else {
  console.error("npm could not fetch the packages of web/package-lock.json: this build will have no `scree report`");
  writeFileSync(out, "");
  utimesSync(out, 1, 1);
}
