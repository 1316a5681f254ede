/** A run's name, note and keeping, and its end: the form stands on the page, this sends what is changed in it. */

import { changeRun, deleteRun } from "../api/forks";
import { ApiError } from "../api/problem";

class SpRunCard extends HTMLElement {
  private sure = false;

  connectedCallback(): void {
    const form = this.querySelector("form");
    form?.addEventListener("submit", (event) => event.preventDefault());
    form?.addEventListener("change", (event) => void this.change(event.target as HTMLInputElement));
    this.querySelector("[data-share]")?.addEventListener("click", () => void this.share());
    this.querySelector("[data-delete]")?.addEventListener("click", () => void this.destroy());
  }

  private get runId(): string {
    return this.getAttribute("run-id") ?? "";
  }

  private say(text: string, bad = false): void {
    const said = this.querySelector(".run-card-said")!;
    said.textContent = text;
    said.classList.toggle("bad", bad);
  }

  private async change(field: HTMLInputElement): Promise<void> {
    const value = field.type === "checkbox" ? field.checked : field.value.trim();
    try {
      await changeRun(this.runId, { [field.name]: value });
      this.say("Saved.");
      const shown = document.querySelector(".crumb-run > span");
      if (field.name === "name" && shown) shown.textContent = field.value.trim() || field.placeholder;
    } catch (error) {
      this.say(sentence(error), true);
    }
  }

  private async share(): Promise<void> {
    try {
      await navigator.clipboard.writeText(location.href);
      this.say("Copied.");
    } catch {
      this.say("This browser does not let pages copy. The address is in its bar.", true);
    }
  }

  /** Asks once, then deletes; a run that others need stays, and the answer names them. */
  private async destroy(): Promise<void> {
    const button = this.querySelector<HTMLElement>("[data-delete]")!;
    if (!this.sure) {
      this.sure = true;
      button.textContent = "Delete it for good";
      this.say("The run and its trace go. This cannot be undone.");
      return;
    }
    try {
      await deleteRun(this.runId);
      location.assign(`/clusters/${this.getAttribute("cluster-id") ?? ""}/`);
    } catch (error) {
      this.sure = false;
      button.textContent = "Delete";
      this.say(sentence(error), true);
    }
  }
}

function sentence(error: unknown): string {
  return error instanceof ApiError ? error.message : "That did not work in this browser.";
}

customElements.define("sp-run-card", SpRunCard);
