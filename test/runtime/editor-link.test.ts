/** The editor's connection to a server that is killed and started again while somebody goes on working. */
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/client/connection.ts';
import { systemClock as clock } from '../../src/extension/clock.ts';
import { RuntimeLink } from '../../src/extension/connection/runtime-link.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startRuntime } from '../support/runtime.ts';
import { until } from '../support/until.ts';

test('commands during an outage fail, and the connection comes back by itself', async () => {
  const folder = temporaryFolder();
  const server = await startRuntime({ folder });
  const lines: string[] = [];
  const link = new RuntimeLink({
    open: async () =>
      Object.assign(await connect(server), { url: server.url, isRemote: true as const }),
    isRemote: () => true,
    connected: () => Promise.resolve(),
    log: (line) => lines.push(line),
    clock,
  });
  onTestFinished(() => link.dispose());
  const replay = async (): Promise<unknown> =>
    (await link.ready()).call('runtime.info', {}).then(() => 'answered');
  expect(await replay()).toBe('answered');
  await server.kill();
  for (let clicks = 0; clicks < 8; clicks++) {
    await expect(replay()).rejects.toMatchObject({ code: 'runtime_unavailable' });
    expect(link.state).toBe('starting');
  }
  const next = await startRuntime({ folder, args: ['--port', new URL(server.url).port] });
  // Nobody clicks any more.
  await until('the connection to be back', () => link.client !== undefined);
  expect((await link.client?.call('runtime.info', {}))?.pid).toBe(next.pid);
  expect([link.state, link.failure]).toEqual(['ready', undefined]);
});
