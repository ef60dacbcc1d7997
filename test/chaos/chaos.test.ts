/**
 * Chaos: a runtime under load is killed, stopped, updated, left idle and joined by others, at random, and
 * after every few disturbances all that must be there is there, once and in order.
 *
 *     npm run test:chaos -- --minutes 30 --seed 7
 *
 * A failure names its seed. The same seed repeats the same disturbances; when each of them hits is up to
 * the machine.
 */
import { expect, test } from 'vitest';
import { messageOf } from '../../src/protocol/errors.ts';
import { integerOf, seededRandom, shuffled } from '../support/random.ts';
import { World } from './world.ts';

const minutes = Number(process.env['WEIR_CHAOS_MINUTES'] ?? 2);
const seed = Number(process.env['WEIR_CHAOS_SEED'] ?? Date.now() % 2 ** 32);

type Disturbance = (world: World) => Promise<void>;

/** Under load, while requests come in. */
const disturbances: Readonly<Record<string, Disturbance>> = {
  kill: (world) => world.kill(),
  stop: (world) => world.stop(),
  'kill a process': (world) => world.killHost(),
  update: (world) => world.update(),
  visit: (world) => world.visit(),
  'second runtime': (world) => world.second(),
};

test(
  `nothing is lost in ${minutes} minutes of chaos`,
  { timeout: minutes * 60_000 + 180_000 },
  async () => {
    console.log(`--seed ${seed}`);
    const random = seededRandom(seed);
    const end = performance.now() + minutes * 60_000;
    const happened: string[] = [];
    const world = await World.start(random);
    try {
      while (performance.now() < end) {
        // Each once in a round: a short run on a slow machine meets them all.
        for (const [name, disturb] of shuffled(random, Object.entries(disturbances))) {
          happened.push(name);
          await world.load(() => disturb(world));
          if (integerOf(random, 1, 3) === 1) await world.settle();
        }
        happened.push('idle');
        await world.idle();
      }
    } catch (error) {
      const last = happened.slice(-10).join(', ');
      const where = `--seed ${seed}, disturbance ${happened.length} (the last: ${last})`;
      throw new Error(`${where}: ${messageOf(error)}`, { cause: error });
    }
    await expect(world.settle()).resolves.toBeUndefined();
    console.log(`${happened.length} disturbances, ${world.sent} requests, 0 lost`);
  },
);
