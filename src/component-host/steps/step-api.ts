import { format } from 'node:util';
import type { ResumeUrls, StepCall, StepRequests, StepSend } from '../../protocol/host.ts';
import { responseOf } from '../instance/http-interface.ts';
import { exportJson, toJson } from '../json.ts';
import { emitOf } from '../output/emit.ts';
import type { Invocation } from '../output/invocation.ts';
import { isDictionary } from '../values.ts';
import type { FileStore } from './file-store.ts';
import { emailSend, httpSend, s3Send } from './sends.ts';

/** `$` of a step (P13): what it does at once, and what it asks for at its end. */
interface Api {
  export(name: unknown, value: unknown): void;
  respond(response?: unknown): Promise<void>;
  readonly context: object;
  readonly files: FileStore | undefined;
  readonly flow: {
    exit(reason?: unknown): void;
    delay(ms?: unknown, context?: unknown): ResumeUrls;
    suspend(timeoutMs?: unknown, context?: unknown): ResumeUrls;
    rerun(delayMs?: unknown, context?: unknown, maxRetries?: unknown): ResumeUrls;
    refreshTimeout(): string;
  };
  readonly send: Readonly<Record<string, (config?: unknown) => void>>;
}

export interface StepApiParts {
  readonly call: StepCall;
  /** `$.context` */
  readonly context: object;
  readonly invocation: Invocation;
  readonly files: FileStore | undefined;
}

/** How long `suspend` waits, and how often a step runs again, unless it says (spec of the platform). */
const suspendMs = 24 * 3600_000;
const maxReruns = 10;
/** A wait of more than a year is a mistake, and a date that far would not fit. */
const longestMs = 366 * 24 * 3600_000;

export class StepApi {
  readonly $: Api;
  #exit: StepRequests['exit'];
  #pause: StepRequests['pause'];
  readonly #sends: StepSend[] = [];

  constructor({ call, context, invocation, files }: StepApiParts) {
    const urls = (): ResumeUrls => ({ ...call.urls });
    const warn = (text: string): void => {
      invocation.log({ at: Date.now(), level: 'warn', text });
    };
    const unsent = (name: string) => (): void =>
      warn(`$.send.${name} is not supported by this version; nothing was sent.`);
    this.$ = {
      context,
      files,
      export(name: unknown, value: unknown): void {
        const key = String(name);
        const json = exportJson(`The export "${key}"`, value);
        if (json !== undefined && !invocation.ended) invocation.export(key, json);
      },
      respond(response?: unknown): Promise<void> {
        const immediate = isDictionary(response) && response['immediate'] === true;
        if (!invocation.ended) {
          invocation.respond({ ...responseOf(response), ...(immediate && { immediate }) });
        }
        return Promise.resolve();
      },
      flow: {
        exit: (reason?: unknown): void => {
          this.#exit = { reason: reason === undefined ? null : format(reason) };
        },
        delay: (ms?: unknown): ResumeUrls => {
          this.#pause = { kind: 'delay', ms: duration('delay', ms) };
          return urls();
        },
        suspend: (timeoutMs?: unknown): ResumeUrls => {
          this.#pause = { kind: 'suspend', ms: duration('suspend', timeoutMs ?? suspendMs) };
          return urls();
        },
        rerun: (delayMs?: unknown, given?: unknown, maxRetries?: unknown): ResumeUrls => {
          const most = typeof maxRetries === 'number' ? maxRetries : maxReruns;
          // The call beyond the last rerun has no effect: the execution goes on with what this run returns.
          if (call.run > most) return urls();
          const json = exportJson('The context of $.flow.rerun', given);
          this.#pause = {
            kind: 'rerun',
            ms: duration('rerun', delayMs ?? 10_000),
            ...(json !== undefined && { context: json }),
          };
          return urls();
        },
        // Nothing here extends it; a pause does, as it begins anew after one (P25.23).
        refreshTimeout: () =>
          'The time limit was not extended: it is of all steps up to the next pause or block (settings.lambda_timeout).',
      },
      send: {
        http: (config) => void this.#sends.push(httpSend(config)),
        email: (config) => void this.#sends.push(emailSend(config)),
        s3: (config) => void this.#sends.push(s3Send(config)),
        emit: (config) => {
          const given = isDictionary(config) ? config : {};
          const event = given['raw_event'] ?? given['event'];
          invocation.emit(emitOf(event, { name: given['name'] }, Date.now()));
        },
        ...Object.fromEntries(['sse', 'sms'].map((name) => [name, unsent(name)])),
      },
    };
  }

  /** JSON text; undefined when it asked for nothing. An exit wins over a pause. */
  requests(): string | undefined {
    const exit = this.#exit;
    const pause = exit === undefined ? this.#pause : undefined;
    const sends = this.#sends;
    if (exit === undefined && pause === undefined && sends.length === 0) return undefined;
    const requests: StepRequests = {
      ...(exit !== undefined && { exit }),
      ...(pause !== undefined && { pause }),
      ...(sends.length > 0 && { sends }),
    };
    return toJson(requests);
  }
}

function duration(call: string, given: unknown): number {
  const ms = typeof given === 'string' ? Number(given) : given;
  if (typeof ms === 'number' && ms >= 0 && ms <= longestMs) return Math.round(ms);
  throw new RangeError(
    `$.flow.${call}: the time must be a number of milliseconds from 0 to ${longestMs} (a year), not ${format(given)}.`,
  );
}
