import * as z from 'zod';
import { millis } from './fields.ts';

const header = z.tuple([z.string(), z.string()]);

const body = z.object({
  text: z.string(),
  is_base64: z.literal(true).optional(),
  size: z.number().int().nonnegative(),
  is_cut: z.literal(true).optional(),
});

/** As the process of a step tells of one: see `protocol/outgoing-request.ts`. */
export const outgoingRequest = z.object({
  at: z.number(),
  duration_ms: z.number().nonnegative(),
  method: z.string(),
  url: z.string(),
  headers: z.array(header),
  body: body.nullable(),
  response: z
    .object({
      status: z.number().int(),
      status_text: z.string(),
      headers: z.array(header),
      body: body.nullable(),
    })
    .nullable(),
  error: z.string().nullable(),
});

/** The shown part of a request. */
export const requestLine = z.object({
  path: z.string().describe('of the step'),
  run: z.number().int(),
  attempt: z.number().int(),
  at: millis,
  duration_ms: z.number(),
  method: z.string(),
  url: z.string(),
  status: z.number().int().nullable().describe('null when no answer came'),
  error: z.string().nullable().describe('why no answer came, or not all of it'),
});
