/** The text of a configuration in an editor that knows its fields; a plain field until the editor is there. */

import { html, nothing } from "lit";
import { lineOf } from "../trace/config_errors";
import { configSchema } from "../trace/config_schema";
import { LightElement } from "./light";
import type { ProfileDesk } from "./profile_desk";
import type { YamlEditor } from "./yaml_editor";

const LABEL = "KubeSchedulerConfiguration as YAML";

export class SpConfigText extends LightElement {
  static override properties = { desk: { attribute: false }, version: { attribute: false } };
  declare desk: ProfileDesk;
  /** The state that is shown: drawn anew with each. */
  declare version: unknown;
  private editor: YamlEditor | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.editor?.destroy();
    this.editor = null;
  }

  /** Goes to a line. */
  goTo(line: number): void {
    this.editor?.goTo(line);
  }

  private async load(): Promise<void> {
    const { YamlEditor } = await import("./yaml_editor");
    const parent = this.querySelector<HTMLElement>(".config-editor");
    if (!this.isConnected || this.editor || !parent) return;
    const schema = async () => {
      if (!this.desk.catalogue) throw new Error("The catalogue is not there yet.");
      return configSchema(this.desk.catalogue);
    };
    this.editor = new YamlEditor({ parent, text: this.desk.now.text, label: LABEL, nonce: this.nonce, schema, changed: (text) => this.desk.write(text) });
    this.requestUpdate();
  }

  protected override updated(): void {
    const { editor, desk } = this;
    if (!editor) return;
    const { text, errors, behind } = desk.now;
    if (editor.text !== text) editor.replace(text);
    editor.mark(behind === "text" ? [] : errors.map((error) => ({ ...error, line: lineOf(error, text) || 1 })));
  }

  protected override render(): unknown {
    const { text, errors } = this.desk.now;
    return html`<div class="config-editor"></div>
      ${this.editor
        ? nothing
        : html`<textarea class="mono" spellcheck="false" autocapitalize="off" wrap="off" aria-label=${LABEL} aria-invalid=${errors.length > 0} .value=${text} @input=${(event: Event) => this.desk.write((event.target as HTMLTextAreaElement).value)}></textarea>`}`;
  }
}

customElements.define("sp-config-text", SpConfigText);
