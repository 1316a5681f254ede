/** What is open in the editor of a what-if, and what becomes of it: one object, or manifests to apply. */

import { readObject } from "../api/objects";
import type { KubeObject } from "../api/objects";
import type { Edit } from "../api/plans";
import { ApiError } from "../api/problem";
import { toYaml } from "../base/yaml";
import { editsOf } from "../trace/replacing";
import type { Written } from "../trace/replacing";
import type { WhatIfDesk } from "./what_if_desk";

export interface Opened {
  title: string;
  /** What "done" means, on the button. */
  verb: string;
  text: string;
  /** Puts what was written on the stack. */
  done: (objects: KubeObject[]) => void;
}

export class DeskEditor {
  opened: Opened | null = null;

  constructor(private readonly desk: WhatIfDesk) {}

  /** Manifests that are written now: a pod to begin with, or nothing. */
  manifests(text = "", title = "Apply YAML"): void {
    this.open({ title, verb: "Apply", text, done: (objects) => this.desk.change((stack) => stack.add({ kind: "apply", objects })) });
  }

  /** The manifests of an edit that is on the stack. */
  applied(index: number, objects: readonly KubeObject[]): void {
    const done = (next: KubeObject[]) => this.desk.change((stack) => stack.replace(index, { kind: "apply", objects: next }));
    this.open({ title: "Change what is applied", verb: "Change", text: objects.map(toYaml).join("---\n"), done });
  }

  /** An object as the cluster has it; what is changed of it becomes edits. */
  async object(key: string): Promise<void> {
    try {
      const { clusterId, revision } = this.desk;
      const object = await readObject(clusterId, key, revision);
      const done = ([next]: KubeObject[]) => {
        const edits: Edit[] = next ? editsOf(key, object as unknown as Written, next as unknown as Written) : [];
        if (edits.length) this.desk.change((stack) => stack.add(...edits));
      };
      this.open({ title: key, verb: "Change", text: toYaml(object), done });
    } catch (error) {
      this.desk.complain(error instanceof ApiError ? error.message : "The object could not be read.");
    }
  }

  close(): void {
    this.opened = null;
    this.desk.touch();
  }

  private open(opened: Opened): void {
    this.opened = opened;
    this.desk.touch();
  }
}
