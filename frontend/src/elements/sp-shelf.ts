/** Finds and orders clusters while one types: the same address as the form's, its list put in place of the one that is shown. */

const REST_MS = 150;
const LIST = "[data-shelf]";

class SpShelf extends HTMLElement {
  private timer = 0;
  private stop = new AbortController();

  connectedCallback(): void {
    this.addEventListener("submit", this.submit);
    this.addEventListener("input", this.wait);
  }

  disconnectedCallback(): void {
    clearTimeout(this.timer);
    this.stop.abort();
  }

  private readonly submit = (event: Event) => {
    event.preventDefault();
    this.show();
  };

  private readonly wait = () => {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.show(), REST_MS);
  };

  private show(): void {
    clearTimeout(this.timer);
    const form = this.querySelector("form");
    const list = document.querySelector(LIST);
    if (!form || !list) return;
    const filled = [...new FormData(form)].filter(([, value]) => value !== "") as [string, string][];
    const query = new URLSearchParams(filled).toString();
    void this.fetch(form.action + (query ? `?${query}` : ""), list);
  }

  private async fetch(address: string, list: Element): Promise<void> {
    this.stop.abort();
    this.stop = new AbortController();
    list.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(address, { signal: this.stop.signal, credentials: "same-origin" });
      const found = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(LIST);
      if (!answer.ok || !found) throw new Error("no list");
      list.replaceWith(document.importNode(found, true));
      history.replaceState(null, "", address);
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return;
      location.assign(address);
    }
  }
}

customElements.define("sp-shelf", SpShelf);
