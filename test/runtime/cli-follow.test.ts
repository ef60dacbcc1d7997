/** `weir events -f` and `weir logs -f` through a runtime that is killed and started again. */
import { join } from 'node:path';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import type { EmittedEvent, LogLine, Source } from '../../src/protocol/catalogue.ts';
import { gather, spawnCli } from '../support/cli.ts';
import { sourceFile, temporaryFolder } from '../support/folder.ts';
import { startRuntime } from '../support/runtime.ts';
import { until } from '../support/until.ts';

const code = `export default {
  name: 'Inbox', props: { http: '$.interface.http' },
  run({ body }) { console.log('got ' + body.n); this.$emit({ n: body.n, filler: 'x'.repeat(2000) }) },
}`;

interface Following {
  lines(): unknown[];
  /** Ctrl-C; resolves with the exit code. */
  interrupt(): Promise<number | null>;
}

function following(folder: string, ...args: string[]): Following {
  const child = spawnCli([...args, '-f', '--json', '--data', join(folder, 'data')], {
    configFolder: join(folder, 'config'),
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const printed = gather(child.stdout);
  const exited = once(child, 'exit') as Promise<[number | null]>;
  return {
    lines: () =>
      printed()
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as unknown),
    async interrupt() {
      child.kill('SIGINT');
      const [exitCode] = await exited;
      return exitCode;
    },
  };
}

test('nothing is left out or shown twice, and Ctrl-C ends with 0', async () => {
  const folder = temporaryFolder();
  let runtime = await startRuntime({ folder });
  const path = await sourceFile(folder, 'inbox.mjs', code);
  const source = await runtime.weirJson<Source>('deploy', path);
  const post = async (n: number): Promise<void> => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ n });
    await fetch(source.endpoint_url!, { method: 'POST', headers, body });
  };
  const events = following(folder, 'events', 'inbox', '-n', '1');
  const logs = following(folder, 'logs', 'inbox');
  const numbers = () =>
    events.lines().map((one) => (one as EmittedEvent).event as { n: number; filler: string });
  const got = () => logs.lines().filter((one) => (one as LogLine).text.startsWith('got '));

  await post(1);
  await until('the first event', () => numbers().length === 1 && got().length === 1);
  await runtime.kill();
  runtime = await startRuntime({ folder });
  for (let n = 2; n <= 150; n++) await post(n);
  await until('the others', () => numbers().length >= 150 && got().length >= 150);
  const expected = Array.from({ length: 150 }, (_, i) => i + 1);
  expect(numbers().map(({ n }) => n)).toEqual(expected);
  expect(numbers().at(-1)?.filler).toHaveLength(2000);
  expect(got().map((one) => (one as LogLine).text)).toEqual(expected.map((n) => `got ${n}`));
  expect(await events.interrupt()).toBe(0);
  expect(await logs.interrupt()).toBe(0);
});
