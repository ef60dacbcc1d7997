/** `$.send.sse`, read with a real EventSource (P25.55, W26 to W31 for what is sent). */
import { EventSource } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import type { Workflow } from '../../../src/protocol/catalogue.ts';
import { until } from '../../support/until.ts';
import { stepOf, workflowWorld } from './world.ts';

const world = workflowWorld();

const sending = (more: object = {}) =>
  world.deploy({
    steps: [
      {
        namespace: 'send',
        run: `for (const [channel, payload] of steps.trigger.event.messages) $.send.sse({ channel, payload })`,
      },
    ],
    ...more,
  });

type Message = readonly [channel: string, payload: unknown];
const send = (workflow: Workflow, ...messages: readonly Message[]) =>
  world.run(workflow, { messages });

/** Everything of these channels, as it comes. */
function follow(url: string, ...channels: readonly string[]) {
  const source = new EventSource(url, { node: { reconnectionTime: 50 } });
  const seen: Message[] = [];
  let opened = 0;
  source.addEventListener('open', () => (opened += 1));
  for (const channel of channels) {
    source.addEventListener(channel, (event) => {
      seen.push([channel, JSON.parse((event as Event & { readonly data: string }).data)]);
    });
  }
  onTestFinished(() => source.close());
  return { seen, opened: () => opened };
}

test('the newest 100 of each channel come first, then what is sent, without a key', async () => {
  const workflow = await sending();
  const many = Array.from({ length: 130 }, (_, n) => ['many', { n }] as const);
  await send(workflow, ['few', 'first'], ...many);
  const { seen, opened } = follow(workflow.stream_url, 'many', 'few');
  await until('what was there', () => seen.length === 101);
  expect(opened()).toBe(1);
  expect(seen[0]).toEqual(['few', 'first']);
  expect(seen.slice(1)).toEqual(many.slice(30));
  await send(workflow, ['many', ['ä', '\n', null]], ['few', 7]);
  await until('what came then', () => seen.length === 103);
  expect(seen.slice(101)).toEqual([
    ['many', ['ä', '\n', null]],
    ['few', 7],
  ]);
});

test('one channel has an address below that of the stream', async () => {
  const workflow = await sending();
  await send(workflow, ['a b/c', 1], ['other', 2]);
  const { seen } = follow(
    `${workflow.stream_url}/${encodeURIComponent('a b/c')}`,
    'a b/c',
    'other',
  );
  await until('what was there', () => seen.length === 1);
  await send(workflow, ['other', 3], ['a b/c', 4]);
  await until('what came then', () => seen.length === 2);
  expect(seen).toEqual([
    ['a b/c', 1],
    ['a b/c', 4],
  ]);
});

test('over a kill -9 nothing is missed and nothing comes twice (Last-Event-ID)', async () => {
  const workflow = await sending();
  const { seen, opened } = follow(workflow.stream_url, 'n');
  await until('the stream', () => opened() === 1);
  for (let n = 0; n < 5; n += 1) await send(workflow, ['n', n]);
  await until('what was sent', () => seen.length === 5);
  await world.runtime.kill();
  await world.start();
  for (let n = 5; n < 10; n += 1) await send(workflow, ['n', n]);
  await until('the second stream', () => opened() === 2);
  await send(workflow, ['n', 10]);
  await until('what came then', () => seen.length >= 11);
  expect(seen).toEqual(Array.from({ length: 11 }, (_, n) => ['n', n]));
});

test('it goes out at the end of the leg, also of a step that fails, and is listed with what was sent', async () => {
  const workflow = await world.deploy({
    steps: [
      {
        namespace: 'one',
        run: `$.send.sse('plain', { of: 'two arguments' }); return $.flow.suspend()`,
      },
      {
        namespace: 'two',
        run: `$.send.sse({ channel: 'c', payload: 'last words' }); throw new Error('x')`,
      },
    ],
  });
  const { seen } = follow(workflow.stream_url, 'plain', 'c');
  const { id } = await world.run(workflow);
  await until('the first leg', () => seen.length === 1);
  await world.resume(id);
  await until('the second leg', () => seen.length === 2);
  expect(seen).toEqual([
    ['plain', { of: 'two arguments' }],
    ['c', 'last words'],
  ]);
  const { sends } = await world.ended(id);
  expect(sends.map(({ kind, status, path }) => [kind, status, path])).toEqual([
    ['sse', 'sent', 'one'],
    ['sse', 'sent', 'two'],
  ]);
});

test.for([
  ['{ payload: 1 }', 'channel is required'],
  [`{ channel: 'a\\nb', payload: 1 }`, 'channel must be one line'],
  [`{ channel: 'a' }`, 'payload is required'],
] as const)('%s is told at the call', async ([config, why]) => {
  const workflow = await world.deploy({
    steps: [{ namespace: 'one', run: `$.send.sse(${config})` }],
  });
  const failed = await world.ended((await world.run(workflow)).id);
  expect(stepOf(failed, 'one').error?.message).toBe(
    `$send.sse: invalid value: ${why}${why.includes('one line') ? ' of at most 200 characters' : ''}.`,
  );
});

test('an address that was not made here, another method, and a page of another origin', async () => {
  const workflow = await sending();
  const { stream_url: url } = workflow;
  expect((await fetch(`${url.slice(0, -1)}${url.endsWith('0') ? '1' : '0'}`)).status).toBe(404);
  expect((await fetch(url.replace(workflow.id, 'p_other00'))).status).toBe(404);
  expect((await fetch(url, { method: 'POST' })).status).toBe(405);
  const head = await fetch(url, { method: 'HEAD' });
  expect(head.status).toBe(200);
  expect(head.headers.get('access-control-allow-origin')).toBe('*');
  expect((await fetch(`${url}?last_event_id=x`)).status).toBe(400);
  const { stdout } = await world.runtime.weir('list', 'streams');
  expect(stdout).toContain(url);
  await world.runtime.rest('DELETE', `/v1/workflows/${workflow.id}`);
  expect((await fetch(url)).status).toBe(404);
});
