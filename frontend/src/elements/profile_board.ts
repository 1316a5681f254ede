/** A profile as a board: extension points as columns, plugins as cards in the order in which they run. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Catalogue, Difference, PluginPlace, ProfileForm } from "../api/profiles";
import { COLUMNS, differencesAt, movePlugin, offAt, scaleEnd, scaleStart, setWeight, turnOff, turnOn } from "../trace/config_form";
import type { FormPlace } from "../trace/config_errors";
import { glyph } from "./light";
import type { ProfileDesk } from "./profile_desk";

export interface Board {
  desk: ProfileDesk;
  catalogue: Catalogue;
  /** Which profile of the configuration is shown. */
  at: number;
  profile: ProfileForm;
  differences: readonly Difference[];
  errors: readonly { place: FormPlace; words: string }[];
  openArguments(plugin: string): void;
  /** Says what was done, and goes on from one of these controls, the first that can be used. */
  done(words: string, ...controls: string[]): void;
}

/** Between which weights the sliders of a point move. */
interface Scale {
  start: number;
  end: number;
}

const DRAGGED = "application/x-plugin";
const LEAST_WEIGHT = -(2 ** 31);
const MOST_WEIGHT = 2 ** 31 - 1;
const WEIGHT_MEANS = "Scores count times the weight; 0 counts as 1, and below 0 the best node counts least, as in kube-scheduler";
/** What each point asks. */
const MEANS: Record<string, string> = {
  preEnqueue: "May a pod enter the queue?",
  queueSort: "Which pod is next?",
  preFilter: "What is known before any node is looked at",
  filter: "Which nodes fit?",
  postFilter: "No node fits: what then?",
  preScore: "What the scores need",
  score: "Which node is best? Scores × weight",
  reserve: "The node is taken",
  permit: "Hold, refuse or wait",
  preBind: "What must stand before binding",
  bind: "The pod gets its node",
  postBind: "Afterwards",
};

export function boardView(board: Board): TemplateResult {
  const everywhere = board.errors.filter(({ place }) => place.point === "multiPoint");
  return html`${everywhere.map(({ words }) => html`<p class="bad field-error">${glyph("refused")} ${words}</p>`)}
  <div class="board">
    ${COLUMNS.map((points) => html`<div class="board-column ${points.includes("score") ? "of-scores" : ""}">${points.map((point) => pointView(board, point))}</div>`)}
  </div>`;
}

function pointView(board: Board, point: string): TemplateResult {
  const places = board.profile.points[point] ?? [];
  const off = offAt(board.profile, point, board.catalogue);
  const wrong = board.errors.filter(({ place }) => place.point === point);
  const weights = places.map((place) => place.weight ?? 0);
  const scale = { start: scaleStart(...weights), end: scaleEnd(...weights) };
  return html`<section class="board-point" aria-label=${point}>
    <h3 title=${MEANS[point] ?? ""}>${point} <span class="quiet num">${places.length || ""}</span></h3>
    <ol data-point=${point} @dragover=${dragOver} @dragleave=${dragLeave} @drop=${(event: DragEvent) => drop(event, board, point)}>
      ${repeat(places, (place) => place.name, (place, index) => cardView(board, point, place, index, places.length, scale))}
    </ol>
    ${point === "score" && places.length ? html`<p class="quiet-line">Weight 0 counts as 1; below 0, the best node counts least.</p>` : nothing}
    ${off.map((name) => offView(board, point, name))}
    ${places.length === 0 && off.length === 0 ? html`<p class="quiet-line">no plugin</p>` : nothing}
    ${wrong.map(({ words }) => html`<p class="bad field-error">${glyph("refused")} ${words}</p>`)}
  </section>`;
}

function cardView(board: Board, point: string, place: PluginPlace, index: number, length: number, scale: Scale): TemplateResult {
  const { desk, at, profile } = board;
  const { name } = place;
  const differs = differencesAt(board.differences, profile.schedulerName, point, name);
  const own = name in profile.args;
  const move = (to: number) => {
    desk.change((form) => movePlugin(form, at, point, name, to));
    const [there, back] = to < index ? ["Earlier", "Later"] : ["Later", "Earlier"];
    board.done(`${name} runs as number ${to + 1} of ${length} at ${point}`, `${there} at ${point}: ${name}`, `${back} at ${point}: ${name}`);
  };
  const off = () => {
    desk.change((form) => turnOff(form, at, [point], name));
    board.done(`${name} is off at ${point}`, `Turn on at ${point}: ${name}`);
  };
  return html`<li class="plugin-card ${differs.length ? "differs" : ""}" data-at=${index} data-plugin=${name} draggable="true" @dragstart=${lift} @dragend=${letGo}>
    <div class="plugin-head">
      ${hasArguments(board, name)
        ? html`<button type="button" class="plugin-name has-arguments ${own ? "own" : ""}" aria-label="Arguments of ${name}" title=${own ? "Arguments of its own" : "Arguments"} @click=${() => board.openArguments(name)}>${broken(name)}</button>`
        : html`<span class="plugin-name">${broken(name)}</span>`}
      ${differs.length ? html`<span class="differs-mark" title=${differs.map((one) => one.text).join(" ")}>${glyph("changed", differs.map((one) => one.text).join(" "))}</span>` : nothing}
      <span class="plugin-tools">
        <button type="button" class="icon small-icon" aria-label="Earlier at ${point}: ${name}" title="Earlier" ?disabled=${index === 0} @click=${() => move(index - 1)}>↑</button>
        <button type="button" class="icon small-icon" aria-label="Later at ${point}: ${name}" title="Later" ?disabled=${index === length - 1} @click=${() => move(index + 1)}>↓</button>
        <button type="button" class="icon small-icon" aria-label="Turn off at ${point}: ${name}" title="Turn off here" @click=${off}>✕</button>
      </span>
    </div>
    ${point === "score" ? weightView(board, place, scale) : nothing}
  </li>`;
}

