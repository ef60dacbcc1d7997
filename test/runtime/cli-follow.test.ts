/** `weir events -f` and `weir logs -f` through a runtime that is killed and started again. */
import { join } from 'node:path';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import type { EmittedEvent, LogLine, Source } from '../../src/protocol/catalogue.ts';
import { post } from '../support/post.ts';
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
  const send = (n: number) => post(source.endpoint_url!, { n });
  const events = following(folder, 'events', 'inbox', '-n', '1');
  const logs = following(folder, 'logs', 'inbox');
  const numbers = () =>
    events.lines().map((one) => (one as EmittedEvent).event as { n: number; filler: string });
  const got = () => logs.lines().filter((one) => (one as LogLine).text.startsWith('got '));

  await send(1);
  await until('the first event', () => numbers().length === 1 && got().length === 1);
  await runtime.kill();
  runtime = await startRuntime({ folder });
  for (let n = 2; n <= 150; n++) await send(n);
  await until('the others', () => numbers().length >= 150 && got().length >= 150);
  const expected = Array.from({ length: 150 }, (_, i) => i + 1);
  expect(numbers().map(({ n }) => n)).toEqual(expected);
  expect(numbers().at(-1)?.filler).toHaveLength(2000);
  expect(got().map((one) => (one as LogLine).text)).toEqual(expected.map((n) => `got ${n}`));
  expect(await events.interrupt()).toBe(0);
  expect(await logs.interrupt()).toBe(0);
});

test('what a run says is shown while it goes on, once, and is in the list only with its end', async () => {
  const folder = temporaryFolder();
  const runtime = await startRuntime({ folder });
  const path = await sourceFile(
    folder,
    'slow.mjs',
    `export default { name: 'Slow', props: { http: '$.interface.http' },
      async run({ path }) {
        console.log('begins');
        await new Promise((resolve) => setTimeout(resolve, 50));
        console.warn('goes on');
        if (path === '/wait') await new Promise(() => setInterval(() => {}, 1000));
        console.log('ends');
      } }`,
  );
  const source = await runtime.weirJson<Source>('deploy', path);
  const logs = following(folder, 'logs', 'slow');
  await post(source.endpoint_url!, {});
  const texts = () => logs.lines().map((one) => (one as LogLine).text);
  await until('the first run', () => texts().includes('ends'));
  // What is said before it follows is shown with its run's end only.
  const client = await runtime.connect();
  await until('its two connections', async () => {
    return (await client.call('runtime.info', {})).clients === 3;
  });

  await post(`${source.endpoint_url!}/wait`, {}).catch(() => undefined);
  await until('what it says', () => texts().filter((text) => text === 'goes on').length === 2);
  const stored = async () =>
    (await runtime.restData<LogLine[]>('GET', `/v1/sources/${source.id}/logs`)).map(
      ({ text }) => text,
    );
  expect((await stored()).filter((text) => text === 'goes on')).toHaveLength(1);
  expect((await runtime.weir('stop', 'slow')).code).toBe(0);
  await until('its end', () => texts().some((text) => text.includes('cancelled')));
  // All that is stored was shown, and no line of it twice.
  const shown = texts();
  expect(shown.filter((text) => text === 'begins')).toHaveLength(2);
  expect(shown.filter((text) => text === 'goes on')).toHaveLength(2);
  expect(shown.filter((text) => text === 'ends')).toHaveLength(1);
  expect((await stored()).filter((text) => text === 'goes on')).toHaveLength(2);
  expect(await logs.interrupt()).toBe(0);
});
