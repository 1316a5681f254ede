/** The way from a pending pod to the what-if page, where it is asked what would make it fit. */

import { html, nothing } from "lit";
import type { SpRun } from "./sp-run";

export function repairAddress(cluster: string, pod: string): string {
  const query = new URLSearchParams({ pod, repair: "1" }).toString().replaceAll("%2F", "/");
  return `/clusters/${cluster}/what-if/?${query}`;
}

/** Nothing on the what-if page itself: there the repairs stand beside the edits. */
export function repairLink(run: SpRun, pod: string, words: string): unknown {
  if (run.desk || !run.clusterId) return nothing;
  return html`<a class="repair-link" href=${repairAddress(run.clusterId, pod)} title="Try on the what-if page what would make ${pod} fit">${words}</a>`;
}
