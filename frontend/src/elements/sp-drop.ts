/** A dump dropped anywhere on the page, chosen as files or a folder, or pasted; what is wrong with it is listed with its place. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import { cancelJob, droppedFiles, importFiles, worthSending } from "../api/importing";
import type { Chosen } from "../api/importing";
import { ApiError, causeOf, fieldOf, ownerOf, placeOf, sentenceOf } from "../api/problem";
import { somethingRight } from "../api/right_objects";
import type { FieldError, JobInfo } from "../api/types";
import { bytes, count, counted } from "../base/format";
import { keyMap } from "../base/keys";
import { LightElement, copyButton, glyph } from "./light";

const SHOWN = 100;
const TOO_LARGE = 413;
const TOO_MANY = 429;
const SERVER_ERROR = 500;
const MOST_FILES = 2000;

class SpDrop extends LightElement {
  busy = "";
  problem = "";
  errors: FieldError[] = [];
  over = false;
  private job: JobInfo | null = null;
  /** Whether something is right in what was refused. */
  private someRight = false;
  /** Whether the same may be taken the next time: nothing was wrong with it. */
  private mayWork = false;
  private last: Chosen[] = [];
  private depth = 0;
  private stop = new AbortController();

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("dragenter", this.enter);
    document.addEventListener("dragover", this.hold);
    document.addEventListener("dragleave", this.leave);
    document.addEventListener("drop", this.drop);
    document.addEventListener("paste", this.paste);
    this.addEventListener("submit", this.submit);
    this.addEventListener("change", this.choose);
    keyMap.add({ keys: "i", label: "choose files to import", group: "Page", run: () => this.querySelector<HTMLInputElement>("[name=file]")?.click() });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("dragenter", this.enter);
    document.removeEventListener("dragover", this.hold);
    document.removeEventListener("dragleave", this.leave);
    document.removeEventListener("drop", this.drop);
    document.removeEventListener("paste", this.paste);
  }

  protected override render(): unknown {
    return html`
      ${this.over ? html`<div class="drop-over"><p>Drop it anywhere</p><p class="quiet">YAML, JSON, archives, support bundles, folders${this.redact ? ". It will be redacted." : ""}</p></div>` : nothing}
      ${this.busy ? this.progress() : nothing} ${this.problem ? this.failure() : nothing}
    `;
  }

  /** A bar that fills where it is known how much there is, and a way out. */
  private progress(): TemplateResult {
    const progress = this.job?.progress ?? {};
    const { done = 0, total = null, unit = "" } = progress;
    const text = this.job ? progress.text || "Waiting for a worker" : this.busy;
    const known = total !== null && total > 0;
    const shown = (value: number) => (unit === "bytes" ? bytes(value) : count(value));
    return html`<section class="drop-progress" aria-label="Import">
      <button type="button" class="button small" @click=${this.cancel}>Cancel</button>
      <div
        class="bar"
        role="progressbar"
        aria-label=${text}
        aria-valuemin=${known ? 0 : nothing}
        aria-valuemax=${known ? total : nothing}
        aria-valuenow=${known ? done : nothing}
        data-known=${known ? "" : nothing}
      >
        <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect height="1" width=${known ? (100 * done) / total : 30}></rect></svg>
      </div>
      <p class="drop-line">
        <span role="status">${text}</span>
        <span class="quiet tally">${known ? html`${shown(done)} of ${shown(total)}${unit && unit !== "bytes" ? ` ${unit}` : ""}` : nothing}</span>
      </p>
    </section>`;
  }

  private failure(): TemplateResult {
    const rest = this.errors.length - SHOWN;
    return html`<section class="problem" role="alert">
      <h3>${glyph("refused")} ${this.problem}</h3>
      <p class="problem-next">
        ${this.someRight && this.last.length
          ? html`<button type="button" class="button" @click=${() => this.send(this.last, true)}>Take the objects that are right</button>`
          : nothing}
        ${this.mayWork && this.last.length ? html`<button type="button" class="button" @click=${() => this.send(this.last)}>Try again</button>` : nothing}
        ${this.errors.length ? copyButton(this.errors.map((error) => `${placeOf(error)}: ${sentenceOf(error)}`).join("\n"), "the errors") : nothing}
        <span class="quiet">Nothing was stored.</span>
      </p>
      ${this.errors.length
        ? html`<ol class="errors">
            ${this.errors.slice(0, SHOWN).map((error) => errorLine(error))}
          </ol>`
        : nothing}
      ${rest > 0 ? html`<p class="quiet">and ${count(rest)} more</p>` : nothing}
    </section>`;
  }

  private readonly enter = (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes("Files") && !event.dataTransfer?.types.includes("text/plain")) return;
    this.depth += 1;
    this.set({ over: true });
  };

  private readonly hold = (event: DragEvent) => event.preventDefault();

  private readonly leave = () => {
    this.depth = Math.max(0, this.depth - 1);
    if (this.depth === 0) this.set({ over: false });
  };

  private readonly drop = async (event: DragEvent) => {
    event.preventDefault();
    this.depth = 0;
    this.set({ over: false });
    const data = event.dataTransfer;
    if (!data) return;
    const text = data.getData("text/plain");
    if (data.files.length) await this.take(await droppedFiles(data));
    else if (text.trim()) await this.take([pasted(text)]);
  };

  private readonly paste = (event: ClipboardEvent) => {
    if ((event.target as HTMLElement | null)?.closest?.("input, textarea")) return;
    const data = event.clipboardData;
    const text = data?.getData("text/plain") ?? "";
    if (data?.files.length) void this.take([...data.files].map((file) => ({ file, path: file.name })));
    else if (text.trim()) void this.take([pasted(text)]);
  };

  private readonly choose = (event: Event) => {
    const input = event.target as HTMLInputElement;
    if (input.type !== "file" || !input.files?.length) return;
    const chosen = [...input.files].map((file) => ({ file, path: file.webkitRelativePath || file.name }));
    void this.take(input.webkitdirectory ? chosen.filter(({ path }) => worthSending(path)) : chosen);
    input.value = "";
  };

  private readonly submit = (event: Event) => {
    event.preventDefault();
    const text = this.given("text");
    if (text.trim()) void this.take([pasted(text)]);
    else this.set({ problem: "There is nothing to read yet. Choose a file or paste a dump.", errors: [] });
  };

  private readonly cancel = () => {
    this.stop.abort();
    if (this.job) void cancelJob(this.job.id).catch(() => undefined);
    this.finish("");
  };

  private given(name: string): string {
    return this.querySelector<HTMLInputElement | HTMLTextAreaElement>(`[name=${name}]`)?.value ?? "";
  }

  private get redact(): boolean {
    return this.querySelector<HTMLInputElement>("[name=redact]")?.checked ?? false;
  }

  private async take(files: Chosen[]): Promise<void> {
    if (this.busy) return;
    this.mayWork = false;
    if (files.length === 0) this.set({ problem: "The folder holds no manifest: no file ends in .yaml, .yml or .json.", errors: [] });
    else if (files.length > MOST_FILES) this.set({ problem: `${count(files.length)} files are more than ${count(MOST_FILES)}: pack them into one .tar.gz or .zip.`, errors: [] });
    else await this.send(files);
  }

  private async send(files: Chosen[], skipInvalid = false): Promise<void> {
    this.last = files;
    this.mayWork = false;
    this.stop = new AbortController();
    this.set({ busy: `Sending ${sizeOf(files)}`, problem: "", errors: [] });
    this.rest(true);
    const options = { name: this.given("name"), redact: this.redact, skipInvalid };
    const tell = (job: JobInfo) => {
      this.job = job;
      this.requestUpdate();
    };
    try {
      const cluster = await importFiles(files, options, tell, this.stop.signal);
      location.assign(`/clusters/${cluster}/`);
    } catch (error) {
      if (error instanceof DOMException) return;
      const known = error instanceof ApiError ? error : new ApiError(0, {});
      this.mayWork = known.status === 0 || known.status === TOO_MANY || known.status >= SERVER_ERROR;
      const listed = known.status === TOO_LARGE ? [] : known.errors;
      this.someRight = !skipInvalid && (await somethingRight(files.map(({ file }) => file), listed));
      this.finish(listed.length ? `${counted(listed.length, "thing")} to put right` : known.message, listed);
      await this.updateComplete;
      this.querySelector<HTMLElement>(".problem")?.scrollIntoView({ block: "nearest" });
    }
  }

  private finish(problem: string, errors: FieldError[] = []): void {
    this.job = null;
    this.rest(false);
    this.set({ busy: "", problem, errors });
  }

  /** While something is on its way nothing else is taken. */
  private rest(resting: boolean): void {
    this.querySelector("form")?.toggleAttribute("inert", resting);
  }

  private set(change: Partial<Pick<SpDrop, "busy" | "problem" | "errors" | "over">>): void {
    Object.assign(this, change);
    this.requestUpdate();
  }
}

export function errorLine(error: FieldError): TemplateResult {
  const [owner, place, field] = [ownerOf(error), placeOf(error), fieldOf(error)];
  return html`<li>
    ${owner || place ? html`<p>${owner ? html`<strong>${owner}</strong> ` : nothing}<span class="place">${place}</span></p>` : nothing}
    ${field ? html`<p class="mono">${field}</p>` : nothing}
    <p>${causeOf(error)}</p>
    ${error.hint ? html`<p class="hint">${error.hint[0]!.toUpperCase()}${error.hint.slice(1)}</p>` : nothing}
  </li>`;
}

function pasted(text: string): Chosen {
  return { file: new File([text], "pasted.yaml", { type: "application/yaml" }), path: "pasted.yaml" };
}

function sizeOf(files: readonly Chosen[]): string {
  const size = bytes(files.reduce((sum, { file }) => sum + file.size, 0));
  return files.length === 1 ? `${files[0]!.path}, ${size}` : `${count(files.length)} files, ${size}`;
}

customElements.define("sp-drop", SpDrop);
