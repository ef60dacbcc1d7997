import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { ConnectedTools } from '../../../src/cli/cli.ts';
import { accountsFor } from '../../../src/cli/props/accounts.ts';
import type { ConfigurableProp } from '../../../src/protocol/definition.ts';

const api: ConfigurableProp = { name: 'api', type: 'app', app: 'shop' };
const mine = { id: 'apn_1', name: 'Mine' };
const other = { id: 'apn_2', name: 'Other' };

/** What is chosen of these accounts when nobody has to be asked, and what was said. */
async function choose(
  accounts: readonly object[],
  prop: ConfigurableProp = api,
  configured: object = {},
  isTTY = true,
): Promise<{ chosen: unknown; said: string }> {
  const stdin = Object.assign(new PassThrough(), { isTTY });
  const stderr = Object.assign(new PassThrough(), { isTTY: true });
  const asked: unknown[] = [];
  const tools = {
    io: { stdin, stderr },
    interrupted: new AbortController().signal,
    out: { note: (sentence: string) => void stderr.write(`${sentence}\n`) },
    call: (name: string, params: unknown) => {
      asked.push([name, params]);
      return Promise.resolve({ data: accounts, page_info: { end_cursor: null } });
    },
  } as unknown as ConnectedTools;
  const chosen = await accountsFor(tools, [prop], configured as Record<string, unknown>);
  stderr.end();
  expect(asked).toEqual(asked.length === 0 ? [] : [['accounts.list', { app: 'shop', limit: 100 }]]);
  return { chosen, said: await text(stderr) };
}

test('the only one is taken, and said', async () => {
  const { chosen, said } = await choose([mine]);
  expect(chosen).toEqual({ api: { authProvisionId: 'apn_1' } });
  expect(said).toBe('api: the account Mine (apn_1), the only one of shop.\n');
});

test('without any and nobody to ask it says which prop, which app, and how to connect one', async () => {
  await expect(choose([], api, {}, false)).rejects.toMatchObject({
    code: 'bad_input',
    message:
      'api needs an account of shop; connect one with "weir accounts add shop", or with "Weir: Add Account…" in the editor. With --prop api=null it runs without one.',
    details: [{ prop: 'api' }],
  });
});

test.each<[string, ConfigurableProp, object]>([
  ['given', api, { api: { authProvisionId: 'apn_9' } }],
  ['left out on purpose', api, { api: null }],
  ['of an app that needs none', { ...api, auth_keys: [] }, {}],
  ['optional', { ...api, optional: true }, {}],
  ['hidden', { ...api, hidden: true }, {}],
  ['no app', { name: 'api', type: 'string' }, {}],
])('a prop that is %s is not asked for', async (_, prop, configured) => {
  expect(await choose([mine, other], prop, configured)).toEqual({ chosen: {}, said: '' });
});
