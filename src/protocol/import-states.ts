/** The words of an import's report, which every face has (pure). */
import type { Result } from './catalogue.ts';

type Report = Result<'imports.run'>;
type State = Report['workflows'][number]['state'];

/** The states of an imported workflow, in the order of the report. */
export const importStates = {
  ready: 'ready',
  answer: 'needs an answer',
  cannot: 'cannot run yet',
  unread: 'could not be read',
  left_out: 'left out of the export',
} as const satisfies Readonly<Record<State, string>>;

const plurals: Readonly<Record<State, string>> = { ...importStates, answer: 'need an answer' };

/** How a file here differs from the one in the import. */
export const importChanges = {
  newer: 'newer in the import, not edited here',
  edited: 'edited here, not newer in the import',
  both: 'edited here, and newer in the import',
  unknown: 'other content than in the import',
} as const satisfies Readonly<Record<Report['differs'][number]['change'], string>>;

/** `3 workflows: 1 ready, 2 need an answer.` @param workflows one at least */
export function importSummary(workflows: readonly { readonly state: State }[]): string {
  const counts = (Object.keys(importStates) as State[]).flatMap((state) => {
    const count = workflows.filter((one) => one.state === state).length;
    if (count === 0) return [];
    return [`${count} ${count === 1 ? importStates[state] : plurals[state]}`];
  });
  const all = `${workflows.length} ${workflows.length === 1 ? 'workflow' : 'workflows'}`;
  return `${all}: ${counts.join(', ')}.`;
}

/** How to import what a repository keeps in submodules. */
export const submodulesHint =
  'Clone the repository with "git clone --recurse-submodules", and import its folder.';
