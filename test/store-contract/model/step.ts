/** What a step of a random script is, and what is drawn for one. */
import * as fc from 'fast-check';
import type { Session, Write } from './session.ts';
import { names } from './view.ts';

/** One step of a script: plain data until it runs, so that a failure can be told and made smaller. */
export interface Step {
  readonly run: (session: Session) => Promise<void>;
}

export interface Weighted {
  readonly weight: number;
  readonly arbitrary: fc.Arbitrary<Step>;
}

/** What is asked for in one turn of the loop goes to the disk together, and is there after two. */
const someTurns = fc.constantFrom(0, 0, 0, 0, 1, 1, 2, 3);

/** @param fields which ones are meant of what is there when the step runs, and what is done to them */
export function step<T>(
  name: string,
  weight: number,
  fields: { readonly [K in keyof T]: fc.Arbitrary<T[K]> },
  run: (session: Session, fields: T) => Promise<void>,
): Weighted {
  const drawn = fc.tuple(fc.record(fields), someTurns);
  const arbitrary = drawn.map(([values, turns]) => ({
    async run(session: Session) {
      await run(session, values as T);
      await session.pass(turns);
    },
    [fc.toStringMethod]: () => `${name} ${JSON.stringify(values)}, ${turns} turns`,
  }));
  return { weight, arbitrary };
}

/** A step that is one write. Undefined when there is nothing to do it to. */
export function write<T>(
  name: string,
  weight: number,
  fields: { readonly [K in keyof T]: fc.Arbitrary<T[K]> },
  plan: (fields: T, session: Session) => Promise<Write | undefined> | Write | undefined,
): Weighted {
  return step(name, weight, fields, async (session, values: T) => {
    const planned = await plan(values, session);
    if (planned !== undefined) session.write(planned);
  });
}

/** One of those that are there. */
export function pick<T>(from: readonly T[], which: number): T | undefined {
  return from[which % from.length];
}

export const which = fc.nat({ max: 30 });
export const few = (most: number) => fc.nat({ max: most });
export const rarely = fc.nat({ max: 24 }).map((n) => n === 0);
export const sometimes = fc.boolean();

export const anEmitter = fc.constantFrom(...names.emitters);
export const aWebhook = fc.constantFrom('wh_0', 'wh_1');
export const aChannel = fc.constantFrom('', 'c');
export const word = fc.constantFrom('apple', 'pear', 'plum');
