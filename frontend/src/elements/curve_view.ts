/** A few lines as SVG with their axes in words, and the same as a table for those who read rather than look. */

import { html, nothing, svg } from "lit";
import type { TemplateResult } from "lit";
import { count } from "../base/format";
import { pathOf, some } from "../trace/capacity_curve";
import type { Curve } from "../trace/capacity_curve";
import { styled } from "./styled";

const TOKENS = ["--fits", "--chosen", "--refused", "--backoff"];
const ROWS = 12;

export interface CurveLook {
  title: string;
  /** What stands on the x axis: "pods placed". */
  along: string;
  top: number;
  words: (value: number) => string;
}

export function curveView(curves: readonly Curve[], look: CurveLook): unknown {
  const points = curves[0]?.points ?? [];
  if (points.length < 2) return nothing;
  const from = points[0]![0];
  const to = points[points.length - 1]![0];
  const told = curves.map(({ name, points: own }) => `${name} from ${look.words(own[0]![1])} to ${look.words(own[own.length - 1]![1])}`);
  return html`<figure class="curve">
    <figcaption>
      <span class="visually-hidden">${look.title}</span>
      <span class="chart-legend">
        ${curves.map(({ name, points: own }, at) => html`<span><i ${styled({ "background-color": `var(${TOKENS[at]!})` })}></i>${name} <strong class="num">${look.words(own[own.length - 1]![1])}</strong></span>`)}
      </span>
    </figcaption>
    <div class="curve-box">
      <span class="curve-top quiet num" aria-hidden="true">${look.words(look.top)}</span>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label="${look.title}: ${told.join(", ")}">
        <path class="curve-grid" d="M0 0H100M0 50H100M0 100H100"></path>
        ${curves.map(({ points: own }, at) => svg`<path class="curve-line" ${styled({ stroke: `var(${TOKENS[at]!})` })} d=${pathOf(own, from, to, look.top)}></path>`)}
      </svg>
      <span class="curve-from quiet num">${count(from)}</span><span class="curve-along quiet">${look.along}</span><span class="curve-to quiet num">${count(to)}</span>
    </div>
    ${table(curves, look)}
  </figure>`;
}

function table(curves: readonly Curve[], look: CurveLook): TemplateResult {
  const rows = some(
    curves[0]!.points.map((_, at) => at),
    ROWS,
  );
  return html`<details class="curve-table">
    <summary>As a table</summary>
    <table>
      <thead>
        <tr><th scope="col" class="num">${look.along}</th>${curves.map(({ name }) => html`<th scope="col" class="num">${name}</th>`)}</tr>
      </thead>
      <tbody>
        ${rows.map((at) => html`<tr><th scope="row" class="num">${count(curves[0]!.points[at]![0])}</th>${curves.map(({ points }) => html`<td class="num">${look.words(points[at]![1])}</td>`)}</tr>`)}
      </tbody>
    </table>
  </details>`;
}
