/**
 * Parts that many schemas are made of; the documents do not name them. The units are the platform's
 * (P16.8): seconds on components, sources and webhooks, ISO strings on accounts, milliseconds
 * on everything else.
 */
import * as z from 'zod';

export const seconds = z.number().int().describe('epoch seconds');
export const millis = z.number().int().describe('epoch milliseconds');
export const level = z.enum(['debug', 'info', 'warn', 'error']);

/** A line that code wrote while somebody waited for its end. */
export const writtenLine = z.object({ ts: millis, level, text: z.string() });

/** For a resource that also has a name slug. */
export const id = z.string().min(1).describe('id or name slug');
/** For a resource that has a name. */
export const idOrName = z.string().min(1).describe('id, or its name when no other has it');
/** Receives an emitter's events. */
export const listener = z
  .string()
  .describe('source or workflow: id or name slug; webhook: id or name');
export const configuredProps = z.record(z.string(), z.unknown()).describe('values by prop');
/** For a request on behalf of a user who has named accounts. */
export const onlyAccounts = z
  .array(z.string())
  .optional()
  .describe('ids of the only accounts that app props may have; all unless given');

/** A number, also as a query string has it. */
export const integer = z.coerce.number().int();

/** A boolean, also as a query string has it. */
export const flag = z.union([
  z.boolean(),
  z.enum(['true', 'false', '1', '0', '']).transform((v) => v === 'true' || v === '1'),
]);

/** Any JSON, null as well. */
export const jsonValue = z.unknown().describe('any JSON');

/** Against lost updates. */
export const expectedValue = z
  .unknown()
  .optional()
  .describe('the value it must have still, else nothing is written and the answer is 409');

/** The result of an operation that has nothing to return. */
export const done = z.object({});

/** How an account is connected. */
export const grantKind = z.enum([
  'code',
  'device',
  'client_credentials',
  'oauth1',
  'command',
  'editor',
]);
