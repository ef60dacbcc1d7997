/** The question before a component is updated or ejected (pure; P27.11). */
import type { Result } from '../../protocol/catalogue.ts';
import type { VersionStatus } from './version-status-text.ts';

export type Comparison = Result<'components.compare'>;

/** @param uses what a workflow names it by; undefined when it is about what sources run */
export function updateDetail({ changes, used_by: users }: Comparison, uses?: string): string {
  const names = users.map(({ name }) => name);
  return [
    ...(changes === null
      ? ['What is locked is not there any more, so that nobody can say what else changes.']
      : changes.length === 0
        ? ['Nothing changes but its code.']
        : changes.map(({ message }) => message)),
    '',
    uses !== undefined
      ? `"uses: ${uses}" is changed in the workflow; sources keep the version that they have.`
      : names.length === 0
        ? 'No source runs it.'
        : `Sources that go over to it: ${names.join(', ')}. They keep their data and endpoints.`,
  ].join('\n');
}

/** @param uses what a workflow names it by */
export function ejectDetail({ used_by: users }: VersionStatus, uses?: string): string {
  const sources = users.filter(({ type }) => type === 'source').map(({ name }) => name);
  return [
    'Its files become a folder of the workspace, and weir.lock.json forgets it: nobody tells of newer versions any more.',
    ...(sources.length === 0 ? [] : [`Sources that run the copy: ${sources.join(', ')}.`]),
    ...(uses === undefined ? [] : [`"uses: ${uses}" becomes the path of its file.`]),
  ].join('\n');
}
