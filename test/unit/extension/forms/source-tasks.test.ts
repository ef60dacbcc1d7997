import { expect, test } from 'vitest';
import type { Definition } from '../../../../src/extension/component-files/inspect.ts';
import type { Folder } from '../../../../src/extension/connection/folder.ts';
import { propsTask } from '../../../../src/extension/forms/source-tasks.ts';

test('a dry run from a form can be cancelled there and shows its progress there', async () => {
  const never = () => Promise.reject(new Error('Not needed.'));
  const context = { problems: { during: never }, results: { show: never }, done() {} };
  const folder = { key: '/w/.weir' } as Folder;
  const definition = { name: 'Orders' } as Definition;
  const submitted: unknown[][] = [];
  const task = propsTask(context, folder, '/w/a.mjs', definition, 'Dry Run', async (...given) => {
    submitted.push(given);
  });
  const options = { signal: new AbortController().signal, progress() {} };
  await task.submit({ zone: 'eu' }, {}, options);
  expect(submitted).toEqual([[{ zone: 'eu' }, options]]);
});
