/** A CodeMirror editor for manifests: completion and meanings from the schema, errors of the server at their lines. Fetched lazily. */

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, startCompletion } from "@codemirror/autocomplete";
import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import type { Diagnostic } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { manifestSchema } from "../api/manifest_schema";
import type { ManifestSchema } from "../api/manifest_schema";
import { sentenceOf } from "../api/problem";
import type { FieldError } from "../api/types";
import { keyAt, placeAt } from "../base/yaml_place";
import { meaningOf, suggestions } from "../trace/manifest_words";

export interface YamlEditorOptions {
  parent: HTMLElement;
  text: string;
  label: string;
  /** For the style elements that the editor makes: the policy allows those with it only. */
  nonce: string;
  changed: (text: string) => void;
  submit?: () => void;
  /** What can be written; else what manifests may say. */
  schema?: () => Promise<ManifestSchema>;
}

const theme = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--surface)", height: "100%", fontSize: "var(--body)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--sunken)", color: "var(--ink-3)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in oklch, var(--hover) 60%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "color-mix(in oklch, var(--accent) 24%, transparent)" },
  ".cm-tooltip, .cm-panels": { backgroundColor: "var(--raised)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "var(--radius)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", maxHeight: "16em" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-completionDetail": { color: "inherit", opacity: "0.8", fontStyle: "normal" },
  ".cm-completionInfo, .cm-meaning": { padding: "6px 10px", maxWidth: "44ch", fontFamily: "var(--sans)" },
  ".cm-panels input, .cm-panels button": { font: "inherit", color: "inherit" },
  ".cm-button": { backgroundImage: "none", backgroundColor: "var(--surface)", border: "1px solid var(--line)", borderRadius: "var(--radius)" },
  ".cm-textfield": { backgroundColor: "var(--surface)", border: "1px solid var(--line)", borderRadius: "var(--radius)" },
  ".cm-searchMatch": { backgroundColor: "color-mix(in oklch, var(--refused) 30%, transparent)" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--final)", textUnderlineOffset: "3px" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--final)", fontFamily: "var(--sans)" },
  ".cm-foldPlaceholder": { backgroundColor: "var(--hover)", border: "none", color: "var(--ink-3)" },
});

const colours = HighlightStyle.define([
  { tag: [tags.definition(tags.propertyName), tags.propertyName], color: "var(--chosen)" },
  { tag: [tags.string, tags.content], color: "var(--ink)" },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: "var(--backoff)" },
  { tag: tags.comment, color: "var(--ink-3)", fontStyle: "italic" },
  { tag: [tags.meta, tags.separator, tags.punctuation, tags.squareBracket, tags.brace], color: "var(--ink-3)" },
]);

export class YamlEditor {
  private readonly view: EditorView;
  private quiet = false;

