import type { ThrownError } from '../../../protocol/host.ts';
import type { StepSend } from '../../../protocol/host-steps.ts';
import type { EmitterOwner } from '../emitter-owner.ts';

/** A send of a step besides its events, before it is stored. */
export interface NewSend {
  /** Path of the step. */
  readonly path: string;
  readonly send: StepSend;
}

/** It went out once, without retries, and what came of it; `not_sent` is that of a test. */
export interface SendRecord extends NewSend {
  readonly n: number;
  readonly emitterId: string;
  readonly execution: number;
  readonly status: 'pending' | 'sent' | 'failed' | 'not_sent';
  /** JSON text of what it was answered. */
  readonly answer: string | null;
  readonly error: ThrownError | null;
  readonly createdAt: number;
  readonly endedAt: number | null;
}

export interface SendEnd {
  readonly n: number;
  readonly status: 'sent' | 'failed';
  readonly answer?: string | undefined;
  readonly error?: ThrownError | undefined;
  readonly at: number;
}

export interface SendTable {
  /** In the order they were asked for. */
  ofExecution(n: number): Promise<SendRecord[]>;
  end(owner: EmitterOwner, end: SendEnd): Promise<void>;
}
