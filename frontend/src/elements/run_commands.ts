/** What the run page adds to the palette: its cycles, pods and nodes by name, its views, its breakpoints. */

import type { Command, Provider } from "../base/commands";
import { matchOf } from "../base/commands";
import { podName } from "../base/format";
import type { SpRun } from "./sp-run";

const MOST_OF_A_KIND = 12;

export function runCommands(run: SpRun): Provider {
  return (text) => [...cycles(run, text), ...views(run), ...breaks(run), ...named(run, text)];
}

function cycles(run: SpRun, text: string): Command[] {
  const asked = /^(?:cycle\s*)?(\d{1,9})$/i.exec(text);
  const cycle = asked ? Number(asked[1]) : 0;
  if (!cycle || cycle > run.store.cycles.size) return [];
  return [{ title: `Cycle ${cycle}`, group: "Go to", run: () => run.openCycle(cycle) }];
}

function views(run: SpRun): Command[] {
  const board = (way: string | null, title: string): Command => ({ title, group: "View", run: () => run.setView({ board: way }, true) });
  const log = (way: string | null, title: string): Command => ({ title, group: "View", run: () => run.setView({ log: way }, true) });
  const colour = (way: string, title: string): Command => ({ title, group: "View", run: () => run.setView({ colour: way, board: null }) });
  return [
    board(null, "Show the map"),
    board("stream", "Show the stream of bound pods"),
    board("charts", "Show the charts"),
    board("nodes", "Show the table of nodes"),
    board("pods", "Show the table of pods"),
    log(null, "List the cycles"),
    log("events", "List the events"),
    colour("namespace", "Colour the map by namespace"),
    colour("owner", "Colour the map by owner"),
    colour("priority", "Colour the map by priority"),
    colour("verdict", "Colour the map by verdict"),
    colour("stranded", "Colour the map by room that cannot be used"),
  ];
}

function breaks(run: SpRun): Command[] {
  const on = (title: string, kind: "rejects" | "preemption" | "tie", what = ""): Command => ({
    title,
    group: "Break on",
    run: () => {
      run.player.breakOn({ kind, what });
      run.player.stepBreak(1);
    },
  });
  return [
    on("a preemption", "preemption"),
    on("a tie", "tie"),
    ...run.series.plugins.slice(0, MOST_OF_A_KIND).map((plugin) => on(`${plugin} rejects`, "rejects", plugin)),
  ];
}

/** Pods and nodes whose names match, the best of each. */
function named(run: SpRun, text: string): Command[] {
  if (!text) return [];
  const { words } = run.store;
  return [
    ...best(words.nodes.all, text).map((name): Command => ({ title: name, group: "Node", run: () => run.selectNode(name) })),
    ...best(words.pods.all, text).map((name): Command => ({ title: podName(name), group: "Pod", run: () => run.selectPod(name) })),
  ];
}

export function best(names: readonly string[], text: string): string[] {
  const found: { name: string; score: number }[] = [];
  let least = 0;
  for (const name of names) {
    const score = matchOf(name, text);
    if (score <= least) continue;
    found.push({ name, score });
    if (found.length <= MOST_OF_A_KIND) continue;
    found.sort((a, b) => b.score - a.score).length = MOST_OF_A_KIND;
    least = found[found.length - 1]!.score;
  }
  return found.sort((a, b) => b.score - a.score).map((one) => one.name);
}
