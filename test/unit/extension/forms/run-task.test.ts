import { expect, test } from 'vitest';
import type { Folder } from '../../../../src/extension/connection/folder.ts';
import { runTask } from '../../../../src/extension/forms/run-task.ts';

test('running an action from its form can be cancelled and shows its progress', async () => {
  const calls: unknown[][] = [];
  const client = {
    call: async (...call: unknown[]) => {
      calls.push(call);
      return { return_value: 1, summary: null, exports: {}, logs: [] };
    },
  };
  const folder = {
    key: '/w/.weir',
    link: { ready: async () => client },
  } as unknown as Folder;
  const shown: string[] = [];
  const context = {
    problems: { during: <T>(_file: string, build: () => Promise<T>) => build() },
    results: { show: async (title: string) => void shown.push(title) },
  };
  const { signal } = new AbortController();
  const progress = (): void => undefined;
  const task = runTask(context, folder, '/w/greet.mjs');
  await task.submit({ name: 'Ada' }, {}, { signal, progress });
  expect(calls).toEqual([
    [
      'actions.run',
      { component_path: '/w/greet.mjs', configured_props: { name: 'Ada' } },
      { signal, progress },
    ],
  ]);
  expect(shown).toEqual(['Run of greet.mjs']);
});