function weightView({ desk, at, errors }: Board, { name, weight = 1 }: PluginPlace, { start, end }: Scale): TemplateResult {
  const put = (value: number) => {
    if (value !== weight) desk.change((form) => setWeight(form, at, name, value), `weight ${at} ${name}`);
  };
  const set = (event: Event) => {
    const value = Number((event.target as HTMLInputElement).value);
    // A 0 may be the beginning of a number: it counts when the field is left.
    if (Number.isInteger(value) && value !== 0 && value >= LEAST_WEIGHT && value <= MOST_WEIGHT) put(value);
  };
  const rest = (event: Event) => {
    const field = event.target as HTMLInputElement;
    const value = Number(field.value);
    const isZero = field.value !== "" && value === 0;
    if (isZero) put(1);
    field.value = String(isZero ? 1 : weight);
    desk.draft.rest();
  };
  const wrong = errors.some(({ place }) => place.plugin === name && place.field === "weight");
  return html`<div class="weight">
    <input type="range" min=${start} max=${end} step="1" title=${WEIGHT_MEANS} .value=${String(weight)} aria-label="Weight of ${name}" @input=${set} @change=${rest} />
    <input type="number" class="num" min=${LEAST_WEIGHT} max=${MOST_WEIGHT} title=${WEIGHT_MEANS} step="1" .value=${String(weight)} aria-label="Weight of ${name}, as a number" aria-invalid=${wrong} @input=${set} @change=${rest} />
  </div>`;
}

function offView(board: Board, point: string, name: string): TemplateResult {
  const { desk, at, catalogue } = board;
  const on = () => {
    desk.change((form) => turnOn(form, at, [point], name, catalogue));
    board.done(`${name} is on at ${point}`, `Turn off at ${point}: ${name}`);
  };
  return html`<div class="plugin-card left-out" data-plugin=${name}>
    <div class="plugin-head">
      <span class="plugin-name" title="${name} does not run at ${point}">${broken(name)}</span>
      ${glyph("changed", `${name} does not run at ${point}`)}
      <span class="plugin-tools">
        <button type="button" class="icon small-icon" aria-label="Turn on at ${point}: ${name}" title="Turn on here" @click=${on}>+</button>
      </span>
    </div>
  </div>`;
}

export function hasArguments({ catalogue }: Pick<Board, "catalogue">, name: string): boolean {
  const plugin = catalogue.plugins.find((one) => one.name === name);
  return plugin !== undefined && (name === "NodeAffinity" || Object.keys(plugin.defaultArgs).length > 0);
}

/** A name that may break where its words begin. */
export function broken(name: string): unknown {
  return name.split(/(?=[A-Z][a-z])/).map((word, index) => (index ? html`<wbr />${word}` : word));
}

function lift(event: DragEvent): void {
  const card = event.currentTarget as HTMLElement;
  if ((event.target as Element).closest("input")) return event.preventDefault();
  event.dataTransfer?.setData(DRAGGED, JSON.stringify([card.parentElement?.dataset["point"], card.dataset["plugin"]]));
  if (event.dataTransfer) event.dataTransfer.effectAllowed = "move";
  card.classList.add("lifted");
}

function letGo(event: DragEvent): void {
  (event.currentTarget as HTMLElement).classList.remove("lifted");
}

/** Where a drop would put it: before the card it is over, or after it in its lower half. */
function placeOf(event: DragEvent): { card: HTMLElement; after: boolean } | null {
  const card = (event.target as Element).closest<HTMLElement>("li[data-at]");
  if (!card) return null;
  const box = card.getBoundingClientRect();
  return { card, after: event.clientY > box.top + box.height / 2 };
}

function dragOver(event: DragEvent): void {
  const list = event.currentTarget as HTMLElement;
  if (!event.dataTransfer?.types.includes(DRAGGED) || !list.querySelector(".lifted")) return;
  event.preventDefault();
  clearMarks(list);
  const place = placeOf(event);
  place?.card.classList.add(place.after ? "drop-after" : "drop-before");
}

function dragLeave(event: DragEvent): void {
  clearMarks(event.currentTarget as HTMLElement);
}

function drop(event: DragEvent, { desk, at }: Board, point: string): void {
  const list = event.currentTarget as HTMLElement;
  clearMarks(list);
  const place = placeOf(event);
  const [from, name] = JSON.parse(event.dataTransfer?.getData(DRAGGED) || "[]") as string[];
  if (!place || from !== point || !name) return;
  event.preventDefault();
  const cards = [...list.querySelectorAll<HTMLElement>("li[data-at]")];
  const was = cards.findIndex((card) => card.dataset["plugin"] === name);
  const before = Number(place.card.dataset["at"]) + (place.after ? 1 : 0);
  desk.change((form) => movePlugin(form, at, point, name, before > was ? before - 1 : before));
}

function clearMarks(list: HTMLElement): void {
  for (const card of list.querySelectorAll(".drop-before, .drop-after")) card.classList.remove("drop-before", "drop-after");
}
