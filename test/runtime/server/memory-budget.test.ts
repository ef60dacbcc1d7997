/** Many sources on a server with little memory: idle processes end early, and nothing is lost by it. */
import { expect, test } from 'vitest';
import type { Source } from '../../../src/protocol/catalogue.ts';
import { allEvents } from '../../support/all-events.ts';
import { sourceFile, temporaryFolder } from '../../support/folder.ts';
import { postedStatus } from '../../support/post.ts';
import { startRuntime, type TestRuntime } from '../../support/runtime.ts';
import { until } from '../../support/until.ts';

async function processes({ url, apiKey }: TestRuntime): Promise<number> {
  const response = await fetch(`${url}/metrics`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  return Number(/^weir_component_processes (\d+)$/m.exec(await response.text())?.[1]);
}

const http = `props: { http: '$.interface.http' }`;

test('P22.10 a deploy leaves no process behind, nor does a call; a source that waits for a timer keeps its process', async () => {
  const folder = temporaryFolder();
  const runtime = await startRuntime({ folder, args: ['--memory', '512mb'] });
  const deploy = async (name: string, run: string): Promise<Source> => {
    const code = `export default { name: '${name}', ${http}, run({ body }) { ${run} } }`;
    const path = await sourceFile(folder, `${name}.mjs`, code);
    return runtime.restData<Source>('POST', '/v1/sources', { component_path: path });
  };
  const good = [];
  for (const name of ['a', 'b', 'c']) good.push(await deploy(name, 'this.$emit(body);'));
  const waiting = await deploy(
    'waiting',
    'this.$emit(body); setInterval(() => console.log("tick"), 60_000);',
  );
  await until('no process after the deploys', async (seen) => seen(await processes(runtime)) === 0);
  const call = async (source: Source, n: number): Promise<void> =>
    expect(await postedStatus(source.endpoint_url!, { n })).toBe(200);
  await Promise.all([...good, waiting].map((source) => call(source, 1)));
  await until('the one process', async (seen) => seen(await processes(runtime)) === 1);

  // Called again they are regular, and keep their processes.
  await Promise.all(good.map((source) => call(source, 2)));
  for (const source of [...good, waiting]) {
    const expected = source === waiting ? [1] : [1, 2];
    await until(`the events of ${source.name}`, async (seen) => {
      const events = await allEvents(runtime, source.id);
      const numbers = events.map(({ event }) => (event as { n: number }).n);
      return (
        seen(numbers)
          .toSorted((a, b) => a - b)
          .join() === expected.join()
      );
    });
  }
  expect(await processes(runtime)).toBe(4);
});
