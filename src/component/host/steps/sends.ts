/** Checks the arguments of `$.send` when it is called, so that a step gets an error at once, and not an hour later. */
import type { StepSend, StreamSend, TriggerSend } from '../../../protocol/host-steps.ts';
import { readSendHttp } from '../calls/send-http.ts';
import { exportJson } from '../json.ts';
import { warnIgnored, warnNoObject, warnUnknown } from '../output/ignored.ts';
import type { Invocation } from '../output/invocation.ts';
import { isDictionary, plainText } from '../values.ts';

export function httpSend(config: unknown): StepSend {
  const { body, ...request } = readSendHttp(config);
  return { kind: 'http', ...request, ...(body !== undefined && { body }) };
}

/** @throws TypeError for a mail without a subject or a text */
export function emailSend(config: unknown): StepSend {
  const given = isDictionary(config) ? config : {};
  const [subject, text, html, to] = ['subject', 'text', 'html', 'to'].map((name) =>
    optional(given[name]),
  );
  if (subject === undefined) throw invalid('email', 'subject is required');
  if (text === undefined && html === undefined) throw invalid('email', 'text or html is required');
  const { headers } = given;
  return {
    kind: 'email',
    subject,
    ...(text !== undefined && { text }),
    ...(html !== undefined && { html }),
    ...(to !== undefined && { to }),
    ...(isDictionary(headers) && {
      headers: Object.fromEntries(
        Object.entries(headers)
          .filter(([, value]) => value !== undefined && value !== null)
          .map(([name, value]) => [name, plainText(value)]),
      ),
    }),
  };
}

/** Headers that a mail itself determines. */
const mailHeaders = new Map([
  ['from', 'The setting smtp.from says who sends it.'],
  ['to', 'Give to beside headers.'],
  ['subject', 'Give subject beside headers.'],
]);

/** Warns of what `$.send.email` was given to no effect (P13.15). */
export function warnOfEmail(config: unknown, invocation: Pick<Invocation, 'warnOnce'>): void {
  const call = '$.send.email';
  warnUnknown(invocation, call, config, ['subject', 'text', 'html', 'to', 'headers']);
  const headers = isDictionary(config) ? config['headers'] : undefined;
  warnNoObject(invocation, call, 'headers', headers);
  if (!isDictionary(headers)) return;
  for (const [name, value] of Object.entries(headers)) {
    const instead = mailHeaders.get(name.trim().toLowerCase());
    const isEmpty = value === undefined || value === null || plainText(value).trim() === '';
    if (instead === undefined && !isEmpty) continue;
    const why = isEmpty ? 'It has no value.' : instead;
    warnIgnored(invocation, `${call}: the header "${name}" does nothing. ${why}`);
  }
}

/** @throws TypeError for one without a bucket, or without a payload */
export function s3Send(config: unknown): StepSend {
  const given = isDictionary(config) ? config : {};
  const bucket = optional(given['bucket']);
  if (bucket === undefined) throw invalid('s3', 'bucket is required');
  const payload = exportJson('The payload of $.send.s3', given['payload']);
  if (payload === undefined) throw invalid('s3', 'payload is required');
  return { kind: 's3', bucket, prefix: optional(given['prefix']) ?? '', payload };
}

/** Length limit of a channel's name, in characters. */
const longestChannel = 200;

/**
 * `$.send.sse({channel, payload})`, also as `(channel, payload)`.
 * @throws TypeError without a channel that is one line, or without a payload
 */
export function sseSend(config: unknown, second?: unknown): StreamSend {
  const isPlain = typeof config === 'string';
  const given = isPlain ? { channel: config, payload: second } : isDictionary(config) ? config : {};
  const channel = optional(given['channel']);
  if (channel === undefined || channel === '') throw invalid('sse', 'channel is required');
  if (channel.length > longestChannel || /[\r\n\0]/.test(channel)) {
    throw invalid('sse', `channel must be one line of at most ${longestChannel} characters`);
  }
  const payload = exportJson('The payload of $.send.sse', given['payload']);
  if (payload === undefined) throw invalid('sse', 'payload is required');
  return { kind: 'sse', channel, payload };
}

/** @throws TypeError without the id of a workflow */
export function triggerSend(workflow: unknown, given: unknown): TriggerSend {
  const id = optional(workflow);
  if (id === undefined || id === '') {
    throw new TypeError('$.flow.trigger: the id of a workflow is required, such as "p_AbC123".');
  }
  const payload = exportJson('The payload of $.flow.trigger', given) ?? '{}';
  return { kind: 'trigger', workflow: id, payload };
}

function optional(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : plainText(value);
}

function invalid(what: string, why: string): TypeError {
  return new TypeError(`$send.${what}: invalid value: ${why}.`);
}
