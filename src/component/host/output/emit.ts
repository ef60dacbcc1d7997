import type { Emit } from '../../../protocol/host.ts';
import { isReservedChannel } from '../../../protocol/channels.ts';
import { notJson, toJson } from '../json.ts';
import { isDictionary, plainText } from '../values.ts';

/**
 * One `$emit(event, meta)` as data; its argument is copied now, because loops reuse their objects. Coercions: P10.3,
 * P10.6, P10.7.
 * @param at epoch ms of the call
 * @throws TypeError if the event has no JSON form
 */
export function emitOf(event: unknown, meta: unknown, at: number): Emit {
  const given = isDictionary(meta) ? meta : {};
  const id = idOf(given['id']);
  const name = channelOf(given['name']);
  const summary = textOf(given['summary']);
  const ts = timeOf(given['ts']);
  const deliveryTs = timeOf(given['delivery_ts']);
  return {
    event: jsonOf(event),
    at,
    ...(id === undefined ? {} : { id }),
    ...(name === undefined ? {} : { name }),
    ...(summary === undefined ? {} : { summary }),
    ...(ts === undefined ? {} : { ts }),
    ...(deliveryTs === undefined ? {} : { deliveryTs }),
  };
}

function jsonOf(event: unknown): string {
  try {
    return toJson(event) ?? 'null';
  } catch (cause) {
    throw notJson('$emit: the event', cause);
  }
}

/** `null` and `""` count as missing, `0` is an id (P10.7). */
function idOf(id: unknown): string | number | undefined {
  if (id === undefined || id === null || id === '') return undefined;
  if (typeof id === 'string') return id;
  if (typeof id === 'number') return Number.isNaN(id) ? undefined : id;
  return textOf(id);
}

/** Undefined for a reserved channel, too. */
function channelOf(name: unknown): string | undefined {
  const channel = textOf(name);
  return channel === undefined || isReservedChannel(channel) ? undefined : channel;
}

function textOf(value: unknown): string | undefined {
  return value === undefined || value === null || value === '' ? undefined : plainText(value);
}

/** The number that was given, in whatever unit: published sources use seconds as well as ms. */
function timeOf(value: unknown): number | undefined {
  if (value === undefined || value === null || value === '' || typeof value === 'boolean') {
    return undefined;
  }
  const number = typeof value === 'bigint' ? Number(value) : asNumber(value);
  return Number.isFinite(number) ? number : undefined;
}

function asNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  if (value instanceof Date) return value.getTime();
  if (typeof value !== 'string') return Number.NaN;
  const number = Number(value);
  return Number.isNaN(number) ? Date.parse(value) : number;
}
