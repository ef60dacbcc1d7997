import { format } from 'node:util';
import type { StepCall } from '../../../protocol/host.ts';
import type { ResumeUrls, StepRequests, StepSend } from '../../../protocol/host-steps.ts';
import type { AskRuntime } from '../channel/requests.ts';
import { warnOfHttp } from '../calls/send-http.ts';
import { responseOf, whenRead } from '../instance/http-interface.ts';
import { exportJson, toJson } from '../json.ts';
import { emitOf } from '../output/emit.ts';
import {
  warnExtra,
  warnIgnored,
  warnNoJson,
  warnNoTime,
  warnReserved,
  warnUnexported,
  warnUnknown,
} from '../output/ignored.ts';
import type { Invocation } from '../output/invocation.ts';
import { isDictionary } from '../values.ts';
import type { FileStore } from './file-store.ts';
import { emailSend, httpSend, s3Send, sseSend, triggerSend, warnOfEmail } from './sends.ts';

/** `$` of a step (P13): what it does at once, and what it asks for at its end. */
interface Api {
  export(name: unknown, value: unknown, ...extra: readonly unknown[]): void;
  respond(response?: unknown, ...extra: readonly unknown[]): Promise<void>;
  readonly context: object;
  readonly files: FileStore | undefined;
  readonly flow: {
    exit(reason?: unknown, ...extra: readonly unknown[]): void;
    delay(ms?: unknown, ...extra: readonly unknown[]): ResumeUrls;
    suspend(timeoutMs?: unknown, ...extra: readonly unknown[]): ResumeUrls;
    rerun(
      delayMs?: unknown,
      context?: unknown,
      maxRetries?: unknown,
      ...extra: readonly unknown[]
    ): ResumeUrls;
    refreshTimeout(...extra: readonly unknown[]): string;
    trigger(workflow?: unknown, payload?: unknown, ...extra: readonly unknown[]): Promise<object>;
  };
  readonly send: Readonly<Record<string, (config?: unknown, ...more: readonly unknown[]) => void>>;
}

export interface StepApiParts {
  readonly call: StepCall;
  /** `$.context` */
  readonly context: object;
  readonly invocation: Invocation;
  readonly files: FileStore | undefined;
  readonly ask: AskRuntime;
}

