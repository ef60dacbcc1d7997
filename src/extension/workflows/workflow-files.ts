import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Workflow } from '../../protocol/catalogue.ts';
import type { Folder } from '../connection/folder.ts';

/** Pins, and their folders: deleting a folder is reported as one change. */
export const pinGlob = '**/pins{,/*.json}';
export const workflowFileName = 'workflow.yaml';

/** A step's code: a file named `entry` in a folder of its own below that of the workflow. */
const stepFile = /^entry\.(?:js|mjs|cjs|ts|mts|cts|py|sh)$/;

/** The workflow that a file is, or is a step of; undefined for any other. */
export function workflowFileOf(file: string): string | undefined {
  const name = path.basename(file);
  if (name === workflowFileName) return file;
  if (!stepFile.test(name)) return undefined;
  const workflow = path.join(path.dirname(path.dirname(file)), workflowFileName);
  return existsSync(workflow) ? workflow : undefined;
}

/** Whether a file is the code of a step and no component of its own. */
export function isStepFile(file: string): boolean {
  return path.basename(file) !== workflowFileName && workflowFileOf(file) !== undefined;
}

/** The workflow that was deployed from a file. */
export function deployedFrom({ mirror }: Folder, file: string): Workflow | undefined {
  const folder = path.dirname(file);
  return mirror.workflows().find((workflow) => workflow.path === folder);
}

/** A step as the text of `workflow.yaml` has it. */
export interface StepInText {
  readonly namespace: string;
  /** From 0. */
  readonly line: number;
  readonly uses: string | undefined;
}

interface Item {
  readonly column: number;
  readonly keys: Map<string, { readonly value: string; readonly line: number }>;
}

/**
 * A quick scan of a text that may be half written: only the runtime parses it as YAML. Items of lists that have a
 * `namespace` are steps, wherever they are.
 */
export function stepsInText(text: string): StepInText[] {
  const all: Item[] = [];
  const open: Item[] = [];
  for (const [line, written] of text.split('\n').entries()) {
    const [, blank = '', dash = '', rest = ''] = /^(\s*)(-\s+)?(.*)$/.exec(written) ?? [];
    if (rest === '' || rest.startsWith('#')) continue;
    while (open.length > 0 && (open.at(-1)?.column ?? 0) > blank.length) open.pop();
    if (dash !== '') {
      const item: Item = { column: blank.length + dash.length, keys: new Map() };
      open.push(item);
      all.push(item);
    }
    const item = open.at(-1);
    const [, key, value = ''] = /^(\w+):\s*(.*?)\s*(?:\s#.*)?$/.exec(rest) ?? [];
    if (key === undefined || item?.column !== blank.length + dash.length) continue;
    item.keys.set(key, { value: unquoted(value), line });
  }
  return all.flatMap(({ keys }) => {
    const namespace = keys.get('namespace');
    if (namespace === undefined || namespace.value === '') return [];
    return [{ namespace: namespace.value, line: namespace.line, uses: keys.get('uses')?.value }];
  });
}

function unquoted(text: string): string {
  return /^(["']).*\1$/.test(text) ? text.slice(1, -1) : text;
}
