import type { Trigger } from '../../../../protocol/host.ts';
import type { Row } from '../wasm/row.ts';

/** A trigger as stored: its description, and its payload exactly as it arrived. */
export interface StoredTrigger {
  readonly meta: string;
  /** Bytes of a request's body, JSON text of an event. */
  readonly body: Uint8Array | string | null;
}

const eventMeta = JSON.stringify({ kind: 'event' });

export function packTrigger(trigger: Trigger): StoredTrigger {
  if (trigger.kind === 'event') {
    const { json, ...meta } = trigger;
    const isPlain =
      meta.hops === undefined && meta.emitterId === undefined && meta.delivery === undefined;
    return { meta: isPlain ? eventMeta : JSON.stringify(meta), body: json };
  }
  if (trigger.kind === 'timer') return { meta: JSON.stringify(trigger), body: null };
  const { body, ...meta } = trigger;
  return { meta: JSON.stringify(meta), body };
}

/** The trigger of a row; if `body` is NULL, without its payload, see `withoutPayload`. */
export function readTrigger(row: Row): Trigger {
  const meta = row.json('meta') as Trigger;
  if (meta.kind === 'event') return { ...meta, json: row.text('body') };
  return meta.kind === 'timer' ? meta : { ...meta, body: row.blob('body') };
}
