import * as z from 'zod';
import { done } from './fields.ts';
import { operation } from './operation.ts';

/** Actions that agents are offered as tools. */
export const agentOffer = z.object({
  what: z
    .string()
    .min(1)
    .describe('absolute path of a file or folder, key of a published action, or slug of an app'),
  accounts: z
    .record(z.string(), z.string().nullable())
    .default({})
    .describe('apn_… by app, null for none; when it is empty, the only account of an app is used'),
  live: z
    .array(z.string())
    .default([])
    .describe('names of the tools that run for real; the others are dry runs'),
});

/** An action as agents are offered it. */
export const offeredAction = z.object({
  name: z.string().describe('of its tool'),
  title: z.string(),
  description: z.string(),
  what: z.string().describe('the offer that it comes from'),
  from: z.string().describe('file or key of its code'),
  live: z.boolean().describe('whether it runs for real'),
  apps: z.array(z.string()).describe('slugs of the apps that it may have an account of'),
  destructive: z.boolean().describe('whether a run for real may destroy something'),
});

/** The user's rules for agents, over every transport. */
export const agentRules = z.object({
  tools: z.array(z.string()).nullable().describe('the only tools that agents have; null: all'),
  accounts: z
    .array(z.string())
    .nullable()
    .describe('the only accounts (apn_…) that code of agents and actions may use; null: all'),
  per_minute: z.number().int().min(1).max(100_000).describe('most calls in a minute'),
});

/** A call of an agent, and its outcome. */
export const agentCall = z.object({
  at: z.string().describe('ISO 8601, of its end'),
  agent: z.string().describe('what the client calls itself: nobody has checked it'),
  key: z.string().optional().describe('name of the key that it came with over HTTP'),
  tool: z.string(),
  arguments: z.unknown().describe('cut and without secrets, as the agent itself would see them'),
  outcome: z.enum(['answered', 'failed', 'refused', 'cancelled']),
  message: z.string().optional().describe('why not, in one sentence'),
  uri: z.string().optional().describe('document of what it made or changed'),
  ms: z.number(),
});

const what = agentOffer.shape.what;

export const operations = {
  'agent_offers.list': operation({
    scope: 'read',
    summary: 'Actions that agents are offered as tools',
    input: z.object({}),
    output: z.object({ data: z.array(agentOffer) }),
    rest: [{ method: 'GET', path: '/v1/agents/offers' }],
  }),
  'agent_offers.put': operation({
    scope: 'admin',
    summary: 'Offer actions to agents; what was said of the same ones before is replaced',
    input: agentOffer,
    output: agentOffer,
    rest: [{ method: 'PUT', path: '/v1/agents/offers' }],
  }),
  'agent_offers.delete': operation({
    scope: 'admin',
    summary: 'Offer actions to agents no longer',
    input: z.object({ what }),
    output: done,
    rest: [{ method: 'DELETE', path: '/v1/agents/offers' }],
  }),
  'agent_offers.describe': operation({
    scope: 'deploy',
    summary: 'Look at the actions that are offered, or would be; that evaluates their files',
    input: z.object({
      offers: z
        .array(agentOffer)
        .optional()
        .describe('the offers that would be made, otherwise the current ones'),
    }),
    output: z.object({
      data: z.array(offeredAction),
      problems: z.array(z.string()).describe('what is not offered and why, a sentence each'),
    }),
    rest: [{ method: 'POST', path: '/v1/agents/offers/describe' }],
  }),
  'agent_rules.get': operation({
    scope: 'read',
    summary: 'What agents are allowed',
    input: z.object({}),
    output: agentRules,
    rest: [{ method: 'GET', path: '/v1/agents/rules' }],
  }),
  'agent_rules.set': operation({
    scope: 'admin',
    summary: 'Allow agents more or less; what is left out stays',
    input: agentRules.partial(),
    output: agentRules,
    rest: [{ method: 'PUT', path: '/v1/agents/rules' }],
  }),
  'agent_calls.list': operation({
    scope: 'read',
    summary: 'What agents asked for and what came of it, newest first',
    input: z.object({
      limit: z.coerce.number().int().min(1).max(1000).default(100).describe('how many'),
    }),
    output: z.object({ data: z.array(agentCall) }),
    rest: [{ method: 'GET', path: '/v1/agents/calls' }],
  }),
};
