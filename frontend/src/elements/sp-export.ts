/** What can be taken away from a run: links, the command that repeats it, pictures, a report, a trace. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import { api, send } from "../api/client";
import { ApiError } from "../api/problem";
import { provideCommands } from "../base/commands";
import { toYaml } from "../base/yaml";
import { LightElement } from "./light";
import { paletteOf } from "./map_palette";
import { MapScene } from "./map_scene";
import { settingsOf } from "./map_settings";
import type { SpRun } from "./sp-run";

type Format = "svg" | "png";

interface Item {
  title: string;
  /** Why it cannot be had now; "" where it can. */
  off?: string;
  href?: string;
  /** Whether the address may answer with a page: that of the job which makes the file. */
  page?: boolean;
  run?: () => Promise<string> | string;
}

const WIDTH = 1600;
const HEIGHT = 900;
const SAID_MS = 2400;

class SpExport extends LightElement {
  private said = "";
  private forget: () => void = () => undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.forget = provideCommands(() =>
      this.items().flatMap((item) => (item.off ? [] : [{ title: item.title, group: "Export", run: () => void this.take(item) }])),
    );
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.forget();
  }

  private get run(): SpRun | null {
    return document.querySelector<SpRun>("sp-run");
  }

  private items(): Item[] {
    const { run } = this;
    if (!run?.runId) return [];
    const detail = run.store.cycle ? run.details?.peek(run.store.cycle) : undefined;
    const matrixOff = detail?.state === "ready" && detail.detail.nodes.length ? "" : "no cycle is open";
    const mapOff = run.model?.numNodes ? "" : "there are no nodes";
    const endOff = run.info.status === "finished" ? "" : "the run has not finished";
    const chosen = run.pod ? `pod ${run.pod}` : run.node ? `node ${run.node}` : "";
    return [
      { title: "Copy the link to this view", run: () => copy(location.href) },
      { title: "Copy the command that repeats this run", run: () => copyCommand(run) },
      { title: chosen ? `Copy the YAML of ${chosen}` : "Copy YAML", off: chosen ? "" : "select a pod or node", run: () => copyYaml(run) },
      { title: "Report, one HTML file", href: `/runs/${run.runId}/report/` },
      { title: "Cluster at the end as YAML", off: endOff, href: `/runs/${run.runId}/end.yaml`, page: true },
      { title: "Cluster at the end as JSON", off: endOff, href: `/runs/${run.runId}/end.json`, page: true },
      { title: "Trace for Perfetto", href: `/api/v1/runs/${run.runId}/chrome-trace` },
      { title: "Map as SVG", off: mapOff, run: () => this.map("svg") },
      { title: "Map as PNG", off: mapOff, run: () => this.map("png") },
      { title: "Filter matrix as SVG", off: matrixOff, run: () => this.matrix("svg") },
      { title: "Filter matrix as PNG", off: matrixOff, run: () => this.matrix("png") },
    ];
  }

  private async map(format: Format): Promise<string> {
    const { mapSvg } = await import("./pictures");
    const run = this.run!;
    const svg = mapSvg(new MapScene(run, settingsOf(run)), paletteOf(run), WIDTH, HEIGHT);
    return save(`map-${run.runId}-cycle-${run.store.cycle}`, svg, format);
  }

  private async matrix(format: Format): Promise<string> {
    const { matrixSvg } = await import("./pictures");
    const run = this.run!;
    const known = run.details?.peek(run.store.cycle);
    if (known?.state !== "ready") return "No cycle is open.";
    return save(`matrix-${run.runId}-cycle-${run.store.cycle}`, matrixSvg(known.detail, paletteOf(run)), format);
  }

  private async take(item: Item): Promise<void> {
    if (item.href) location.assign(item.href);
    if (!item.run) return;
    try {
      this.said = await item.run();
    } catch (error) {
      this.said = error instanceof ApiError ? error.message : "That did not work in this browser.";
    }
    this.requestUpdate();
    setTimeout(() => {
      this.said = "";
      this.requestUpdate();
    }, SAID_MS);
  }

  protected override render(): TemplateResult {
    return html`<button type="button" class="button small" popovertarget="export-menu" @click=${() => this.requestUpdate()}>Export</button>
      <div id="export-menu" class="menu" popover role="dialog" aria-label="Export">
        <ul>
          ${this.items().map((item) => html`<li>${this.entry(item)}</li>`)}
        </ul>
        <p class="quiet" role="status">${this.said || nothing}</p>
      </div>`;
  }

  private entry(item: Item): TemplateResult {
    if (item.href && !item.off) return html`<a href=${item.href} ?download=${!item.page}>${item.title}</a>`;
    return html`<button type="button" ?disabled=${!!item.off} title=${item.off ? `Not now: ${item.off}` : nothing} @click=${() => this.take(item)}>
      ${item.title}${item.off ? html`<span class="quiet"> (${item.off})</span>` : nothing}
    </button>`;
  }
}

async function copy(text: string): Promise<string> {
  await navigator.clipboard.writeText(text);
  return "Copied.";
}

async function copyCommand(run: SpRun): Promise<string> {
  return copy((await api.run(run.runId ?? "")).repeat ?? "");
}

async function copyYaml(run: SpRun): Promise<string> {
  const place = run.pod ? `Pod/${run.pod}` : `Node/${run.node}`;
  const query = run.revision ? `?revision=${run.revision}` : "";
  const answer = await send(`clusters/${run.clusterId}/objects/${place}${query}`);
  return copy(toYaml(await answer.json()));
}

async function save(name: string, svg: string, format: Format): Promise<string> {
  const { download, toPng } = await import("./pictures");
  download(`${name}.${format}`, format === "png" ? await toPng(svg) : new Blob([svg], { type: "image/svg+xml" }));
  return "Saved.";
}

customElements.define("sp-export", SpExport);
