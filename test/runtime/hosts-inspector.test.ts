import { expect, test } from 'vitest';
import type { FromHost } from '../../src/protocol/host.ts';
import { Child } from '../../src/runtime/processes/child.ts';
import { hostEntry } from './hosts-helper.ts';

test('a host opens its own inspector on request and closes it again', async () => {
  const child = new Child({
    entry: await hostEntry(),
    execPath: process.execPath,
    memoryMb: 128,
    environment: {},
    token: 'inspected',
  });
  const urls: (string | null)[] = [];
  child.observe({
    message(message: FromHost) {
      if (message.t === 'inspector') urls.push(message.url);
    },
    exited() {},
  });
  child.send({ t: 'inspect', on: true });
  child.send({ t: 'inspect', on: true });
  await expect.poll(() => urls).toHaveLength(2);
  expect(urls[0]).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\//);
  expect(urls[1]).toBe(urls[0]);
  const listing = await fetch(`http://${new URL(urls[0] ?? '').host}/json/list`);
  expect(await listing.json()).toMatchObject([{ type: 'node' }]);
  child.send({ t: 'inspect', on: false });
  await expect.poll(() => urls).toHaveLength(3);
  expect(urls[2]).toBeNull();
  child.kill();
  await child.exited;
  expect(child.alive).toBe(false);
});
