import { expect, test } from 'vitest';
import { Folder } from '../../../../src/extension/connection/folder.ts';
import { restoreTask } from '../../../../src/extension/forms/restore-task.ts';
import {
  parseSubject,
  subjectKey,
  type FormSubject,
} from '../../../../src/extension/forms/subject.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

const subjects: FormSubject[] = [
  { kind: 'deploy', runtime: '/w/.weir', file: '/w/a.mjs' },
  { kind: 'deploy', runtime: '/w/.weir', file: '/w/a.mjs', endpoints: { http: 'hi_0000001' } },
  { kind: 'update', runtime: '/w/.weir', id: 'dc_1', file: '/w/a.mjs' },
  { kind: 'configure', runtime: '/w/.weir', id: 'dc_1' },
];

test.each(subjects)('$kind is read as it was kept', (subject) => {
  expect(parseSubject(JSON.parse(JSON.stringify(subject)))).toEqual(subject);
});

test.each([
  [null],
  ['deploy'],
  [{ kind: 'delete', runtime: '/w/.weir', id: 'dc_1' }],
  [{ kind: 'deploy', runtime: '/w/.weir' }],
  [{ kind: 'configure', id: 'dc_1' }],
  [{ kind: 'configure', runtime: '/w/.weir', id: 1 }],
])('%j is not a subject', (kept) => {
  expect(parseSubject(kept)).toBeUndefined();
});

test('a source has one form, whether its code or only its props change', () => {
  const [deploy, , update, configure] = subjects.map((subject) => subjectKey(subject));
  expect(update).toBe(configure);
  expect(deploy).not.toBe(update);
});

const folder = new Folder({
  name: 'w',
  root: '/w',
  dataFolder: '/w/.weir',
  openLocal: () => Promise.reject(new Error('Not needed.')),
  openRemote: () => Promise.reject(new Error('Not needed.')),
  remote: undefined,
  log: () => undefined,
  isFocused: () => false,
  clock: new FakeClock(),
});
const folders = {
  withKey: (key: string | null | undefined) => (key === folder.key ? folder : undefined),
};
const context = {
  problems: { during: () => Promise.reject(new Error('Not needed.')) },
  results: { show: () => Promise.reject(new Error('Not needed.')) },
  done() {},
};

test.each(subjects)('$kind comes back after a reload of the window', (subject) => {
  expect(restoreTask(context, folders, subject)?.subject).toMatchObject(subject);
});

test.each<[string, FormSubject]>([
  ['a folder that is not open', { kind: 'configure', runtime: '/x/.weir', id: 'dc_1' }],
  ['a file outside the folder', { kind: 'deploy', runtime: '/w/.weir', file: '/etc/a.mjs' }],
  ['an action outside the folder', { kind: 'run', runtime: '/w/.weir', file: '/etc/a.mjs' }],
  ['a file beside it', { kind: 'deploy', runtime: '/w/.weir', file: '/w/../x/a.mjs' }],
])('%s does not', (_, subject) => {
  expect(restoreTask(context, folders, subject)).toBeUndefined();
});
