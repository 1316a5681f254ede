/** How the map is drawn: from the address; where that says nothing, by what suits the cluster. */

import { ZONE_LABEL } from "../trace/hierarchy";
import { COLOURINGS } from "./map_scene";
import type { Colouring, MapSettings } from "./map_scene";
import type { SpRun } from "./sp-run";

/** Up to so many nodes are cards; above, tiles on a canvas. */
export const CARDS = 60;

export const isLarge = (run: SpRun): boolean => (run.model?.numNodes ?? 0) > CARDS;

export function settingsOf(run: SpRun): MapSettings {
  const model = run.model!;
  const labels = model.groupLabels();
  const asked = run.view("by")?.split(",").filter((label) => labels.includes(label));
  const first = labels.includes(ZONE_LABEL) ? [ZONE_LABEL] : labels.slice(0, 1);
  const resource = run.view("size") ?? "cpu";
  const colour = run.view("colour") as Colouring | null;
  return {
    levels: run.view("by") === "none" ? [] : asked?.length ? asked : first,
    resource: model.resources.includes(resource) ? resource : (model.resources[0] ?? "cpu"),
    colour: colour && COLOURINGS.includes(colour) ? colour : isLarge(run) ? "load" : "namespace",
    search: run.view("find") ?? "",
  };
}
