import type { Trigger } from '../../protocol/host.ts';
import type { Invocation } from '../invocation.ts';

/** Makes the value of one prop for one invocation. */
export type Maker = (invocation: Invocation, trigger: Trigger | null) => unknown;
