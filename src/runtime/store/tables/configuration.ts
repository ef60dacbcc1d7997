import { kindOf } from '../../../protocol/ids.ts';
import type { SourceTable } from '../configuration/sources.ts';
import type { ConfigurationChanges } from '../shared.ts';
import { type Accounts, createAccounts } from './accounts.ts';
import { type AgentOffers, createAgentOffers } from './agent-offers.ts';
import { type Components, createComponents } from './components.ts';
import { createDataStores, type DataStores } from './data-stores.ts';
import type { Emitters } from './emitter-records.ts';
import type { TableChange, TableEngine } from './engine.ts';
import { createSettings, type Settings } from './settings.ts';
import { createSources, type Sources } from './sources.ts';
import {
  type AutoSubscriptions,
  createAutoSubscriptions,
  createSubscriptions,
  type Subscriptions,
} from './subscriptions.ts';
import { createWebhooks, type Webhooks } from './webhooks.ts';
import { createWorkflows, type Workflows } from './workflows.ts';

export interface ConfigurationTables {
  readonly settings: Settings;
  readonly components: Components;
  readonly sources: Sources & Pick<SourceTable, 'setNextTick'>;
  readonly workflows: Workflows;
  readonly webhooks: Webhooks;
  readonly subscriptions: Subscriptions;
  readonly autoSubscriptions: AutoSubscriptions;
  readonly accounts: Accounts;
  readonly agentOffers: AgentOffers;
  readonly dataStores: DataStores;
}

/** Timers belong to sources and to workflows. */
export interface Timers {
  /** @throws WeirError('not_found') when the emitter has no such interface */
  requireInterface(emitterId: string, interfaceId: string): void;
  /** Within a write: the time of a timer's next tick. */
  moveTick(
    change: TableChange,
    emitterId: string,
    interfaceId: string,
    nextAt: number | undefined,
  ): void;
  /** Reads again when the timers tick of an emitter that another runtime owns. */
  refreshTicks(emitterId: string): Promise<void>;
}

export interface OpenedConfiguration {
  readonly tables: ConfigurationTables;
  readonly timers: Timers;
  /** Reads everything again. Resolves with what applies it to memory, in one turn of the loop. */
  reread(isOwn: (emitterId: string) => boolean): Promise<() => ConfigurationChanges>;
}

/**
 * Loads every table of the configuration into memory.
 * @param flush resolves when everything written so far is on disk
 */
export async function openConfiguration(
  engine: TableEngine,
  emitters: Emitters,
  flush: () => Promise<void>,
): Promise<OpenedConfiguration> {
  const subscriptions = await createSubscriptions(engine);
  const autoSubscriptions = await createAutoSubscriptions(engine);
  const sources = await createSources(engine, emitters, subscriptions, autoSubscriptions);
  const workflows = await createWorkflows(engine, emitters, subscriptions, autoSubscriptions);
  const webhooks = await createWebhooks(engine, subscriptions, autoSubscriptions);
  const settings = await createSettings(engine, flush);
  const components = await createComponents(engine, () => [
    ...sources.all().map(({ componentId }) => componentId),
    ...workflows.componentIds(),
  ]);
  const accounts = await createAccounts(engine);
  const agentOffers = await createAgentOffers(engine);
  const dataStores = await createDataStores(engine);

  const timersOf = (id: string) => (kindOf(id) === 'workflow' ? workflows : sources);
  const timers: Timers = {
    requireInterface: (id, interfaceId) => timersOf(id).requireInterface(id, interfaceId),
    moveTick: (change, id, ...tick) => timersOf(id).moveTick(change, id, ...tick),
    refreshTicks: (id) => timersOf(id).refreshTicks(id),
  };
  const setNextTick: SourceTable['setNextTick'] = ({ id, fence }, interfaceId, nextAt) =>
    engine.write((change) => {
      emitters.owned(id, fence);
      timers.requireInterface(id, interfaceId);
      timers.moveTick(change, id, interfaceId, nextAt);
    });
  return {
    tables: {
      settings,
      components,
      sources: { ...sources, setNextTick },
      workflows,
      webhooks,
      subscriptions,
      autoSubscriptions,
      accounts,
      agentOffers,
      dataStores,
    },
    timers,
    async reread(isOwn) {
      // A record is read after the records that refer to it.
      const applySources = await sources.reread(isOwn);
      const applyWorkflows = await workflows.reread(isOwn);
      const applySubscriptions = await subscriptions.reread();
      const applyWebhooks = await webhooks.reread();
      const applyAccounts = await accounts.reread();
      const others = [
        await autoSubscriptions.reread(),
        await components.reread(),
        await settings.reread(),
        await agentOffers.reread(),
        await dataStores.reread(),
      ];
      return () => {
        for (const apply of others) apply();
        return {
          sources: applySources(),
          workflows: applyWorkflows(),
          subscriptions: applySubscriptions(),
          webhooks: applyWebhooks(),
          accounts: applyAccounts(),
        };
      };
    },
  };
}
