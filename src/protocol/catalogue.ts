/** The operations as types: what a client may call, without loading a schema. */
import type { z } from 'zod';
import type { Catalogue } from './schemas/catalogue.ts';
import type * as r from './schemas/resources.ts';

export type OperationName = keyof Catalogue;
/** What a caller passes. */
export type Params<N extends OperationName> = z.input<Catalogue[N]['input']>;
/** What a handler receives. */
export type Parsed<N extends OperationName> = z.output<Catalogue[N]['input']>;
/** What comes back. */
export type Result<N extends OperationName> = z.output<Catalogue[N]['output']>;

export type Component = z.output<typeof r.component>;
export type Source = z.output<typeof r.source>;
export type Invocation = z.output<typeof r.invocation>;
export type InvocationStatus = z.output<typeof r.invocationStatus>;
export type EmittedEvent = z.output<typeof r.event>;
export type LogLine = z.output<typeof r.logLine>;
export type Webhook = z.output<typeof r.webhook>;
export type Subscription = z.output<typeof r.subscription>;
export type Delivery = z.output<typeof r.delivery>;
export type Redelivery = z.output<typeof r.redelivery>;
export type AutoSubscription = z.output<typeof r.autoSubscription>;
export type DeliveryStatus = z.output<typeof r.deliveryStatus>;
export type Attempt = z.output<typeof r.attempt>;
export type DataStore = z.output<typeof r.dataStore>;
export type Account = z.output<typeof r.account>;
export type Observation = z.output<typeof r.observation>;
export type PropOptions = z.output<typeof r.propOptions>;
export type PropSet = z.output<typeof r.propSet>;
export type ActionRun = z.output<typeof r.actionRun>;
export type DebugState = z.output<typeof r.debugState>;
export type DebuggedProcess = z.output<typeof r.debuggedProcess>;
export type StoredTrigger = z.output<typeof r.storedTrigger>;
export type Activity = z.output<typeof r.activity>;
export type DryRun = z.output<typeof r.dryRun>;
export type RuntimeInfo = z.output<typeof r.runtimeInfo>;
export interface Page<T> {
  readonly page_info: z.output<typeof r.pageInfo>;
  readonly data: readonly T[];
}
