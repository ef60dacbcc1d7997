import type { ErrorDetail } from '../../protocol/errors.ts';
import { findComponent, findDefinition } from '../component-files/find-component.ts';
import { findProblems, propPlaces } from './find-problems.ts';
import type { Range } from './problem.ts';

export interface DefinitionProblem extends Range {
  readonly message: string;
}

/** What the runtime says of a definition that lacks the `run` which the text lacks. */
const hasNoRun = /it has neither run\(\) nor props/;

/**
 * Where what is wrong with an evaluated definition stands in its text: at the prop it is about, else at the default
 * export. What the text shows without being run is marked there already (find-problems.ts), and left out.
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
