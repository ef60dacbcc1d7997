/**
 * The definition of an app: how its accounts are connected. The checks (`read.ts`) and the editors' JSON Schema
 * (`json-schema.ts`) are derived from this schema.
 */
import { z } from 'zod';
import { webhook } from './webhook-schema.ts';

const text = () => z.string('must be text').min(1, 'must not be empty');
const pointer = () => z.string().regex(/^\//, 'must be a JSON pointer such as /data/id');
const texts = () => z.record(z.string(), z.string('must be text'));

/** `{name}` is replaced by a field that the user fills in. */
const placeholder = /\{([a-z_][a-z0-9_]*)\}/gi;

const address = () =>
  text().refine((value) => isSafeAddress(value.replaceAll(placeholder, 'x')), {
    message: 'must be an https address, or http on this machine',
  });

/** Tokens go nowhere in the clear: plain http is for this machine only. */
export function isSafeAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, username, password } = new URL(value);
  if (username !== '' || password !== '') return false;
  const isHere = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
  return protocol === 'https:' || (protocol === 'http:' && isHere);
}

const field = z.strictObject({
  name: z.string().regex(/^[a-z_]\w*$/i, 'must be a name of letters, digits and _'),
  label: text().optional(),
  description: z.string().optional(),
  secret: z.boolean().optional(),
  optional: z.boolean().optional(),
  default: z.string().optional(),
  pattern: text()
    .refine(isPattern, 'must be a regular expression')
    .optional()
    .describe(
      'what the whole value must match; letters, digits, dot and dash when left out of an address',
    ),
});

function isPattern(value: string): boolean {
  try {
    return new RegExp(value) instanceof RegExp;
  } catch {
    return false;
  }
}

const redirect = () =>
  z
    .strictObject({
      host: z.enum(['127.0.0.1', 'localhost']).default('127.0.0.1'),
      port: z
        .union([z.literal('any'), z.int().min(1024).max(65535)])
        .default('any')
        .describe('a number for apps that want the exact address registered'),
      path: z
        .string()
        .regex(/^\/[\w/-]*$/, 'must be a path')
        .optional()
        .describe('an unguessable one when left out'),
    })
    .prefault({});

/** A request with the new token: whose account it is, and further values that the app's components read. */
const identity = z.strictObject({
  url: address(),
  id: pointer(),
  label: pointer().optional(),
  header: text().default('authorization').describe('the header that the token goes in'),
  value: text().default('Bearer {access_token}'),
  keep: z
    .record(z.string(), pointer())
    .default({})
    .describe('more fields of $auth, from its answer'),
});

/** Values that become part of `$auth` besides the tokens. */
const kept = {
  keep: z
    .strictObject({
      callback: z.array(text()).default([]),
      token: z.array(text()).default([]),
    })
    .prefault({}),
  identity: identity.optional(),
  auth: texts()
    .default({})
    .describe('more fields of $auth, from {callback.x}, {token.x}, {identity.id} and {field}'),
};

const oauth2 = z.strictObject({
  type: z.literal('oauth2'),
  grants: z
    .array(z.enum(['code', 'device', 'client_credentials']))
    .min(1, 'must name one grant at least')
    .default(['code']),
  issuer: address().optional().describe('an answer that names another issuer is refused'),
  issuer_required: z.boolean().default(false).describe('an answer without iss is refused'),
  authorization_url: address().optional(),
  token_url: address(),
  refresh_url: address().optional().describe('token_url when left out'),
  device_url: address().optional(),
  revocation_url: address().optional(),
  scopes: z.array(text()).default([]).describe('a field may stand in them, as in an address'),
  scope_separator: z.string().default(' '),
  scope_param: text().default('scope'),
  pkce: z.boolean().default(true),
  client_auth: z.enum(['post', 'basic', 'none']).default('post'),
  token_body: z.enum(['form', 'json']).default('form'),
  authorization_params: texts().default({}),
  token_params: texts().default({}),
  refresh_params: texts().default({}),
  redirect: redirect(),
  fields: z.array(field).default([]),
  response: z
    .strictObject({
      access_token: pointer().optional(),
      refresh_token: pointer().optional(),
      expires_in: pointer().optional(),
      error_in_200: z.boolean().default(false),
      form: z.boolean().default(false).describe('the body is form-encoded'),
      any_success: z.boolean().default(false).describe('other statuses than 200 mean success, too'),
      token_type: z
        .boolean()
        .default(false)
        .describe('token_type is left out or another word than bearer'),
      loose: z
        .boolean()
        .default(false)
        .describe('null stands for what is left out, and scope may be a list'),
      default_expires_in: z.int().positive().optional().describe('seconds'),
    })
    .prefault({}),
  ...kept,
});

