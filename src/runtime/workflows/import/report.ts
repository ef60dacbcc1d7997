/** The result of an import: by workflow what is ready, what needs an answer, and what is impossible (pure). */
import { relative } from 'node:path';
import { importChanges, importSummary, submodulesHint } from '../../../protocol/import-states.ts';
import { waysToGet } from '../../../protocol/missing-components.ts';
import type { KeptFile } from './write-files.ts';

/** A question for a person, and how it is answered. */
export type Question =
  | { readonly kind: 'timer' | 'emitter'; readonly trigger: number }
  /** `id` is the platform's, `apn_…`: the same one in several places is one account. */
  | { readonly kind: 'account'; readonly id: string; readonly app: string | null }
  | { readonly kind: 'variable' | 'secret'; readonly name: string }
  | {
      readonly kind: 'component';
      readonly key: string;
      readonly reference: string;
      readonly package: string | null;
      /** The reference of the nearest version, where the registries were asked and have one. */
      readonly nearest?: string | null;
    };

export interface Finding {
  /** `note`: it runs all the same. */
  readonly state: 'answer' | 'cannot' | 'note';
  readonly message: string;
  /** Absolute; null where it is about no file that is here. */
  readonly file: string | null;
  /** From 1. */
  readonly line: number;
  /** Name of the step, if it is about one. */
  readonly step: string | null;
  readonly question?: Question;
}

export interface ImportedWorkflow {
  readonly name: string;
  /** `p_…` */
  readonly id: string | null;
  /** Absolute; null of one that is not here. */
  readonly folder: string | null;
  readonly state: 'ready' | 'answer' | 'cannot' | 'unread' | 'left_out';
  readonly findings: readonly Finding[];
  /** Parts of the export that have no place here: paths into its JSON. */
  readonly notUnderstood: readonly string[];
}

export interface ImportReport {
  readonly workflows: readonly ImportedWorkflow[];
  /** Files that were written, absolute. */
  readonly written: readonly string[];
  /** Files that were here with other content, and were left as they are. */
  readonly kept: readonly KeptFile[];
  /** Files of a ZIP that are no workflow. */
  readonly others: readonly string[];
  /** Paths of git submodules that were not fetched. */
  readonly submodules: readonly string[];
}

export function stateOf(findings: readonly Finding[]): 'ready' | 'answer' | 'cannot' {
  if (findings.some(({ state }) => state === 'cannot')) return 'cannot';
  return findings.some(({ state }) => state === 'answer') ? 'answer' : 'ready';
}

const titles = {
  ready: 'Ready',
  answer: 'Needs an answer',
  cannot: 'Cannot run yet',
  unread: 'Could not be read',
  left_out: 'Left out of the export',
} as const;

/**
 * @param base folder that paths are shown below
 * @param offersPublic whether the platform's public components are offered as a registry
 */
export function reportText(
  { workflows, kept, others, submodules }: ImportReport,
  base: string,
  offersPublic: boolean,
): string {
  const states = ['ready', 'answer', 'cannot', 'unread', 'left_out'] as const;
  const shown = (file: string): string => escaped(relative(base, file) || '.');
  const offers = { offers_public_components: offersPublic, packages: packagesIn(workflows) };
  const parts = [
    '# Imported workflows',
    workflows.length === 0 ? 'There is no workflow here.' : importSummary(workflows),
    ...waysToGet(offers, (command) => `\`${command}\``),
    ...states.flatMap((state) => section(state, workflows, shown)),
    ...listOf(
      'Files that differ',
      'They were left as they are; `--replace` overwrites them, your edits too.',
      kept.map(({ file, change }) => `${shown(file)}: ${importChanges[change]}`),
    ),
    ...listOf('Submodules that were not fetched', submodulesHint, submodules.map(escaped)),
    ...listOf('No workflows', 'Files of the export that hold none.', others.map(escaped)),
  ];
  return `${parts.join('\n\n')}\n`;
}

function section(
  state: ImportedWorkflow['state'],
  workflows: readonly ImportedWorkflow[],
  shown: (file: string) => string,
): string[] {
  const all = workflows.filter((one) => one.state === state);
  if (all.length === 0) return [];
  return [`## ${titles[state]}`, ...all.map((one) => workflowText(one, shown))];
}

function workflowText(
  { name, id, folder, findings, notUnderstood }: ImportedWorkflow,
  shown: (file: string) => string,
): string {
  const where = folder === null ? (id ?? '') : shown(folder);
  const rows = findings.map(({ state, message, file, line, step }) => {
    const who = step === null ? '' : `**${escaped(step)}**: `;
    const mark = { answer: '?', cannot: '✖', note: '·' }[state];
    if (file === null) return `- ${mark} ${who}${escaped(message)}`;
    // Editors and hosts of repositories take it from the root of the workspace.
    const target = encodeURI(`/${shown(file).replaceAll('\\', '')}`);
    return `- ${mark} ${who}${escaped(message)} [${shown(file)}:${line}](${target}#L${line})`;
  });
  const unknown =
    notUnderstood.length === 0
      ? []
      : [
          `- · Not understood, and kept in the original: ${notUnderstood.map((one) => `\`${one.replaceAll('`', "'")}\``).join(', ')}`,
        ];
  return [`### ${escaped(name)}`, ...(where === '' ? [] : ['', where]), '', ...rows, ...unknown]
    .join('\n')
    .trimEnd();
}

function listOf(title: string, text: string, rows: readonly string[]): string[] {
  if (rows.length === 0) return [];
  return [`## ${title}`, text, rows.map((row) => `- ${row}`).join('\n')];
}

/** Whether a step's component is not here. */
export function lacksComponents(workflows: readonly ImportedWorkflow[]): boolean {
  return workflows.some(({ findings }) =>
    findings.some(({ question }) => question?.kind === 'component'),
  );
}

/** The packages of missing components, each once. */
export function packagesIn(workflows: readonly ImportedWorkflow[]): string[] {
  const names = workflows.flatMap(({ findings }) =>
    findings.flatMap(({ question }) =>
      question?.kind === 'component' && question.package !== null ? [question.package] : [],
    ),
  );
  return [...new Set(names)].sort();
}

/** Text of others is text, whatever Markdown would make of it. */
function escaped(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>#|]/g, String.raw`\$&`);
}
