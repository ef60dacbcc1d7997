/** `.workflow.state`: the id of the workflow of a folder, as git-sync writes it (pure). */

/** Undefined of a text without one. */
export function readState(text: string): string | undefined {
  return /^id:\s*["']?(p_[0-9A-Za-z]+)["']?\s*$/m.exec(text)?.[1];
}

export function stateText(id: string): string {
  return `# This file is written by Weir. Do not edit it: it says which workflow this folder is.\n---\nschema: workflow.state/2022.04\nid: ${id}\n`;
}
