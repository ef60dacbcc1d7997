/**
 * `FromHost` of src/protocol/host.ts as a schema: slow, and written without a look at the check that the
 * runtime makes.
 */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import * as z from 'zod';

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const time = z.number().min(-8.64e15).max(8.64e15);
const errorText = z.string().max(256 * 1024);
/** Infinity is one: a component may have given it. */
const anyNumber = z.custom<number>((value) => typeof value === 'number' && !Number.isNaN(value));
const bytes = z.instanceof(Uint8Array);

const headerValue = z.string().refine((value) => passes(() => validateHeaderValue('x', value)));
const headerName = z.string().refine((name) => passes(() => validateHeaderName(name)));

const error = z.strictObject({
  name: errorText,
  message: errorText,
  stack: errorText.optional(),
  configuration: z.boolean().optional(),
  unauthorized: z.literal(true).optional(),
});

const produced = {
  emits: z
    .array(
      z.object({
        event: z.string(),
        id: z.union([z.string(), anyNumber]).optional(),
        name: z.string().optional(),
        summary: z.string().optional(),
        ts: z.number().optional(),
        deliveryTs: z.number().optional(),
        at: time,
      }),
    )
    .optional(),
  db: z
    .array(z.object({ prop: z.string(), key: z.string(), json: z.string().optional() }))
    .optional(),
  logs: z
    .array(
      z.object({ at: time, level: z.enum(['debug', 'info', 'warn', 'error']), text: z.string() }),
    )
    .optional(),
  exports: z.array(z.object({ name: z.string(), json: z.string() })).optional(),
};

const key = z.string();
const ttl = z.number().nullable();
const call = z.discriminatedUnion('op', [
  z.object({ op: z.enum(['get', 'has', 'delete']), key }),
  z.object({ op: z.literal('set'), key, json: z.string(), ttl }),
  z.object({ op: z.literal('setTtl'), key, ttl }),
  z.object({ op: z.enum(['clear', 'keys', 'entries']) }),
  z.object({ op: z.literal('page'), after: z.string().nullable() }),
]);

const response = z.object({
  status: z.int().min(100).max(599),
  headers: z.record(headerName, z.unknown()).superRefine((headers, context) => {
    for (const [name, value] of Object.entries(headers)) {
      // Only of cookies there are several.
      const several = name.toLowerCase() === 'set-cookie' && Array.isArray(value);
      const schema = several ? z.array(headerValue) : headerValue;
      if (!schema.safeParse(value).success) context.addIssue(`the value of ${name}`);
    }
  }),
  body: z.union([z.string(), bytes]),
});

const request = z.discriminatedUnion('of', [
  z.object({ of: z.literal('data_store'), store: z.string(), call }),
  z.object({
    of: z.literal('file'),
    filename: z.string(),
    contentType: headerValue,
    content: z.union([z.string(), bytes]),
  }),
  z.object({ of: z.literal('workflow'), id: z.string() }),
  z.object({ of: z.literal('respond'), n: count, response }),
]);

export const fromHost = z.discriminatedUnion('t', [
  z.object({ t: z.literal('ready') }),
  z.object({ t: z.literal('attached') }),
  z.object({ t: z.literal('loaded'), definition: z.string() }),
  z.object({ t: z.literal('loadFailed'), error }),
  z.object({ t: z.literal('progress'), n: count, ...produced }),
  z.object({
    t: z.literal('done'),
    n: count,
    error: error.optional(),
    result: z.string().optional(),
    ...produced,
  }),
  z.object({
    t: z.literal('respond'),
    n: count,
    response,
  }),
  z.object({ t: z.literal('refreshTimeout'), n: count }),
  z.object({
    t: z.literal('inspector'),
    url: z
      .string()
      .regex(/^ws:\/\/127\.0\.0\.1:\d{1,5}\/[\w-]+$/)
      .nullable(),
  }),
  z.object({ t: z.literal('request'), id: count, request }),
  z.object({
    t: z.literal('ending'),
    n: count.nullable(),
    cause: z.enum(['exit', 'uncaught']),
    message: errorText,
    stack: errorText.optional(),
  }),
]);

function passes(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}
