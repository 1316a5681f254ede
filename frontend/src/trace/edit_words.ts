/** An edit in words before the server has said its sentence. */

/** Kind of edit → what it does, as an imperative that the objects follow. */
const DEEDS: Readonly<Record<string, string>> = {
  addNodes: "Add nodes like",
  apply: "Apply",
  arrivals: "Let pods arrive",
  cordon: "Cordon",
  delete: "Delete",
  drain: "Drain",
  label: "Label",
  lose: "Lose",
  mergePatch: "Change",
  observe: "Take over",
  removeNodes: "Remove",
  restore: "Restore",
  scale: "Scale",
  setImage: "Set the image of",
  setRequests: "Set the requests of",
  setTarget: "Set the load of",
  taint: "Taint",
  uncordon: "Uncordon",
  untaint: "Take the taint from",
  wait: "Wait",
};

export const EDIT_KINDS: readonly string[] = Object.keys(DEEDS);

interface Written {
  kind: string;
  [field: string]: unknown;
}

export function provisionalWords(edit: Written): string {
  const names = [edit["object"], ...((edit["nodes"] as string[] | undefined) ?? []), edit["zone"], edit["like"]].filter(Boolean).join(", ");
  const deed = DEEDS[edit.kind] ?? "Change";
  if (names) return `${deed} ${names}`;
  return deed.replace(/ (like|of|from)$/, "");
}
