import type { Keep } from './keep.ts';
import type { PageOf, PageRequest } from '../page.ts';

/** A log line before it is stored; `at` in epoch ms. */
export interface NewLog {
  readonly at: number;
  readonly kind: 'start' | 'end' | 'console' | 'error' | 'drop' | 'system';
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly text: string;
}

/** A stored log line; `invocation` is null of one outside a run. */
export interface LogRecord extends NewLog {
  readonly id: number;
  readonly sourceId: string;
  readonly invocation: number | null;
}

export interface LogTable {
  /** Newest first. */
  list(sourceId: string, page: PageRequest): PageOf<LogRecord>;
  ofInvocation(n: number): LogRecord[];
  /** After the id, oldest first: what an SSE reader that reconnects missed. */
  after(sourceId: string, id: number, limit: number): LogRecord[];
  /** Lines outside an invocation (lifecycle, refused requests). Resolves to the line's id. */
  append(sourceId: string, line: NewLog): Promise<number>;
  /** Applies retention to one source. */
  prune(sourceId: string, keep: Keep): Promise<number>;
}
