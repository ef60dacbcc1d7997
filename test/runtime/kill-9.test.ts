import { expect, test } from 'vitest';
import type { Source } from '../../src/protocol/catalogue.ts';
import { allEvents } from '../support/all-events.ts';
import { sourceFile, temporaryFolder } from '../support/folder.ts';
import { postedStatus } from '../support/post.ts';
import { startRuntime } from '../support/runtime.ts';
import { until } from '../support/until.ts';

/**
 * kill -9 of the runtime under load, again and again: every request that was answered 200 is an event
 * after the restart (at least once), the db never goes back, and the endpoint stays where it was.
 * `WEIR_KILLS=100 npm run test:runtime -- kill-9` for the long run.
 */
const kills = Number(process.env['WEIR_KILLS'] ?? 4);

const code = `export default {
  name: 'Counted', props: { http: '$.interface.http', db: '$.service.db', timer: { type: '$.interface.timer', default: { intervalSeconds: 3600 } } },
  run({ body }) { this.db.set('count', (this.db.get('count') ?? 0) + 1); this.$emit({ number: body.number, count: this.db.get('count') }) },
}`;

test(
  `nothing that was acknowledged is lost over ${kills} kills`,
  { timeout: 60_000 + kills * 6000 },
  async () => {
    const folder = temporaryFolder();
    const path = await sourceFile(folder, 'counted.mjs', code);
    // All events are counted at the end: none may be removed for its number.
    const args = ['--set', 'retention.events=1000000'];
    let runtime = await startRuntime({ folder, args });
    const source = await runtime.restData<Source>('POST', '/v1/sources', { component_path: path });
    const acknowledged: number[] = [];
    let number = 0;

    for (let kill = 0; kill < kills; kill += 1) {
      const enough = acknowledged.length + 200;
      const load = { on: true };
      const callers = Array.from({ length: 8 }, async () => {
        while (load.on) {
          number += 1;
          const mine = number;
          if ((await postedStatus(source.endpoint_url!, { number: mine })) === 200)
            acknowledged.push(mine);
        }
      });
      await until('some load', () => acknowledged.length >= enough);
      await runtime.kill();
      load.on = false;
      await Promise.all(callers);
      runtime = await startRuntime({ folder, args });
    }

    const events = await until('all events', async () => {
      const all = await allEvents(runtime, source.id);
      const numbers = new Set(all.map(({ event }) => (event as { number: number }).number));
      return acknowledged.every((one) => numbers.has(one)) && all;
    });
    const counts = events.map(({ event }) => (event as { count: number }).count);
    // One commit each: none counted twice, and no request that was run again emitted again.
    expect(counts).toEqual([...new Set(counts)].toSorted((a, b) => a - b));
    const numbers = new Set(events.map(({ event }) => (event as { number: number }).number));
    expect(numbers.size).toBe(events.length);
    const after = await runtime.restData<Source>('GET', `/v1/sources/${source.id}`);
    expect(after.endpoint_url).toBe(source.endpoint_url);
    expect(after.next_tick_at).toBe(source.next_tick_at);
    expect(acknowledged.length).toBeGreaterThanOrEqual(kills * 200);
    console.log(
      `${kills} kills, ${acknowledged.length} acknowledged, ${events.length} events, 0 lost`,
    );
  },
);
