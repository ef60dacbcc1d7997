/** The report of an import for a terminal. */
import { dirname, relative } from 'node:path';
import {
  importChanges,
  importStates,
  importSummary,
  submodulesHint,
} from '../../protocol/import-states.ts';
import { waysToGet } from '../../protocol/missing-components.ts';
import type { Result } from '../../protocol/catalogue.ts';
import { oneLine } from '../render/printable.ts';

type Report = Result<'imports.run'>;

const marks = { ready: '✔', answer: '?', cannot: '✖', unread: '✖', left_out: '–' } as const;
/** @param cwd what paths are shown below */
export function importText(report: Report, cwd: string): string {
  const { workflows, differs, written, submodules } = report;
  if (workflows.length === 0) return 'There is no workflow.yaml here.';
  const blocks = workflows.map(({ name, folder, state, findings, not_understood: unknown }) => {
    const where = folder === null ? '' : `  ${relative(cwd, folder) || '.'}`;
    const rows = findings.map(({ state: kind, message, file, line, step }) => {
      const mark = { answer: '?', cannot: '✖', note: '·' }[kind];
      const who = step === null ? '' : `${step}: `;
      const place = file === null ? '' : `  ${relative(cwd, file)}:${line}`;
      return `    ${mark} ${oneLine(`${who}${message}`)}${place}`;
    });
    const left = unknown.length === 0 ? [] : [`    · not understood: ${unknown.join(', ')}`];
    return [
      `${marks[state]} ${oneLine(name)}  ${importStates[state]}${where}`,
      ...rows,
      ...left,
    ].join('\n');
  });
  const ready = workflows.flatMap(({ state, folder }) =>
    state === 'ready' && folder !== null ? [folder] : [],
  );
  return [
    ...blocks,
    '',
    importSummary(workflows),
    ...(written.length > 0
      ? [`${written.length} ${written.length === 1 ? 'file' : 'files'} written.`]
      : []),
    ...differs.map(
      ({ file, change }) => `differs: ${relative(cwd, file)}  (${importChanges[change]})`,
    ),
    ...(differs.length > 0
      ? [
          `${differs.length} ${differs.length === 1 ? 'file differs and was' : 'files differ and were'} left as ${differs.length === 1 ? 'it is' : 'they are'}: --replace overwrites ${differs.length === 1 ? 'it' : 'them'}, your edits too.`,
        ]
      : []),
    ...(submodules.length > 0
      ? [`Submodules were not fetched: ${submodules.map(oneLine).join(', ')}. ${submodulesHint}`]
      : []),
    ...waysToGet(report, (command) => command),
    ...(ready.length > 0 ? [`Next: weir deploy ${relative(cwd, commonFolder(ready)) || '.'}`] : []),
  ].join('\n');
}

/** The folder itself if there is only one; otherwise the nearest common parent. */
function commonFolder(folders: readonly string[]): string {
  let [common = '.'] = folders;
  while (folders.some((one) => relative(common, one).startsWith('..'))) common = dirname(common);
  return common;
}
