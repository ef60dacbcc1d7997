/** The report of an import for a terminal. */
import { relative } from 'node:path';
import type { Result } from '../../protocol/catalogue.ts';
import { oneLine } from '../render/printable.ts';

type Report = Result<'imports.run'>;

const marks = { ready: '✔', answer: '?', cannot: '✖', left_out: '–' } as const;
const words = {
  ready: 'ready',
  answer: 'needs an answer',
  cannot: 'cannot run yet',
  left_out: 'left out of the export',
} as const;

/** Said of several. */
const plurals = { ...words, answer: 'need an answer' };

/** What is said of a file that differs. */
const changes = {
  newer: 'newer in the import, not edited here',
  edited: 'edited here, not newer in the import',
  both: 'edited here, and newer in the import',
  unknown: 'other content than in the import',
} as const;

/** @param cwd what paths are shown below */
export function importText({ workflows, differs, packages, written }: Report, cwd: string): string {
  if (workflows.length === 0) return 'There is no workflow.yaml here.';
  const blocks = workflows.map(({ name, folder, state, findings, not_understood: unknown }) => {
    const where = folder === null ? '' : `  ${relative(cwd, folder) || '.'}`;
    const rows = findings.map(({ state: kind, message, file, line, step }) => {
      const mark = { answer: '?', cannot: '✖', note: '·' }[kind];
      const who = step === null ? '' : `${step}: `;
      return `    ${mark} ${oneLine(`${who}${message}`)}  ${relative(cwd, file)}:${line}`;
    });
    const left = unknown.length === 0 ? [] : [`    · not understood: ${unknown.join(', ')}`];
    return [`${marks[state]} ${oneLine(name)}  ${words[state]}${where}`, ...rows, ...left].join(
      '\n',
    );
  });
  const count = (state: keyof typeof words): number =>
    workflows.filter((one) => one.state === state).length;
  const summary = (Object.keys(words) as (keyof typeof words)[])
    .filter((state) => count(state) > 0)
    .map((state) => `${count(state)} ${count(state) > 1 ? plurals[state] : words[state]}`)
    .join(', ');
  const first = workflows.find(({ state, folder }) => state === 'ready' && folder !== null)?.folder;
  return [
    ...blocks,
    '',
    `${workflows.length} ${workflows.length === 1 ? 'workflow' : 'workflows'}: ${summary}.`,
    ...(written.length > 0
      ? [`${written.length} ${written.length === 1 ? 'file' : 'files'} written.`]
      : []),
    ...differs.map(({ file, change }) => `differs: ${relative(cwd, file)}  (${changes[change]})`),
    ...(differs.length > 0
      ? [
          `${differs.length} ${differs.length === 1 ? 'file differs and was' : 'files differ and were'} left as ${differs.length === 1 ? 'it is' : 'they are'}: --replace overwrites ${differs.length === 1 ? 'it' : 'them'}, your edits too.`,
        ]
      : []),
    ...(packages.length > 0
      ? [`Missing components may come with: npm install ${packages.join(' ')}`]
      : []),
    ...(typeof first === 'string' ? [`Next: weir deploy ${relative(cwd, first) || '.'}`] : []),
  ].join('\n');
}
