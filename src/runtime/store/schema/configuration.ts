/** Tables of the configuration: small, and whole in the memory of every runtime. */
import type { AccountRecord } from '../configuration/accounts.ts';
import type { AgentOffer } from '../configuration/agent-offers.ts';
import type { ComponentRecord, PublishedRecord } from '../configuration/components.ts';
import type { InterfaceRecord, SourceRecord } from '../configuration/sources.ts';
import type { AutoSubscriptionRecord, SubscriptionRecord } from '../configuration/subscriptions.ts';
import type { WebhookRecord } from '../configuration/webhooks.ts';
import type { WorkflowDeploymentRecord, WorkflowRecord } from '../configuration/workflows.ts';
import type { DataStoreItem, DataStoreRecord } from '../history/data-stores.ts';
import {
  composed,
  differing,
  flag,
  int,
  json,
  named,
  nullable,
  optional,
  real,
  text,
  word,
} from './column.ts';
import { recordTable, rowTable } from './table.ts';

/** In the order in which they were made. */
const byRow = { key: ['row'], also: { row: { type: 'bigint' } } } as const;

export interface Setting {
  readonly key: string;
  readonly value: string;
}

export const settings = recordTable<Setting>(
  'settings',
  { key: text, value: text },
  { key: ['key'] },
);

export const components = recordTable<ComponentRecord>(
  'components',
  {
    id: text,
    hash: text,
    path: nullable(text),
    definition: json(),
    createdAt: int,
  },
  byRow,
);

export const published = recordTable<PublishedRecord>(
  'published',
  { key: text, version: text, componentId: text },
  { key: ['key'] },
);

export const emitters = rowTable(
  'emitters',
  {
    row: { type: 'bigint' },
    id: { type: 'text' },
    newest_ms: { type: 'bigint', nullable: true },
    newest_seq: { type: 'bigint', nullable: true },
    node: { type: 'bigint', nullable: true, only: 'postgres' },
    epoch: { type: 'bigint', only: 'postgres' },
    released: { type: 'boolean', only: 'postgres' },
  },
  { key: ['row'] },
);

export const sources = recordTable<Omit<SourceRecord, 'interfaces'>>(
  'sources',
  {
    id: text,
    componentId: text,
    name: text,
    slug: text,
    deploying: flag,
    active: flag,
    configuredProps: json(),
    definition: json(),
    createdAt: int,
    updatedAt: int,
  },
  byRow,
);

export const workflows = recordTable<Omit<WorkflowRecord, 'interfaces'>>(
  'workflows',
  {
    id: text,
    name: text,
    slug: text,
    path: text,
    active: flag,
    deploymentId: named('deployment', text),
    createdAt: int,
    updatedAt: int,
  },
  byRow,
);

export const workflowDeployments = recordTable<WorkflowDeploymentRecord>(
  'workflow_deployments',
  {
    id: text,
    workflowId: named('workflow', text),
    definition: json(),
    components: json(),
    isTest: named('test', flag),
    createdAt: int,
  },
  byRow,
);

/** A subscription that a workflow's own triggers asked for, so that a deploy removes no others. */
export interface WorkflowSubscription {
  readonly subscription: string;
  readonly workflow: string;
}

export const workflowSubscriptions = recordTable<WorkflowSubscription>(
  'workflow_subscriptions',
  { subscription: text, workflow: text },
  { key: ['subscription'] },
);

/** With the row of the emitter it belongs to. */
export interface StoredInterface extends InterfaceRecord {
  readonly emitter: number;
}

export const interfaces = recordTable<StoredInterface>(
  'interfaces',
  {
    emitter: differing(int, { sqlite: 'source' }),
    id: text,
    prop: text,
    kind: word(),
    intervalSeconds: optional(real),
    cron: optional(text),
    timezone: optional(text),
    nextAt: optional(int),
  },
  byRow,
);

export const webhooks = recordTable<WebhookRecord>(
  'webhooks',
  {
    id: text,
    url: text,
    name: nullable(text),
    description: nullable(text),
    active: flag,
    signingSecret: text,
    oldSecret: {
      ...composed<WebhookRecord['oldSecret']>(
        {
          old_secret: { type: 'text', nullable: true },
          old_secret_until: { type: 'bigint', nullable: true },
        },
        ({ old_secret: sealed, old_secret_until: until }) =>
          typeof sealed === 'string' ? { sealed, until: until as number } : undefined,
        (secret) => ({ old_secret: secret?.sealed, old_secret_until: secret?.until }),
      ),
      optional: true,
    },
    createdAt: int,
    updatedAt: int,
  },
  byRow,
);

export const subscriptions = recordTable<SubscriptionRecord>(
  'subscriptions',
  { id: text, emitterId: text, listenerId: text, channel: text },
  byRow,
);

export const autoSubscriptions = recordTable<AutoSubscriptionRecord>(
  'auto_subscriptions',
  { id: text, listenerId: text, channel: text },
  byRow,
);

/** Accounts kept for the user are in no store. */
export const accounts = recordTable<Omit<AccountRecord, 'kept'>>(
  'accounts',
  {
    id: text,
    app: text,
    name: text,
    sealed: text,
    oauth: optional(json()),
    createdAt: int,
    updatedAt: int,
  },
  byRow,
);

export const agentOffers = recordTable<AgentOffer>(
  'agent_offers',
  { what: text, accounts: json(), live: json() },
  byRow,
);

export const dataStores = recordTable<DataStoreRecord>(
  'data_stores',
  { id: text, name: text, createdAt: int },
  byRow,
);

export const dataStoreRecords = recordTable<DataStoreItem & { readonly store: string }>(
  'data_store_records',
  { store: text, key: text, json: text, expiresAt: nullable(int) },
  { key: ['store', 'key'] },
);
