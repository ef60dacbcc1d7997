/** The operations as types: what a client may call, without loading a schema. */
import type { z } from 'zod';
import type * as accounts from './schemas/accounts.ts';
import type * as actions from './schemas/actions.ts';
import type * as agents from './schemas/agents.ts';
import type * as apps from './schemas/apps.ts';
import type * as autoSubscriptions from './schemas/auto-subscriptions.ts';
import type { Catalogue } from './schemas/catalogue.ts';
import type * as components from './schemas/components.ts';
import type * as dataStores from './schemas/data-stores.ts';
import type * as debug from './schemas/debug.ts';
import type * as deliveries from './schemas/deliveries.ts';
import type * as dryRun from './schemas/dry-run.ts';
import type * as events from './schemas/events.ts';
import type * as forms from './schemas/forms.ts';
import type * as invocations from './schemas/invocations.ts';
import type * as logs from './schemas/logs.ts';
import type * as page from './schemas/page.ts';
import type * as pins from './schemas/pins.ts';
import type * as registries from './schemas/registries.ts';
import type * as runtime from './schemas/runtime.ts';
import type * as serviceDb from './schemas/service-db.ts';
import type * as sources from './schemas/sources.ts';
import type * as subscriptions from './schemas/subscriptions.ts';
import type * as webhooks from './schemas/webhooks.ts';
import type * as workflows from './schemas/workflows.ts';

export type OperationName = keyof Catalogue;
/** What a caller passes. */
export type Params<N extends OperationName> = z.input<Catalogue[N]['input']>;
/** What a handler receives. */
export type Parsed<N extends OperationName> = z.output<Catalogue[N]['input']>;
/** What comes back. */
export type Result<N extends OperationName> = z.output<Catalogue[N]['output']>;

export type Component = z.output<typeof components.component>;
export type Source = z.output<typeof sources.source>;
export type Invocation = z.output<typeof invocations.invocation>;
export type InvocationStatus = z.output<typeof invocations.invocationStatus>;
export type Workflow = z.output<typeof workflows.workflow>;
export type Execution = z.output<typeof workflows.execution>;
export type ExecutionStatus = z.output<typeof workflows.executionStatus>;
export type WholeExecution = z.output<typeof workflows.wholeExecution>;
export type StepRun = z.output<typeof workflows.stepRun>;
export type Pin = z.output<typeof pins.pin>;
export type Send = z.output<typeof workflows.send>;
export type GivenResponse = z.output<typeof workflows.givenResponse>;
export type DeployWarning = z.output<typeof workflows.deployWarning>;
export type EmittedEvent = z.output<typeof events.event>;
export type LogLine = z.output<typeof logs.logLine>;
export type Webhook = z.output<typeof webhooks.webhook>;
export type Subscription = z.output<typeof subscriptions.subscription>;
export type Delivery = z.output<typeof deliveries.delivery>;
export type Redelivery = z.output<typeof deliveries.redelivery>;
export type AutoSubscription = z.output<typeof autoSubscriptions.autoSubscription>;
export type DeliveryStatus = z.output<typeof deliveries.deliveryStatus>;
export type Attempt = z.output<typeof deliveries.attempt>;
export type DataStore = z.output<typeof dataStores.dataStore>;
export type DataStoreRecord = z.output<typeof dataStores.dataStoreRecord>;
export type DbEntry = z.output<typeof serviceDb.dbEntry>;
export type Account = z.output<typeof accounts.account>;
export type AccountWebhook = z.output<typeof accounts.accountWebhook>;
export type Connection = z.output<typeof accounts.connection>;
export type App = z.output<typeof apps.app>;
export type OAuthClient = z.output<typeof apps.oauthClient>;
export type Observation = z.output<typeof forms.observation>;
export type PropOptions = z.output<typeof forms.propOptions>;
export type PropSet = z.output<typeof forms.propSet>;
export type ActionRun = z.output<typeof actions.actionRun>;
export type AgentOffer = z.output<typeof agents.agentOffer>;
export type OfferedAction = z.output<typeof agents.offeredAction>;
export type AgentRules = z.output<typeof agents.agentRules>;
export type AgentCall = z.output<typeof agents.agentCall>;
export type KeptActionRun = z.output<typeof actions.keptActionRun>;
export type WholeActionRun = z.output<typeof actions.wholeActionRun>;
export type DebugState = z.output<typeof debug.debugState>;
export type DebuggedProcess = z.output<typeof debug.debuggedProcess>;
export type StoredTrigger = z.output<typeof invocations.storedTrigger>;
export type Activity = z.output<typeof sources.activity>;
export type DryRun = z.output<typeof dryRun.dryRun>;
export type OfferedComponent = z.output<typeof registries.offeredComponent>;
export type TrustQuestion = z.output<typeof registries.trustQuestion>;
export type ConfiguredRegistry = z.output<typeof registries.registry>;
export type RuntimeInfo = z.output<typeof runtime.runtimeInfo>;
export interface Page<T> {
  readonly page_info: z.output<typeof page.pageInfo>;
  readonly data: readonly T[];
}