const host = z
  .string()
  .regex(/^(?:\*\.)?[a-z0-9.-]+(?::\d+)?$/, 'must be a host such as api.acme.com or *.acme.com');

const oauth1 = z.strictObject({
  type: z.literal('oauth1'),
  request_token_url: address(),
  authorization_url: address(),
  access_token_url: address(),
  signature_method: z.enum(['HMAC-SHA1', 'HMAC-SHA256']).default('HMAC-SHA1'),
  hosts: z
    .array(host)
    .default([])
    .describe('requests to these are signed, and to the hosts of the addresses above'),
  authorization_params: texts().default({}),
  redirect: redirect(),
  fields: z.array(field).default([]),
  ...kept,
});

const authName = () => z.string().regex(/^[a-z_]\w*$/i, 'must be the name of a field of $auth');

const command = z.strictObject({
  type: z.literal('command'),
  run: z
    .array(text())
    .min(1, 'must name a program')
    .describe('a program on the PATH and its arguments; its output is the token'),
  as: authName().default('oauth_access_token'),
  expires_in: z
    .int()
    .positive()
    .optional()
    .describe('seconds; until the app refuses it, when left out'),
});

const editor = z.strictObject({
  type: z.literal('editor'),
  provider: text().describe("id of an authentication provider of VS Code, such as 'github'"),
  scopes: z.array(text()).default([]),
});

const keys = z.strictObject({
  type: z.literal('keys'),
  name: text()
    .optional()
    .describe('such as "Personal access token", to tell it from other methods'),
  fields: z.array(field).min(1, 'must name one field at least'),
});

/** A complete app definition. */
export const appDefinition = z.strictObject({
  $schema: z.string().optional(),
  app: z.string().regex(/^[a-z0-9][a-z0-9_-]*$/, 'must be a name slug such as google_drive'),
  name: text(),
  description: z.string().optional(),
  setup: z.url().optional().describe('where one registers an OAuth client'),
  sources: z.array(z.url()).default([]).describe("the vendor's documentation of it"),
  unverified: z.boolean().default(false).describe('nobody has checked it against documentation'),
  note: z.string().optional().describe('what one should know before connecting'),
  methods: z
    .array(
      z.discriminatedUnion(
        'type',
        [oauth2, oauth1, editor, command, keys],
        'must have the type "oauth2", "oauth1", "editor", "command" or "keys"',
      ),
    )
    .min(1, 'must have one method at least'),
  check: z
    .strictObject({ url: address(), ok: z.array(z.int()).default([200]) })
    .optional()
    .describe('a request that succeeds with a good token'),
  webhook: webhook.optional().describe('how it sends events to sources with $.interface.apphook'),
});

export type AppDefinition = z.output<typeof appDefinition>;
export type OAuthMethod = Extract<AppDefinition['methods'][number], { type: 'oauth2' }>;
export type OAuth1Method = Extract<AppDefinition['methods'][number], { type: 'oauth1' }>;
export type CommandMethod = Extract<AppDefinition['methods'][number], { type: 'command' }>;
export type EditorMethod = Extract<AppDefinition['methods'][number], { type: 'editor' }>;
/** Methods for which a person registers a client. */
export type ClientMethod = OAuthMethod | OAuth1Method;
/** Methods that connect an account; keys are typed in. */
export type ConnectMethod = ClientMethod | CommandMethod | EditorMethod;
/** As it is written, with what has a default left out. */
export type WrittenDefinition = z.input<typeof appDefinition>;
