import path from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { openWindow, type OpenWindow } from '../unit/extension/fake-vscode/open-window.ts';
import { CancellationTokenSource, commands, world } from '../unit/extension/fake-vscode/vscode.ts';
import { atEndOfSuite } from '../support/at-end.ts';
import { sourceFile, temporaryFolder } from '../support/folder.ts';
import { watchLog } from '../support/runtime-log.ts';
import { until } from '../support/until.ts';

vi.mock('vscode', () => import('../unit/extension/fake-vscode/vscode.ts'));

/** Tools for the editor's language models, in a fake window with a real runtime. */
const atEnd = atEndOfSuite();
let file: string;
let folder: string;
let opened: OpenWindow;

const counter = `export default {
  name: 'Counter', type: 'source', key: 'test-counter', version: '0.0.1',
  props: { http: '$.interface.http' },
  async run(event) {
    if (event.slow) await new Promise((resolve) => setTimeout(resolve, 600000));
    this.$emit({ got: event.n });
  },
}`;

beforeAll(async () => {
  vi.stubEnv('XDG_CONFIG_HOME', path.join(temporaryFolder(atEnd), 'config'));
  folder = temporaryFolder(atEnd);
  file = await sourceFile(folder, 'counter.mjs', counter);
  watchLog(path.join(folder, '.weir'));
  opened = await openWindow(folder);
  atEnd(async () => {
    await commands.executeCommand('weir.runtime.stop');
    opened.close();
  });
});

function tool(name: string) {
  const found = world.tools.get(name);
  if (found === undefined) throw new Error(`There is no tool ${name}.`);
  return found;
}

async function answer(name: string, input: object, token = new CancellationTokenSource().token) {
  const { content } = await tool(name).invoke({ input }, token);
  return JSON.parse(content[0]?.value ?? '') as { from: object; data: never };
}

test('every tool of the manifest is there, under the name that weir mcp has for it', () => {
  expect([...world.tools.keys()]).toEqual(
    manifest.contributes.languageModelTools.map(({ name }) => name),
  );
  expect(world.tools.has('weir_list_events')).toBe(true);
});

test('a call starts the runtime; a source is deployed, run and read by tools alone', async () => {
  const { data: source } = await answer('weir_deploy_source', { component_path: file });
  expect(source).toMatchObject({ name: 'Counter', active: true });
  await answer('weir_run', { id: 'counter', event: { n: 7 } });
  const { from, data } = await answer('weir_list_events', { id: 'counter' });
  expect(from).toMatchObject({ operation: 'events.list', untrusted: true });
  expect(data).toMatchObject([{ event: { got: 7 } }]);
});

test('what only reads is not asked about, what does more shows what it was given', () => {
  const { confirmationMessages } = tool('weir_list').prepareInvocation({ input: {} });
  expect(confirmationMessages).toBeUndefined();
  const asked = tool('weir_run').prepareInvocation({ input: { id: 'counter' } });
  expect(asked.confirmationMessages?.title).toBe('Weir: Run a source or workflow?');
  expect(asked.confirmationMessages?.message.value).toContain('"id": "counter"');
});

test('what went wrong is an error in one sentence', async () => {
  await expect(answer('weir_describe', { id: 'nothing' })).rejects.toThrow(
    'There is no source or workflow "nothing"',
  );
  await expect(answer('weir_describe', { id: 'counter', folder: 'blog' })).rejects.toThrow(
    `Set folder to one of this window's folders: ${JSON.stringify(path.basename(folder))}.`,
  );
});

test('a call that is cancelled is not waited for any more; its run is ended by weir_cancel_run (P12.24)', async () => {
  const cancelling = new CancellationTokenSource();
  const waiting = answer('weir_run', { id: 'counter', event: { slow: true } }, cancelling.token);
  waiting.catch(() => undefined);
  // Not by tools, whose calls are counted.
  const { runtime } = opened.api;
  const newest = async () => (await runtime.call('invocations.list', { id: 'counter' })).data[0];
  await until('the run', async () => (await newest())?.status === 'running');
  cancelling.cancel();
  await expect(waiting).rejects.toThrow(/abort/i);
  await answer('weir_cancel_run', { id: 'counter', run_id: (await newest())?.id });
  await until('its end', async () => (await newest())?.status === 'cancelled');
});

test('calls go on with a runtime that was started again', async () => {
  await commands.executeCommand('weir.runtime.stop');
  const { data } = await answer('weir_list', { what: 'sources' });
  expect(data).toMatchObject([{ name: 'Counter' }]);
});
