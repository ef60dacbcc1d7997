/** What a random script does to a store, step by step. */
import * as fc from 'fast-check';
import { randomFrom } from '../../support/power-disk.ts';
import { configurationSteps } from './configuration-steps.ts';
import { emitterSteps } from './emitter-steps.ts';
import { few, step, type Step } from './step.ts';

const wait = step('wait', 4, {}, (session) => session.settle());
const look = step('look', 5, {}, (session) => session.look());
const reopen = step('reopen', 1, {}, (session) => session.reopen());
const crash = step('crash', 6, { seed: few(1e6) }, (session, { seed }) =>
  session.crash(randomFrom(seed)),
);

export const aStep: fc.Arbitrary<Step> = fc.oneof(
  ...emitterSteps,
  ...configurationSteps,
  wait,
  look,
  reopen,
  crash,
);
