// SPDX-License-Identifier: BSD-3-Clause
// Paper: everything drawn, in light colours, whatever the screen shows. Plots below the fold are not drawn until they are
// near, and what the player drew is gone when the browser prints, so both are made ready first.
import { theme, useTheme } from "./theme.js";

export function preparePrinting(player, plots) {
  let before = null;
  addEventListener("beforeprint", () => {
    before = { theme: theme() };
    useTheme("light");
    for (const plot of plots) plot.drawAll();
    player.keepStill?.();
  });
  addEventListener("afterprint", () => {
    if (before) useTheme(before.theme);
    before = null;
  });
}
