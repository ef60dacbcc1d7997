import type { EmitterOwner } from '../emitter-owner.ts';
import type { Keep, PageOf, PageRequest } from '../page.ts';

/** A log line before it is stored; `at` in epoch ms. */
export interface NewLog {
  readonly at: number;
  readonly kind: 'start' | 'end' | 'console' | 'error' | 'drop' | 'system';
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly text: string;
}

/** A stored log line; `invocation` is null of one outside a run. */
export interface LogRecord extends NewLog {
  /** Unique and ascending within its emitter. */
  readonly id: number;
  readonly emitterId: string;
  readonly invocation: number | null;
}

export interface LogTable {
  /** Newest first. */
  list(emitterId: string, page: PageRequest): Promise<PageOf<LogRecord>>;
  ofInvocation(n: number): Promise<LogRecord[]>;
  /** After the id, oldest first: what an SSE reader that reconnects missed. */
  after(emitterId: string, id: number, limit: number): Promise<LogRecord[]>;
  /** Lines outside an invocation (lifecycle, refused requests). Resolves to the line's id. */
  append(owner: EmitterOwner, line: NewLog): Promise<number>;
  /** Applies retention. Resolves to how many went. */
  prune(owner: EmitterOwner, keep: Keep): Promise<number>;
}
