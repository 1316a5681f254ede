/** Styles that depend on data, set from script: a strict content security policy forbids style attributes. */

import { noChange } from "lit";
import { Directive, PartType, directive } from "lit/directive.js";
import type { ElementPart, PartInfo } from "lit/directive.js";

export type Styles = Record<string, string>;

class StyledDirective extends Directive {
  private set: Styles = {};

  constructor(info: PartInfo) {
    super(info);
    if (info.type !== PartType.ELEMENT) throw new Error("styled() stands in an element's tag");
  }

  render(styles: Styles): unknown {
    return styles;
  }

  override update(part: ElementPart, [styles]: [Styles]): unknown {
    const { style } = part.element as HTMLElement;
    for (const [name, value] of Object.entries(styles)) {
      if (this.set[name] !== value) style.setProperty(name, value);
    }
    this.set = styles;
    return noChange;
  }
}

/** `<i ${styled({ width: "40%" })}></i>`; the names are always the same ones, so none is ever taken away. */
export const styled = directive(StyledDirective);
