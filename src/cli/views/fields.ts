/** The fields of one thing, as a person reads them. */
import type { Source } from '../../protocol/catalogue.ts';
import { oneLine } from '../render/printable.ts';

/** `key: value` lines, the values aligned; a key without a value is left out. */
export function fields(values: Readonly<Record<string, unknown>>): string {
  const shown = Object.entries(values).filter(([, value]) => value !== null && value !== undefined);
  const width = Math.max(0, ...shown.map(([key]) => key.length)) + 1;
  return shown
    .map(([key, value]) => `${`${key}:`.padEnd(width)} ${oneLine(textOf(value))}`)
    .join('\n');
}

type ShownWebhook = Pick<
  NonNullable<Source['webhook']>,
  'url' | 'register' | 'secret_name' | 'has_secret' | 'one_address'
>;

/** Where the app of a source or account sends its events, and what is missing; empty without a webhook. */
export function webhookFields(webhook: ShownWebhook | undefined): Record<string, unknown> {
  if (webhook === undefined) return {};
  const { url, register, secret_name: secret, has_secret: hasSecret } = webhook;
  return {
    webhook: url ?? 'none while the source has no account',
    register: url === null ? null : register,
    secret: `${secret}: ${hasSecret ? 'entered' : 'not entered, so requests are refused'}`,
  };
}

/** The same without the secret: the lines that a user needs right after a deploy. */
export function addressOf(webhook: ShownWebhook | undefined): Record<string, unknown> {
  const { secret: _, ...address } = webhookFields(webhook);
  return address;
}

/** `2026-11-20 22:04:14` in the time zone of the machine. */
export function when(ms: number): string {
  const date = new Date(ms);
  const two = (n: number): string => String(n).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
