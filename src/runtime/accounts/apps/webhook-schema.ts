/**
 * The part `webhook` of the definition of an app: how it sends events to an address of ours, so that sources with
 * `$.interface.apphook` get them.
 */
import { z } from 'zod';

const text = () => z.string('must be text').min(1, 'must not be empty');
const header = () => z.string().regex(/^[a-z0-9-]+$/, 'must be the name of a header in lower case');

/** A part of a request: a JSON pointer into its body (`*` for each item of a list), or a header, … by name. */
const reference = /^(?:\/.*|body|header:[a-z0-9-]+|query:[\w.-]+|hmac:\/.*)$/;

const referenceText =
  'a JSON pointer into the body such as /event/type (* for each of a list), header:NAME, query:NAME, body, or hmac:POINTER, a text of the body signed in hex';

/** Text in which `{reference}` is replaced by a value of the request. */
const template = () =>
  text()
    .refine(
      (value) => placeholdersIn(value).every((one) => reference.test(one)),
      `may name in { } only ${referenceText}`,
    )
    .describe(`text in which {…} stands for ${referenceText}`);

export function placeholdersIn(value: string): string[] {
  return [...value.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
}

const conditions = () =>
  z
    .record(
      z.string().regex(reference, `must be ${referenceText}`),
      z.union([z.string(), z.literal(true)], 'must be the text that it has to be, or true'),
    )
    .describe('what has to be there: its text, or true for any');

const payloadPlaceholder = /\{(?!body\}|timestamp\})[^{}]*\}/;

export const webhook = z.strictObject({
  register: text().describe('where one enters the address, in one sentence'),
  one_address: z
    .boolean()
    .default(false)
    .describe('the app takes one address only: that of the account, for all of its sources'),
  secret: text().describe('what the app calls the secret that it signs with'),
  signature: z.strictObject({
    header: header(),
    prefix: z.string().default('').describe('what stands before it in the header, such as v0='),
    algorithm: z.enum(['sha256', 'sha1', 'sha512']).default('sha256').describe('of the HMAC'),
    encoding: z.enum(['hex', 'base64']).default('hex'),
    payload: text()
      .refine((value) => value.includes('{body}'), 'must have {body} in it')
      .refine((value) => !payloadPlaceholder.test(value), 'may have {timestamp} and {body} in it')
      .default('{body}')
      .describe('what is signed'),
    timestamp: z
      .strictObject({
        header: header(),
        unit: z.enum(['s', 'ms']).default('s'),
        tolerance: z
          .int()
          .positive()
          .default(300)
          .describe('seconds; what is older, or further ahead, is refused'),
      })
      .optional(),
  }),
  refused: z
    .int()
    .min(400)
    .max(499)
    .default(401)
    .describe('the status that a request with a wrong signature gets'),
  form_field: text()
    .optional()
    .describe(
      'the field that has the JSON, when the body is a form; without it, the form is the body',
    ),
  challenges: z
    .array(
      z
        .strictObject({
          when: conditions(),
          signed: z.boolean().default(true).describe('false when the app asks without a signature'),
          answer: z.union(
            [template(), z.record(z.string(), template())],
            'must be a text or an object',
          ),
        })
        .refine(
          // Otherwise a caller could have any text signed.
          ({ signed, answer }) => signed || !JSON.stringify(answer).includes('{hmac:'),
          'must not sign anything for a request that is not signed',
        ),
    )
    .default([])
    .describe('questions by which the app makes sure whose address it is; a text or JSON answers'),
  events: z
    .array(
      z.strictObject({
        when: conditions().optional(),
        event: z
          .string()
          .regex(/^(?:\/.*)?$/, 'must be a JSON pointer')
          .default('')
          .describe('what of the body run(event) gets; all of it when left out'),
        names: z
          .array(template())
          .min(1, 'must have one name at least')
          .describe(
            'by which eventNames may ask for it; one whose {…} is not there does not count',
          ),
        delivery: template()
          .optional()
          .describe('what tells one delivery from another: the same again is a retry'),
      }),
    )
    .min(1, 'must have one kind of event at least')
    .describe('the first that fits a request counts'),
});

export type AppWebhook = z.output<typeof webhook>;
/** As it is written, with what has a default left out. */
export type WrittenWebhook = z.input<typeof webhook>;
