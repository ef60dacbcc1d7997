/** `$.send.emit` with a `delivery_ts` (P25.56, P10.13). */
import { expect, test } from 'vitest';
import type { EmittedEvent } from '../../../src/protocol/catalogue.ts';
import { until } from '../../support/until.ts';
import { stepOf, workflowWorld } from './world.ts';

const world = workflowWorld();

test('waits until it is due, over a kill -9 too, and starts those that listen then', async () => {
  const emitter = await world.deploy({
    steps: [
      {
        namespace: 'one',
        run: `const at = Date.now();
              $.send.emit({ raw_event: { n: 1 }, delivery_ts: at + 3000 });
              $.send.emit({ raw_event: { n: 2 } });
              $.flow.delay(1);
              return at`,
      },
      {
        namespace: 'two',
        run: `$.send.emit({ name: 'named', raw_event: { n: 3 }, delivery_ts: steps.one.$return_value + 3100 })`,
      },
    ],
  });
  const listening = (event_name?: string) =>
    world.deploy({
      triggers: [{ id: emitter.id, props: event_name === undefined ? {} : { event_name } }],
      steps: [{ namespace: 'note', run: 'return [steps.trigger.event.n, Date.now()]' }],
    });
  const [plain, named] = [await listening(), await listening('named')];
  const { id } = await world.run(emitter);
  const at = stepOf(await world.ended(id), 'one').return_value as number;
  const summaries = async (query = '') =>
    world.runtime.restData<EmittedEvent[]>(
      'GET',
      `/v1/workflows/${emitter.id}/event_summaries?expand=event${query}`,
    );
  const numbers = (events: readonly EmittedEvent[]) =>
    events.map(({ event }) => (event as { raw_event: { n: number } }).raw_event.n);
  expect(numbers(await summaries())).toEqual([2]);
  expect(numbers(await summaries('&event_name=$in'))).toEqual([3, 1]);
  await world.allEnded(plain, 1);
  await world.restart();
  await until('what is due', async () => (await summaries()).length === 3);
  expect(numbers(await summaries())).toEqual([3, 1, 2]);
  expect(numbers(await summaries('&event_name=$in'))).toEqual([]);
  const heard = async (id: string) =>
    stepOf(await world.execution(id), 'note').return_value as [number, number];
  const [, second] = await world.allEnded(plain, 2);
  const [n, when] = await heard(second!.id);
  expect(n).toBe(1);
  expect(when).toBeGreaterThanOrEqual(at + 3000);
  const [third] = await world.allEnded(named, 1);
  expect((await heard(third!.id))[0]).toBe(3);
});
