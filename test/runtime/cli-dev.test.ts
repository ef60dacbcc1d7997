/** `weir dev`: from the first deploy through saves, a compile error and a debugger to Ctrl-C. */
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Source } from '../../src/protocol/catalogue.ts';
import type { Change } from '../../src/protocol/rpc.ts';
import { connect } from '../../src/client/connection.ts';
import { findRuntime } from '../../src/client/runtime-file.ts';
import { gather, runCli, spawnCli } from '../support/cli.ts';
import { sourceFile, temporaryFolder } from '../support/folder.ts';
import { attach } from './support/inspector.ts';
import { until } from '../support/until.ts';

type Item = Change | { readonly type: 'source'; readonly source: Source };

async function developing(folder: string, file: string, ...args: string[]) {
  const cli = { configFolder: join(folder, 'config') };
  const data = join(folder, 'data');
  const child = spawnCli(['dev', file, '--json', '--data', data, ...args], cli);
  onTestFinished(() => void child.kill('SIGKILL'));
  const [stdout, stderr] = [gather(child.stdout), gather(child.stderr)];
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const items = () =>
    stdout()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Item);
  const said = (sentence: string | RegExp) =>
    until(`"${sentence}" to be said`, (seen) => seen(stderr()).search(sentence) !== -1);
  return {
    data,
    items,
    said,
    weir: (...more: string[]) => runCli([...more, '--json', '--data', data], cli),
    source: () =>
      until('the source', (seen) => {
        seen(stderr());
        return items().find((item) => item.type === 'source')?.source;
      }),
    events: () => items().flatMap((item) => (item.type === 'event' ? [item.event.event] : [])),
    async interrupt() {
      child.kill('SIGINT');
      return (await exited)[0];
    },
  };
}

const code = (word: string) =>
  `import { say } from './say.mjs';
   export default { name: 'Developed', run() { console.log('run'); this.$emit(say('${word}')); } };`;
const say = (mark: string) => `export const say = (word) => word + '${mark}';`;

test('brings a runtime, updates at each save of any file, keeps the code over errors', async () => {
  const folder = temporaryFolder();
  await sourceFile(folder, 'say.mjs', say('!'));
  const file = await sourceFile(folder, 'developed.mjs', code('one'));
  const dev = await developing(folder, file);
  const { id } = await dev.source();
  const invoke = () => dev.weir('invoke', id);
  await invoke();
  await until('the event', () => dev.events().includes('one!'));
  expect(dev.items()).toContainEqual(
    expect.objectContaining({ type: 'log', line: expect.objectContaining({ text: 'run' }) }),
  );

  await sourceFile(folder, 'developed.mjs', code('two'));
  await dev.said('Updated');
  await invoke();
  await until('the event', () => dev.events().includes('two!'));

  await sourceFile(folder, 'say.mjs', 'export const say = (');
  await dev.said(/say\.mjs:1:\d+ .*/);
  await invoke();
  await until('another event', () => dev.events().filter((one) => one === 'two!').length === 2);

  await sourceFile(folder, 'say.mjs', say('?'));
  await until('the new code', async () => {
    await invoke();
    return dev.events().includes('two?');
  });
  expect(await dev.interrupt()).toBe(0);

  const again = await developing(folder, file);
  expect((await again.source()).id).toBe(id);
  expect(await again.interrupt()).toBe(0);
});

test('a workflow is deployed again at each save of a file it is made of', async () => {
  const folder = temporaryFolder();
  const step = (word: string) =>
    `import { say } from '../../say.mjs';
     export default defineComponent({ run({ $ }) { console.log('ran'); $.send.emit({ raw_event: say('${word}') }); } });`;
  await sourceFile(folder, 'say.mjs', say('!'));
  await mkdir(join(folder, 'followed', 'speak'), { recursive: true });
  await sourceFile(folder, 'followed/speak/entry.mjs', step('one'));
  const yaml =
    'schema: workflow/2022.04\nname: Followed\nsteps:\n  - { namespace: speak, uses: ./speak/entry.mjs }\n';
  await sourceFile(folder, 'followed/workflow.yaml', yaml);
  const dev = await developing(folder, join(folder, 'followed'));
  await until('the workflow', () => dev.items().some(({ type }) => type === 'workflow'));
  const raw = () =>
    dev.events().map((event) => (event as { raw_event?: unknown }).raw_event ?? event);
  await dev.weir('invoke', 'followed');
  await until('the event', () => raw().includes('one!'));
  await until('its end', () =>
    dev.items().some((item) => item.type === 'execution' && item.execution.status === 'succeeded'),
  );
  expect(dev.items()).toContainEqual(
    expect.objectContaining({ type: 'log', line: expect.objectContaining({ text: 'ran' }) }),
  );

  // A file outside of its folder that a step imports.
  await sourceFile(folder, 'say.mjs', say('?'));
  await dev.said('Updated');
  await dev.weir('invoke', 'followed');
  await until('the event of the new code', () => raw().includes('one?'));

  await sourceFile(folder, 'followed/speak/entry.mjs', 'export default (');
  await dev.said(/speak\/entry\.mjs:1:\d+ .*/);
  await sourceFile(folder, 'followed/speak/entry.mjs', step('two'));
  await until('the event after the mistake', async () => {
    await dev.weir('invoke', 'followed');
    return raw().includes('two?');
  });

  await sourceFile(folder, 'followed/workflow.yaml', yaml.replace('Followed', 'Renamed'));
  await until('the new name', async () => {
    const { stdout } = await dev.weir('list', 'workflows');
    return stdout.includes('Renamed');
  });
  expect(await dev.interrupt()).toBe(0);
});

test('flags of sources are refused for a workflow', async () => {
  const folder = temporaryFolder();
  await mkdir(join(folder, 'w'));
  await sourceFile(folder, 'w/workflow.yaml', 'schema: workflow/2022.04\nname: W\n');
  const { stderr, code: exitCode } = await runCli(['dev', join(folder, 'w'), '--prompt-all'], {
    configFolder: join(folder, 'config'),
  });
  expect(stderr).toContain(
    '--prompt-all is for sources: a workflow has its values in workflow.yaml.',
  );
  expect(exitCode).toBe(2);
});

test('--inspect lets a debugger attach, again after each update', async () => {
  const folder = temporaryFolder();
  const file = await sourceFile(
    folder,
    'inspected.mjs',
    'export default { name: "I", props: {}, run() { debugger; } };',
  );
  const dev = await developing(folder, file, '--inspect');
  const urls = () =>
    dev.items().flatMap((item) => (item.type === 'debug' ? [item.process.url] : []));
  const first = await until('a debugger to be waited for', () => urls().at(0));
  const inspector = await attach(first);
  await inspector.begin();
  const { id } = await dev.source();
  const invoked = dev.weir('invoke', id);
  expect((await inspector.paused()).callFrames[0]?.functionName).toBe('run');
  await inspector.resume();
  expect((await invoked).code).toBe(0);

  await sourceFile(
    folder,
    'inspected.mjs',
    'export default { name: "I", props: {}, run() { const a = 2; debugger; } };',
  );
  const second = await until('the next process', () => urls().at(1));
  const other = await attach(second);
  await other.begin();
  await dev.said('Updated');
  expect(inspector.closed).toBe(true);
  const runtime = await until('the runtime', () => findRuntime(dev.data));
  const watcher = await connect(runtime);
  onTestFinished(() => watcher.close());
  expect(await dev.interrupt()).toBe(0);
  await until('the inspector to close', () => other.closed);
  expect((await watcher.call('sources.get', { id })).debug).toBeNull();
});