  constructor(options: YamlEditorOptions) {
    const schema = options.schema ?? manifestSchema;
    const extensions = [
      EditorView.cspNonce.of(options.nonce),
      EditorView.contentAttributes.of({ "aria-label": options.label, "aria-describedby": "yaml-keys", tabindex: "0", autocapitalize: "off", autocorrect: "off", spellcheck: "false" }),
      [lineNumbers(), foldGutter({ markerDOM }), lintGutter(), history(), drawSelection(), indentOnInput(), bracketMatching(), closeBrackets(), highlightActiveLine(), highlightActiveLineGutter(), highlightSelectionMatches()],
      search({ top: true }),
      indentUnit.of("  "),
      EditorState.tabSize.of(2),
      yaml(),
      theme,
      syntaxHighlighting(colours),
      autocompletion({ override: [(context) => complete(context, schema)], icons: false, activateOnTyping: true }),
      hoverTooltip((view, pos) => hover(view, pos, schema)),
      EditorView.domEventHandlers({ beforeinput: typeOver }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged && !this.quiet) options.changed(update.state.doc.toString());
      }),
      keymap.of([
        { key: "Mod-Enter", run: () => (options.submit?.(), options.submit !== undefined) },
        ...closeBracketsKeymap,
        ...defaultKeymap,
        ...searchKeymap,
        ...historyKeymap,
        ...foldKeymap,
        ...completionKeymap,
        ...lintKeymap,
        indentWithTab,
      ]),
    ];
    this.view = new EditorView({ parent: options.parent, state: EditorState.create({ doc: options.text, extensions }) });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Puts a text in place of what differs, as one step to undo. */
  replace(text: string): void {
    const now = this.text;
    let from = 0;
    while (from < now.length && from < text.length && now[from] === text[from]) from += 1;
    let end = 0;
    while (end < now.length - from && end < text.length - from && now[now.length - 1 - end] === text[text.length - 1 - end]) end += 1;
    this.quiet = true;
    this.view.dispatch({ changes: { from, to: now.length - end, insert: text.slice(from, text.length - end) } });
    this.quiet = false;
  }

  /** Shows what is wrong at its line; without a line, at the first one. */
  mark(errors: readonly FieldError[]): void {
    const { doc } = this.view.state;
    const found = errors.map((error): Diagnostic => {
      const line = doc.line(Math.min(Math.max(1, error.line ?? 1), doc.lines));
      const begins = line.from + Math.max(0, Math.min((error.column ?? 1) - 1, line.length));
      const from = begins >= line.to ? line.from + (line.text.length - line.text.trimStart().length) : begins;
      return { from, to: Math.max(from, line.to), severity: "error", message: sentenceOf(error) };
    });
    this.view.dispatch(setDiagnostics(this.view.state, found));
  }

  /** Goes to a line. */
  goTo(line: number): void {
    const { doc } = this.view.state;
    this.view.dispatch({ selection: { anchor: doc.line(Math.min(Math.max(1, line), doc.lines)).from }, scrollIntoView: true });
    this.focus();
  }

  focus(): void {
    this.view.focus();
  }

  destroy(): void {
    this.view.destroy();
  }
}

/** Types over a selection of several lines: left to the browser, its own merging of lines sets styles that the policy refuses. */
function typeOver(event: InputEvent, view: EditorView): boolean {
  const { state } = view;
  const { from, to } = state.selection.main;
  const { data } = event;
  if (event.inputType !== "insertText" || !data || event.isComposing || !event.cancelable || state.doc.lineAt(from).to >= to) return false;
  event.preventDefault();
  const insert = () => state.update(state.replaceSelection(data), { userEvent: "input.type", scrollIntoView: true });
  if (!state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, data, insert))) view.dispatch(insert());
  return true;
}

async function complete(context: CompletionContext, read: () => Promise<ManifestSchema>): Promise<CompletionResult | null> {
  const text = context.state.doc.toString();
  const place = placeAt(text, context.pos);
  if (!context.explicit && place.word === "" && place.role === "key" && context.state.doc.lineAt(context.pos).text.trim() !== "") return null;
  if (!context.explicit && place.word === "" && place.role === "key" && text !== "") return null;
  const schema = await read().catch(() => null);
  if (!schema || context.aborted) return null;
  const options = suggestions(schema, place).map((one): Completion => ({
    label: one.label,
    detail: one.detail,
    boost: one.rank,
    ...(one.info ? { info: one.info } : {}),
    apply: (view, _completion, from, to) => {
      // Where a colon follows already, only the name is put in.
      const follows = view.state.sliceDoc(to, to + 1) === ":";
      const insert = place.role === "key" && follows ? one.label : one.text;
      view.dispatch({ changes: { from, to, insert }, selection: { anchor: from + insert.length }, userEvent: "input.complete" });
      if (insert.endsWith(" ")) startCompletion(view);
    },
  }));
  return options.length ? { from: place.from, options, validFor: /^[\w./-]*$/ } : null;
}

async function hover(view: EditorView, pos: number, read: () => Promise<ManifestSchema>) {
  const key = keyAt(view.state.doc.toString(), pos);
  const schema = key ? await read().catch(() => null) : null;
  const meaning = schema && key ? meaningOf(schema, key) : null;
  if (!meaning || !key) return null;
  return {
    pos: key.from,
    end: key.to,
    above: true,
    create: () => {
      const dom = document.createElement("div");
      dom.className = "cm-meaning";
      const title = document.createElement("strong");
      title.textContent = meaning.title;
      dom.append(title, document.createElement("br"), meaning.text);
      return { dom };
    },
  };
}

function markerDOM(open: boolean): HTMLElement {
  const marker = document.createElement("span");
  marker.textContent = open ? "▾" : "▸";
  marker.title = open ? "Fold" : "Unfold";
  return marker;
}
