import * as z from 'zod';
import { done, integer, millis } from './fields.ts';
import { operation } from './operation.ts';

const way = z.enum(['pull', 'file', 'paste']);
const state = z
  .enum(['here', 'missing', 'unread'])
  .describe('unread: the step found none, or could not read it');
const cursor = z.record(z.string(), z.unknown()).nullable();

const asked = z.object({
  accounts: z.array(
    z.object({
      id: z.string(),
      app: z.string(),
      state,
      bridge: z
        .boolean()
        .describe('whether it has a token that ends, and nothing that renews it here'),
    }),
  ),
  accounts_not_asked: z
    .array(z.object({ id: z.string(), used_by: z.string() }))
    .describe('accounts that the step does not ask for, because their app is unknown'),
  variables: z.array(z.object({ name: z.string(), state })),
  data_stores: z.array(
    z.object({
      id: z.string(),
      records: z.number().int().describe('that are here'),
      total: z.number().int().nullable().describe('that a run counted there; null before'),
      state,
    }),
  ),
  files: z
    .object({ here: z.number().int(), total: z.number().int().nullable(), state })
    .nullable()
    .describe('null where none are asked for'),
});

export const carryOver = z.object({
  id: z.string(),
  way,
  created_at: millis,
  until: millis.describe('after which nothing is taken'),
  ended: z.boolean().describe('whether its private key is deleted'),
  complete: z.boolean(),
  token: z.string().describe('what a pull sends along as x-weir-carry; it opens nothing'),
  asked,
  problems: z.array(z.string()).describe('what is missing of what came, one sentence each'),
  fingerprints: z.array(z.string()).describe('of the runs that came, as the step shows them'),
  cursors: z
    .array(z.object({ source: z.string(), next: cursor }))
    .describe('where a pull of an address goes on; null at the end'),
});

export const operations = {
  'carry_over.begin': operation({
    scope: 'admin',
    summary:
      'Write a step for the platform that encrypts what imported workflows lack: accounts, variables, data stores and files',
    input: z.object({
      way: way.optional().describe('pull unless given'),
      days: integer.min(1).max(90).optional().describe('how long it is taken; 14 unless given'),
    }),
    output: z.object({ carry_over: carryOver, code: z.string().describe('the step') }),
  }),
  'carry_over.take': operation({
    scope: 'admin',
    summary:
      'Take blocks of a carry-over from a text: only what was asked for, and nothing over what is here',
    input: z.object({
      text: z.string(),
      source: z
        .string()
        .optional()
        .describe('the address of a pull, which the next one goes on at'),
    }),
    output: z.object({
      blocks: z.number().int(),
      accounts: z.number().int(),
      variables: z.number().int(),
      records: z.number().int(),
      files: z.number().int(),
      already: z.number().int().describe('what was here already, and stayed as it is'),
      fingerprints: z.array(z.string()),
      refused: z.array(z.string()).describe('what was not taken, one sentence each'),
      next: cursor.optional().describe('where a pull goes on; null at the end'),
      completed: z.array(z.string()).describe('ids of carry-overs that are complete now'),
    }),
  }),
  'carry_over.status': operation({
    scope: 'admin',
    summary: 'What carry-overs asked for, what has come and what is missing; the newest first',
    input: z.object({}),
    output: z.object({ data: z.array(carryOver) }),
  }),
  'carry_over.end': operation({
    scope: 'admin',
    summary: 'End a carry-over: its private key is deleted, and nothing more is taken',
    input: z.object({ id: z.string().min(1) }),
    output: done,
  }),
};
