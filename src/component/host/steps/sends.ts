/** What `$.send` takes, checked when it is called: a step hears of a mistake, and not an hour later. */
import type { StepSend, StreamSend, TriggerSend } from '../../../protocol/host-steps.ts';
import { readSendHttp } from '../calls/send-http.ts';
import { exportJson } from '../json.ts';
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
        Object.entries(headers).map(([name, value]) => [name, plainText(value)]),
      ),
    }),
  };
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

/** Of the longest name of a channel, in characters. */
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
