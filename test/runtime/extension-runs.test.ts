import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { openWindow, type OpenWindow } from '../unit/extension/fake-vscode/open-window.ts';
import { commands, world } from '../unit/extension/fake-vscode/vscode.ts';
import { atEndOfSuite } from '../support/at-end.ts';
import { temporaryFolder } from '../support/folder.ts';
import { watchLog } from '../support/runtime-log.ts';

vi.mock('vscode', () => import('../unit/extension/fake-vscode/vscode.ts'));

/** Runs that a user starts, in a fake window with a real runtime. */
const atEnd = atEndOfSuite();
const { person } = world;
let folder: string;
let opened: OpenWindow;

beforeAll(async () => {
  folder = temporaryFolder(atEnd);
  // The runtime's key belongs to this test.
  vi.stubEnv('XDG_CONFIG_HOME', path.join(folder, 'config'));
  watchLog(path.join(folder, '.weir'));
  opened = await openWindow(folder);
  atEnd(async () => {
    await commands.executeCommand('weir.runtime.stop');
    opened.close();
  });
});

async function write(name: string, code: string): Promise<string> {
  const file = path.join(folder, `${name}.mjs`);
  await writeFile(file, code);
  return file;
}

const shown = (title: string) => world.progress.findLast((one) => one.title === title);

test('a dry run shows that it goes on, and its notification cancels it', async () => {
  const file = await write(
    'slow',
    `export default {
      key: "slow", name: "Slow", version: "0.0.1", type: "source",
      run() { return new Promise(() => setInterval(() => {}, 1000)); },
    };`,
  );
  person.will('Type JSON', '{}', 'Dry Run');
  const run = commands.executeCommand('weir.runWithEvent', file);
  await expect.poll(() => shown('Dry run of Slow')).toBeDefined();
  person.heard.length = 0;
  shown('Dry run of Slow')?.cancel();
  await run;
  expect(shown('Dry run of Slow')?.isOver).toBe(true);
  expect(person.heard).toEqual([]);
  expect(world.documents.active).toBeUndefined();
});

test('Run with Event says that it reads the file, and marks what is wrong in it', async () => {
  const code = (more = ''): string => `export default {
      key: "one", name: "One", version: "0.0.1", type: "source", run() { this.$emit({ n: 1 }); }, ${more}
    };`;
  const file = await write('one', code());
  await commands.executeCommand('weir.deploy', file);
  await write('one', code('props: {'));
  world.progress.length = 0;
  await commands.executeCommand('weir.runWithEvent', 'one');
  expect(shown('Reading one.mjs')?.messages).toContain('Bundling');
  expect(world.problems.get('weir')?.get(file)).toHaveLength(1);
  expect(person.heard.at(-1)).toContain('one.mjs');
});

test('a run with an event says how it ended, as Run does', async () => {
  await write(
    'one',
    `export default {
      key: "one", name: "One", version: "0.0.1", type: "source",
      run(event) { if (event.fail) throw new Error("No such n"); this.$emit(event); },
    };`,
  );
  await commands.executeCommand('weir.update', 'one');
  person.will('Type JSON', '{"n":1}', 'Run');
  await commands.executeCommand('weir.runWithEvent', 'one');
  expect(person.heard.at(-1)).toBe('$(check) One emitted 1 event');
  person.will('Type JSON', '{"fail":true}', 'Run');
  await commands.executeCommand('weir.runWithEvent', 'one');
  expect(person.heard.at(-1)).toBe('One failed. Error: No such n');
});
