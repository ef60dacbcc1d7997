/** Records one HTTP request of component code, from its first byte to the end of the answer. */
import type {
  HttpAnswer,
  HttpHeader,
  OutgoingRequest,
} from '../../../protocol/outgoing-request.ts';
import { type Budget, KeptBody } from './kept-body.ts';

/** Bytes that are kept of what is sent, and of an answer. */
const mostSent = 64 * 1024;
const mostAnswered = 256 * 1024;

/** Headers about the connection and about the encoding of a body mean nothing in a recording. */
const ofTheConnection = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'keep-alive',
  'transfer-encoding',
]);

export interface RequestStart {
  readonly method: string;
  readonly url: string;
}

export class RequestRecord {
  readonly #start: RequestStart;
  readonly #at: number;
  readonly #now: () => number;
  readonly #budget: Budget;
  readonly sent: KeptBody;
  headers: readonly HttpHeader[] = [];
  #answer: { readonly head: Omit<HttpAnswer, 'body'>; readonly body: KeptBody } | undefined;
  #packing: string | undefined;
  #error: string | null = null;
  #endedAt: number | undefined;

  /** @param now epoch ms */
  constructor(start: RequestStart, budget: Budget, now: () => number) {
    this.#start = start;
    this.#now = now;
    this.#at = now();
    this.#budget = budget;
    this.sent = new KeptBody(mostSent, budget);
  }

  answered(status: number, statusText: string, headers: readonly HttpHeader[]): void {
    const kept = headers.filter(([name]) => !ofTheConnection.has(name.toLowerCase()));
    this.#packing = headers.find(([name]) => name.toLowerCase() === 'content-encoding')?.[1];
    this.#answer = {
      head: { status, status_text: statusText, headers: kept },
      body: new KeptBody(mostAnswered, this.#budget),
    };
  }

  received(chunk: unknown, encoding?: unknown): void {
    this.#answer?.body.add(chunk, encoding);
  }

  /** A body was received, but could not be recorded: it must not count as empty. */
  unseen(): void {
    if (this.#answer?.body.isEmpty === true) this.#answer.body.cut();
  }

  /** The first end counts. @param error why no more came; undefined when all of it did */
  ended(error?: string): void {
    if (this.#endedAt !== undefined) return;
    this.#endedAt = this.#now();
    this.#error = error ?? null;
  }

  toJSON(): OutgoingRequest {
    const isOver = this.#endedAt !== undefined;
    const headers = this.headers.filter(([name]) => !ofTheConnection.has(name.toLowerCase()));
    return {
      at: this.#at,
      duration_ms: Math.max(0, (this.#endedAt ?? this.#now()) - this.#at),
      ...this.#start,
      headers,
      body: this.sent.take(packingOf(this.headers)),
      response:
        this.#answer === undefined
          ? null
          : { ...this.#answer.head, body: this.#answer.body.take(this.#packing) },
      error: isOver ? this.#error : 'The run ended before its answer did.',
    };
  }
}

function packingOf(headers: readonly HttpHeader[]): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === 'content-encoding')?.[1];
}
