/** How definitions that ship are written: one row per app, with what most of them share left out. */
import type { WrittenDefinition } from '../schema.ts';

type Method = WrittenDefinition['methods'][number];
type WrittenOAuth = Extract<Method, { type: 'oauth2' }>;
export type WrittenKeys = Extract<Method, { type: 'keys' }>;

/** The address of this machine that most apps want registered as it is; its port is one that IANA gives to nobody. */
export const exactRedirect = {
  host: 'localhost',
  port: 18913,
  path: '/oauth/callback',
} as const satisfies WrittenOAuth['redirect'];

/** An app that connects by OAuth: the keys of the method are in the row itself. */
export interface AppRow extends Omit<WrittenOAuth, 'type'> {
  readonly app: string;
  readonly name: string;
  /** Where the user registers an OAuth client. */
  readonly setup: string;
  /** The vendor's documentation. */
  readonly sources: readonly string[];
  /** It was compared with that documentation. */
  readonly verified?: boolean;
  readonly note?: string;
  /** Where the user gets a token that the components use instead of an OAuth token. */
  readonly personal?: PersonalToken;
  /** Ways that need no OAuth client. */
  readonly also?: readonly Extract<Method, { type: 'editor' | 'command' }>[];
  /** A request that succeeds with a good token. */
  readonly check?: string;
}

export interface PersonalToken {
  /** As the vendor calls it. */
  readonly name: string;
  /** Where the user makes the token: an address, or a way through the vendor's menus. */
  readonly where: string;
  /** Further values that the components read. */
  readonly fields?: WrittenKeys['fields'];
}

/** The schema's defaults hold, but for these: no PKCE unless a row has it, and an exact redirect. */
export function oauthApp(row: AppRow): WrittenDefinition {
  const { app, name, setup, sources, verified = false, note, personal, also = [], ...rest } = row;
  const { check, ...method } = rest;
  return {
    app,
    name,
    setup,
    sources: [...sources],
    unverified: !verified,
    ...(note !== undefined && { note }),
    methods: [
      { type: 'oauth2', pkce: false, redirect: exactRedirect, ...method },
      ...also,
      ...(personal === undefined ? [] : [tokenMethod(personal)]),
    ],
    ...(check !== undefined && { check: { url: check } }),
  };
}

function tokenMethod({ name, where, fields = [] }: PersonalToken): WrittenKeys {
  const token = {
    name: 'oauth_access_token',
    label: name,
    description: `Made at ${where}`,
    secret: true,
  };
  return { type: 'keys', name, fields: [token, ...fields] };
}