const responseParts = ['status', 'headers', 'body', 'immediate'];
const emitParts = ['raw_event', 'event', 'name', 'delivery_ts'];

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
  #props: StepRequests['props'];

  constructor({ call, context, invocation, files, ask }: StepApiParts) {
    const urls = (): ResumeUrls => ({ ...call.urls });
    const extra = (call: string, takes: string, given: readonly unknown[]): void =>
      warnExtra(invocation, call, takes, given);
    this.$ = {
      context,
      files,
      export(name: unknown, value: unknown, ...more: readonly unknown[]): void {
        extra('$.export', '(name, value)', more);
        const key = String(name);
        const json = exportJson(`The export "${key}"`, value);
        warnUnexported(invocation, name, value, json);
        if (json !== undefined && !invocation.ended) invocation.export(key, json);
      },
      respond(response?: unknown, ...more: readonly unknown[]): Promise<void> {
        if (invocation.ended) return Promise.resolve();
        extra('$.respond', '({status, headers, body})', more);
        warnUnknown(invocation, '$.respond', response, responseParts);
        const isImmediate = isDictionary(response) && response['immediate'] === true;
        return whenRead(responseOf(response, invocation), invocation, (given) => {
          if (!isImmediate) return invocation.respond(given);
          // Resolves when the caller's connection has it (P25.50).
          const asked = { of: 'respond', n: invocation.n } as const;
          return ask({ ...asked, response: { ...given, immediate: true } }).then(() => undefined);
        });
      },
      flow: {
        exit: (reason?: unknown, ...more: readonly unknown[]): void => {
          extra('$.flow.exit', '(reason)', more);
          this.#exit = { reason: reason === undefined ? null : format(reason) };
        },
        delay: (ms?: unknown, ...more: readonly unknown[]): ResumeUrls => {
          extra('$.flow.delay', '(ms)', more);
          this.#pause = { kind: 'delay', ms: duration('delay', ms) };
          return urls();
        },
        suspend: (timeoutMs?: unknown, ...more: readonly unknown[]): ResumeUrls => {
          extra('$.flow.suspend', '(timeoutMs)', more);
          this.#pause = { kind: 'suspend', ms: duration('suspend', timeoutMs ?? suspendMs) };
          return urls();
        },
        rerun: (
          delayMs?: unknown,
          given?: unknown,
          maxRetries?: unknown,
          ...more: readonly unknown[]
        ): ResumeUrls => {
          extra('$.flow.rerun', '(delayMs, context, maxRetries)', more);
          const most = count('rerun', maxRetries ?? maxReruns);
          // A call beyond the last rerun has no effect: the execution continues with the result of this run.
          if (call.run > most) return urls();
          const json = exportJson('The context of $.flow.rerun', given);
          warnNoJson(invocation, '$.flow.rerun: the context', given, json);
          this.#pause = {
            kind: 'rerun',
            ms: duration('rerun', delayMs ?? 10_000),
            ...(json !== undefined && { context: json }),
          };
          return urls();
        },
        refreshTimeout: (...more: readonly unknown[]) => {
          extra('$.flow.refreshTimeout', 'no argument', more);
          if (!invocation.ended) invocation.refreshTimeout();
          return 'The time limit begins again.';
        },
        trigger: async (
          workflow?: unknown,
          payload?: unknown,
          ...more: readonly unknown[]
        ): Promise<object> => {
          const send = triggerSend(workflow, payload);
          extra('$.flow.trigger', '(workflow, payload)', more);
          const json = exportJson('The payload of $.flow.trigger', payload);
          warnNoJson(invocation, '$.flow.trigger: the payload', payload, json);
          // Also when nobody waits for the answer.
          this.#sends.push(send);
          try {
            const id = await ask({ of: 'workflow', id: send.workflow });
            return { workflow_id: id };
          } catch (error) {
            this.#sends.splice(this.#sends.indexOf(send), 1);
            throw error;
          }
        },
      },
      send: {
        http: (config, ...more) => {
          this.#sends.push(httpSend(config));
          warnOfHttp(config, invocation);
          extra('$.send.http', 'one object', more);
        },
        email: (config, ...more) => {
          this.#sends.push(emailSend(config));
          warnOfEmail(config, invocation);
          extra('$.send.email', 'one object', more);
        },
        s3: (config, ...more) => {
          this.#sends.push(s3Send(config));
          warnUnknown(invocation, '$.send.s3', config, ['bucket', 'prefix', 'payload']);
          extra('$.send.s3', 'one object', more);
        },
        sse: (config, payload, ...more) => {
          this.#sends.push(sseSend(config, payload));
          warnUnknown(invocation, '$.send.sse', config, ['channel', 'payload']);
          const isText = typeof config === 'string';
          if (isText) extra('$.send.sse', '(channel, payload)', more);
          else extra('$.send.sse', 'one object', [payload, ...more]);
        },
        emit: (config, ...more) => {
          extra('$.send.emit', 'one object', more);
          const given = isDictionary(config) ? config : {};
          if (given['raw_event'] === undefined && given['event'] === undefined) {
            const what = '$.send.emit was given no raw_event, so that null is emitted';
            warnIgnored(invocation, `${what}. Write $.send.emit({ raw_event: … }).`);
          }
          warnUnknown(invocation, '$.send.emit', given, emitParts);
          const event = given['raw_event'] ?? given['event'];
          const { name, delivery_ts } = given;
          const emit = emitOf(event, { name, delivery_ts }, Date.now());
          warnReserved(invocation, '$.send.emit', name);
          warnNoTime(invocation, '$.send.emit', 'delivery_ts', delivery_ts, emit.deliveryTs);
          invocation.emit(emit);
        },
        sms: () => {
          const text = '$.send.sms is not supported by this version; nothing was sent.';
          warnIgnored(invocation, text);
        },
      },
    };
  }

  /** Reports the evaluated props, for people who look at the run. */
  given(props: NonNullable<StepRequests['props']>): void {
    this.#props = props;
  }

  /** JSON text; undefined when it asked for nothing. An exit wins over a pause. */
  requests(): string | undefined {
    const exit = this.#exit;
    const pause = exit === undefined ? this.#pause : undefined;
    const sends = this.#sends;
    const props = this.#props;
    const asks = exit !== undefined || pause !== undefined || sends.length > 0;
    if (!asks && props === undefined) return undefined;
    const requests: StepRequests = {
      ...(exit !== undefined && { exit }),
      ...(pause !== undefined && { pause }),
      ...(sends.length > 0 && { sends }),
      ...(props !== undefined && { props }),
    };
    return toJson(requests);
  }
}

function count(call: string, given: unknown): number {
  const times = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
  if (typeof times === 'number' && Number.isSafeInteger(times) && times >= 0) return times;
  throw new RangeError(
    `$.flow.${call}: the most retries must be a whole number from 0, not ${format(given)}.`,
  );
}

function duration(call: string, given: unknown): number {
  const ms = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
  if (typeof ms === 'number' && ms >= 0 && ms <= longestMs) return Math.round(ms);
  throw new RangeError(
    `$.flow.${call}: the time must be a number of milliseconds from 0 to ${longestMs} (a year), not ${format(given)}.`,
  );
}
