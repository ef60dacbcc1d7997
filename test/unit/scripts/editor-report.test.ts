/** The driver of the editor layer keeps what was reported, however the extension host ends. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listen, type Report } from '../../../scripts/editor/report.mts';
import { judge, type Entry } from '../../../scripts/test/ledger.mts';
import { failuresIn, line } from '../../../scripts/test/result.mts';

const tests = ['one', 'two', 'three'].map((name) => ({
  title: `debugging: ${name}`,
  suite: 'debugging',
}));
const [one, two] = tests as [(typeof tests)[0], (typeof tests)[0]];
const start: Report = { t: 'start', pid: 1, about: 'VS Code', tests };

async function host(stallMs: number) {
  const entries: Entry[] = [];
  const write = (entry: Entry) => entries.push(entry);
  const reporter = await listen({ print: () => {}, write, stallMs });
  const socket: Socket = connect(reporter.port, '127.0.0.1');
  await once(socket, 'data');
  onTestFinished(() => {
    socket.destroy();
    reporter.release();
  });
  const report = (reports: readonly Report[]) =>
    socket.write(reports.map((one) => `${JSON.stringify(one)}\n`).join(''));
  return { entries, outcome: reporter.outcome, report, socket };
}

test('a whole run is in the ledger', async () => {
  const { entries, outcome, report } = await host(60_000);
  report([
    start,
    ...tests.flatMap((each): Report[] => [
      { t: 'test', ...each },
      { t: 'pass', ...each, ms: 1 },
    ]),
    { t: 'end', runtime: 7 },
  ]);
  expect(await outcome).toEqual({ extensionHost: 1, runtime: 7 });
  expect(line(judge('editor', [...entries, { t: 'ended' }], 0))).toBe('3 passed, 0 failed');
});

test('a stuck editor is found by its silence: what passed has passed, and the rest is named', async () => {
  const { entries, outcome, report } = await host(500);
  report([start, { t: 'test', ...one }, { t: 'pass', ...one, ms: 1 }, { t: 'test', ...two }]);
  await expect(outcome).rejects.toThrow('The editor is stuck: debugging: two did not end');
  const result = judge('editor', entries, 1);
  expect(line(result)).toBe('1 passed, 3 failed');
  const names = ['debugging: two', 'debugging: three', 'the editor layer'];
  expect(failuresIn(result).map(({ title }) => title)).toEqual(names);
});

test('an extension host that crashes leaves what it reported', async () => {
  const { entries, outcome, report, socket } = await host(60_000);
  report([start, { t: 'fail', ...one, error: 'Boom.' }, { t: 'test', ...two }]);
  socket.end();
  await expect(outcome).rejects.toThrow('The extension host ended before the tests did.');
  expect(line(judge('editor', entries, 1))).toBe('0 passed, 4 failed');
});

test('a skipped test without a reason has failed', async () => {
  const { entries, outcome, report } = await host(60_000);
  report([
    start,
    { t: 'skip', ...one, reason: 'no second window here' },
    { t: 'skip', ...two, reason: '' },
    { t: 'end', runtime: null },
  ]);
  await outcome;
  const result = judge('editor', [...entries, { t: 'ended' }], 0);
  expect(line(result)).toBe('0 passed, 2 failed, 1 not run');
});
