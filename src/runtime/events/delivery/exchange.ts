import { StringDecoder } from 'node:string_decoder';
import type { Dispatcher } from 'undici';
import { type Answer, failureOf, failureOfThrown, type Failure } from './failure.ts';
import type { Clock } from './phases.ts';

/** Bytes of an answer's body that are kept. */
const keptBytes = 20 * 1024;

export interface Outcome {
  readonly answer: Answer | null;
  readonly failure: Failure | undefined;
}

/**
 * One request and its answer, as undici tells of them. Its own `request` makes a stream and a signal
 * for each, which cost as much as the exchange itself.
 *
 * The head of the answer decides; a body that breaks off or never ends is kept as far as it came.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly outcome: Promise<Outcome>;
  readonly #url: URL;
  readonly #clock: Clock;
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #resolve: (outcome: Outcome) => void = () => undefined;
  #head: Pick<Answer, 'status' | 'headers'> | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #cut: Error | undefined;

  constructor(url: URL, clock: Clock) {
    this.#url = url;
    this.#clock = clock;
    this.outcome = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** Ends it for this reason; what came of an answer counts. */
  cut(reason: Error): void {
    this.#cut = reason;
    this.#controller?.abort(reason);
    this.#end(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#cut !== undefined) controller.abort(this.#cut);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    this.#clock.answered = performance.now();
    this.#head = { status, headers: joined(headers) };
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#size >= keptBytes) return;
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size < keptBytes) return;
    this.#end();
    // The rest may be gigabytes.
    controller.abort(new Error('enough'));
  }

  onResponseEnd(): void {
    this.#end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end(error);
  }

  /** The first call counts. @param error why there is no whole answer */
  #end(error?: Error): void {
    if (this.#head === undefined) {
      const failure = failureOfThrown(error, this.#url);
      this.#resolve({ answer: null, failure });
      return;
    }
    const answer = { ...this.#head, body: textOf(this.#chunks) };
    this.#resolve({ answer, failure: failureOf(answer) });
  }
}

/** A decoder leaves out the half of a character that was cut. */
function textOf(chunks: readonly Buffer[]): string {
  const bytes = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
  return bytes === undefined ? '' : new StringDecoder('utf8').write(bytes.subarray(0, keptBytes));
}

function joined(headers: Readonly<Record<string, string | string[] | undefined>>) {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) values[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return values;
}
