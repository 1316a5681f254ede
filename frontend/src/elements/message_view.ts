/** The event's message as kube-scheduler writes it; each reason it counts leads to the nodes behind it. */

import { html, nothing } from "lit";
import type { CycleDetail, MessagePart } from "../api/detail";
import { counted } from "../base/format";
import { copyButton } from "./light";

export interface MessageHost {
  showReason(part: MessagePart): void;
}

/** `reason` is the one whose nodes are shown, "" for all. */
export function messageView(detail: CycleDetail, reason: string, host: MessageHost): unknown {
  const { message, message_parts: parts } = detail;
  if (!message) return nothing;
  return html`<section class="message" aria-label="Event message">
    <header class="sub"><h3>FailedScheduling</h3>${copyButton(message, "the message")}</header>
    <p class="mono">${parts.length ? parts.map((part) => piece(part, reason, host)) : message}</p>
  </section>`;
}

function piece(part: MessagePart, reason: string, host: MessageHost): unknown {
  if (!part.cause) return part.text;
  const pressed = part.cause === "filter" && reason === part.reason;
  const title = part.cause === "filter" ? `Show the ${counted(part.num_nodes ?? 0, "node")} that said so` : "Show what preemption looked at";
  const show = (event: Event) => {
    if (event instanceof KeyboardEvent && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    host.showReason(part);
  };
  // No button: the text has to break where a line ends.
  return html`<a role="button" tabindex="0" class="cause" aria-pressed=${pressed} title=${title} @click=${show} @keydown=${show}>${part.text}</a>`;
}
