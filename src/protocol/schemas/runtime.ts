import * as z from 'zod';
import { done } from './fields.ts';
import { operation } from './operation.ts';

export const runtimeInfo = z.object({
  version: z.string(),
  url: z.string(),
  public_url: z.string().nullable(),
  outside_url: z.string().nullable().describe('where callers from other machines are taken in'),
  pid: z.number().int(),
  data_folder: z.string(),
  started_at: z.string(),
  clients: z.number().int(),
  hosts: z.array(
    z.object({
      pid: z.number().int(),
      source_id: z.string().nullable(),
      in_flight: z.number().int(),
    }),
  ),
});

/** The holder of the API key: the one person this runtime works for. */
export const user = z.object({
  id: z.string().describe('u_…, the same for as long as the data folder'),
  username: z.string().describe('of the operating system'),
  email: z.string().nullable(),
  orgs: z.array(z.object({})).describe('none: there are no workspaces'),
});

export const operations = {
  'users.me': operation({
    scope: 'read',
    summary: 'Who the API key belongs to',
    input: z.object({}),
    output: user,
    rest: [{ method: 'GET', path: '/v1/users/me' }],
  }),
  'runtime.info': operation({
    scope: 'read',
    summary: 'What runs here',
    input: z.object({}),
    output: runtimeInfo,
  }),
  'runtime.stop': operation({
    scope: 'admin',
    summary: 'Stop the runtime cleanly',
    input: z.object({}),
    output: done,
  }),
  'db.copy': operation({
    scope: 'admin',
    summary: 'Write the store, with the code it needs, into one SQLite file: a backup',
    input: z.object({ file: z.string().describe('absolute path; must not exist') }),
    output: z.object({ file: z.string(), bytes: z.number().int() }),
  }),
};
