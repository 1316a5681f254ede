/** A dump dropped anywhere on the page, chosen as a file or pasted; what is wrong with it is listed with its place. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import { api } from "../api/client";
import { ApiError, causeOf, fieldOf, ownerOf, placeOf, sentenceOf } from "../api/problem";
import { somethingRight } from "../api/right_objects";
import type { FieldError } from "../api/types";
import { bytes, count, counted } from "../base/format";
import { LightElement, copyButton, glyph } from "./light";

const SHOWN = 100;

class SpDrop extends LightElement {
  busy = "";
  problem = "";
  errors: FieldError[] = [];
  over = false;
  /** Whether something is right in what was refused. */
  private someRight = false;
  private last: FormData | null = null;
  private depth = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("dragenter", this.enter);
    document.addEventListener("dragover", this.hold);
    document.addEventListener("dragleave", this.leave);
    document.addEventListener("drop", this.drop);
    document.addEventListener("paste", this.paste);
    this.addEventListener("submit", this.submit);
    this.addEventListener("change", this.choose);
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
      ${this.over ? html`<div class="drop-over"><p>Drop it anywhere</p><p class="quiet">Nodes and pods, YAML or JSON, any number of files</p></div>` : nothing}
      ${this.busy ? html`<p class="drop-busy" role="status"><span class="pulse"></span>${this.busy}</p>` : nothing}
      ${this.problem ? this.failure() : nothing}
    `;
  }

  private failure(): TemplateResult {
    const rest = this.errors.length - SHOWN;
    return html`<section class="problem" role="alert">
      <h3>${glyph("refused")} ${this.problem}</h3>
      <p class="problem-next">
        ${this.someRight && this.last
          ? html`<button type="button" class="button" @click=${() => this.send(this.last!, true)}>Take the objects that are right</button>`
          : nothing}
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

  private readonly drop = (event: DragEvent) => {
    event.preventDefault();
    this.depth = 0;
    this.set({ over: false });
    const data = event.dataTransfer;
    if (!data) return;
    if (data.files.length) void this.send(formOf([...data.files]));
    else if (data.getData("text/plain")) void this.send(formOfText(data.getData("text/plain")));
  };

  private readonly paste = (event: ClipboardEvent) => {
    if ((event.target as HTMLElement | null)?.closest?.("input, textarea")) return;
    const data = event.clipboardData;
    if (data?.files.length) void this.send(formOf([...data.files]));
    else if (data?.getData("text/plain").trim()) void this.send(formOfText(data.getData("text/plain")));
  };

  private readonly choose = (event: Event) => {
    const input = event.target as HTMLInputElement;
    if (input.type === "file" && input.files?.length) void this.send(formOf([...input.files], this.given("name")));
  };

  private readonly submit = (event: Event) => {
    event.preventDefault();
    const text = this.given("text");
    if (text.trim()) void this.send(formOfText(text, this.given("name")));
    else this.set({ problem: "There is nothing to read yet. Choose a file or paste a dump.", errors: [] });
  };

  private given(name: string): string {
    return this.querySelector<HTMLInputElement | HTMLTextAreaElement>(`[name=${name}]`)?.value ?? "";
  }

  private async send(form: FormData, skipInvalid = false): Promise<void> {
    this.last = form;
    this.set({ busy: `Reading ${sizeOf(form)}`, problem: "", errors: [] });
    const query = new URLSearchParams();
    const name = form.get("name");
    if (typeof name === "string" && name) query.set("name", name);
    if (skipInvalid) query.set("skip_invalid", "true");
    try {
      const cluster = await api.importText(form, query.size ? `?${query}` : "");
      location.assign(`/clusters/${cluster.id}/`);
    } catch (error) {
      const known = error instanceof ApiError ? error : new ApiError(0, {});
      const problem = known.errors.length ? `${counted(known.errors.length, "thing")} to put right` : known.message;
      this.someRight = !skipInvalid && (await somethingRight(form.getAll("file") as File[], known.errors));
      this.set({ busy: "", problem, errors: known.errors });
      await this.updateComplete;
      this.querySelector<HTMLElement>(".problem")?.scrollIntoView({ block: "nearest" });
    }
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
  </li>`;
}

function formOf(files: readonly File[], name = ""): FormData {
  const form = new FormData();
  for (const file of files) form.append("file", file, file.name);
  if (name) form.set("name", name);
  return form;
}

function formOfText(text: string, name = ""): FormData {
  return formOf([new File([text], "pasted.yaml", { type: "application/yaml" })], name);
}

function sizeOf(form: FormData): string {
  const files = form.getAll("file") as File[];
  const size = bytes(files.reduce((sum, file) => sum + file.size, 0));
  return files.length === 1 ? `${files[0]!.name}, ${size}` : `${files.length} files, ${size}`;
}

customElements.define("sp-drop", SpDrop);
