import type { ErrorDetail } from '../../protocol/errors.ts';
import { findComponent, findDefinition } from '../component-files/find-component.ts';
import { findProblems, propPlaces } from './find-problems.ts';
import type { Range } from './problem.ts';

export interface DefinitionProblem extends Range {
  readonly message: string;
}

/** The runtime's message about a definition whose text has no `run`. */
const hasNoRun = /it has neither run\(\) nor props/;

/**
 * The places of an evaluated definition's problems in its text: at the prop concerned, otherwise at the default export.
 * Problems that the text shows without being run are marked already (find-problems.ts), and left out.
 */
export function definitionProblems(
  text: string,
  details: readonly Pick<ErrorDetail, 'message' | 'prop'>[],
): DefinitionProblem[] {
  const marked = findProblems(text, '').filter(({ severity }) => severity === 'error');
  const isMarked = (message: string): boolean =>
    marked.some((one) => one.message === message) ||
    (hasNoRun.test(message) && marked.some(({ code }) => code === 'no-run'));
  const places = propPlaces(text);
  return details
    .filter(({ message }) => !isMarked(message))
    .map(({ message, prop }) => ({
      message,
      ...((prop === undefined ? undefined : places.get(prop)) ?? defaultExport(text)),
    }));
}

/** The line of the default export; the first line if there is none. */
function defaultExport(text: string): Range {
  const offset = findComponent(text)?.offset ?? findDefinition(text)?.offset ?? 0;
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', offset);
  return { start, end: end === -1 ? text.length : end };
}
