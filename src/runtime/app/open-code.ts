/**
 * From a file to a process that has loaded it, and what a person does with code before it is deployed and beside its runs:
 * components of others, debugging and forms.
 */
import { join } from 'node:path';
import { UsedApps } from '../accounts/apps/used-apps.ts';
import { findWorkflow } from '../api/operations/find-workflow.ts';
import { randomBase62, secureRandom } from '../base/ids.ts';
import { DataStores } from '../components/data-stores/data-stores.ts';
import { Debugging } from '../components/debug/debugging.ts';
import { createComponents } from '../components/deployments/components.ts';
import { withRecentBuilds } from '../components/deployments/recent-builds.ts';
import { FormHosts } from '../components/forms/form-hosts.ts';
import { Forms } from '../components/forms/forms.ts';
import { PropSets } from '../components/forms/prop-sets.ts';
import { loadDeployment } from '../components/load.ts';
import type { PrepareOptions } from '../components/prepare.ts';
import { accountIds } from '../components/props/configured.ts';
import { SavedComponents } from '../components/saved-components.ts';
import type { Services } from '../events/services.ts';
import type { Registry } from '../registry/registry.ts';
import { filePrefix, SharedFiles } from '../server/files/shared-files.ts';
import { processLog } from '../sources/process-log.ts';
import type { CodeTable } from '../store/code.ts';
import type { OpenedAccounts } from './open-accounts.ts';
import { openProcesses, readLimits } from './open-processes.ts';
import { openRegistry } from './open-registry.ts';

export interface OpenCodeOptions extends Services {
  /** Absolute path of the data folder. */
  readonly data: string;
  readonly dist: string;
  readonly redirects: Readonly<Record<string, string>>;
  /** The user's folder. */
  readonly configFolder: string;
  /** The table where nodes share code. */
  readonly code: CodeTable | undefined;
  readonly accountParts: Pick<OpenedAccounts, 'accounts' | 'apps' | 'companions' | 'keeper'>;
  readonly endpointUrl: (id: string) => string;
}

export type OpenedCode = Awaited<ReturnType<typeof openCode>>;

/** A person waits at a form: longer than this nothing it asks may take. */
const longestFormCallMs = 60_000;
const formIdleMs = 60_000;
const mostFormHosts = 4;

/** A debugger attaches within a second; on a busy machine, in its first session, it takes several. */
const debuggerWaitMs = 30_000;

/** Registers its own cleanup with `closing`. */
export async function openCode(options: OpenCodeOptions) {
  const { store, settings, clock, now, signals, newId, closing, data, code } = options;
  const { apps, companions } = options.accountParts;
  const dataStores = new DataStores({
    table: store.dataStores,
    now,
    newId: () => newId('ds_'),
    changed: (id) => signals.emit('dataStore', id),
  });
  const files = new SharedFiles({
    folder: join(data, 'files'),
    clock,
    newId: () => filePrefix + randomBase62(22, secureRandom),
    url: options.endpointUrl,
  });
  await files.open();
  closing.push(() => files.close());
  const hosts = await openProcesses({
    ...options,
    onRequest: (request) => {
      switch (request.of) {
        case 'file':
          return files.answer(request);
        case 'workflow':
          return Promise.resolve(request).then(({ id }) => findWorkflow(store, id).id);
        case 'data_store':
          return dataStores.answer(request);
        case 'held_back':
          // Only dry runs hold something back, and they take this themselves.
          return undefined;
      }
    },
  });
  const components = createComponents({
    folder: join(data, 'deployments'),
    packagesFolder: join(data, 'packages'),
    hosts,
    code,
    installPolicy: settings['packages.install'],
    usesAppFiles: (entry, used) => companions.learn(entry, used),
    ...(settings['npm.path'] === '' ? {} : { npmPath: settings['npm.path'] }),
  });
  const savedComponents = new SavedComponents({ ...options, components, code });
  const ofOthers = openRegistry({
    ...options,
    workspace: join(data, '..'),
    definers: (slugs) => apps.definers(slugs),
  });
  const debugging = new Debugging({
    components,
    clock,
    waitMs: debuggerWaitMs,
    opened: (debugged) => signals.emit('debug', debugged),
    changed: ({ sourceId }) => {
      // Processes behind forms that were started before know nothing of it.
      formHosts.close();
      if (sourceId !== null) signals.emit('source', sourceId);
    },
  });
  const usedApps = new UsedApps(() =>
    [...store.components.all(), ...store.sources.all()].map(({ definition }) => definition),
  );
  const prepare = prepareOptions(options, debugging, usedApps, ofOthers.registry);
  const formHosts = openFormHosts(options, debugging);
  closing.push(() => formHosts.close());
  const forms = new Forms({
    hosts: formHosts,
    origins: { ...prepare, components: withRecentBuilds(components, now) },
    accountsOf: prepare.accountsOf,
    refreshExpiring: prepare.refreshExpiring,
  });
  const propSets = new PropSets(() => newId('dyp_'));
  return {
    ...ofOthers,
    dataStores,
    files,
    hosts,
    components,
    savedComponents,
    debugging,
    usedApps,
    prepare,
    forms,
    propSets,
  };
}

function prepareOptions(
  options: OpenCodeOptions,
  debugging: Debugging,
  usedApps: UsedApps,
  registry: Registry,
): PrepareOptions {
  const { accounts, apps, keeper } = options.accountParts;
  const limits = readLimits(options.settings);
  return {
    components: debugging.components,
    saved: options.store.components,
    codeFolder: join(options.data, 'code'),
    foreign: async (reference, { signal = new AbortController().signal, progress, adHoc }) => {
      const context = { signal, adHoc, progress: (message: string) => progress?.(message) };
      return (await registry.obtain(reference, context)).path;
    },
    locked: (reference) => registry.lockedFile(reference),
    limits,
    now: options.now,
    hostEvents: (sourceId) => processLog(options, sourceId),
    loaded: (definition) => usedApps.learn(definition),
    accountsOf: (configured) => accounts.credentialsOf(accountIds(configured)),
    refreshExpiring: (configured) =>
      keeper.refreshExpiring(accountIds(configured), limits.timeoutMs),
    unauthorized: (configured) => keeper.unauthorized(accountIds(configured)),
    accountsOfApp: (app) => accounts.all().filter((account) => account.app === app),
    sendsEvents: (app) => apps.find(app)?.definition.webhook !== undefined,
  };
}

function openFormHosts({ settings, clock, log }: OpenCodeOptions, debugging: Debugging): FormHosts {
  const limits = readLimits(settings);
  return new FormHosts({
    open: (deployment, signal) =>
      loadDeployment(debugging.components, deployment, {
        sourceId: null,
        limits: { ...limits, timeoutMs: Math.min(limits.timeoutMs, longestFormCallMs) },
        signal,
        onLog: (lines) => {
          for (const { text } of lines) log('info', `${deployment.path ?? 'code'}: ${text}`);
        },
      }),
    clock,
    idleMs: formIdleMs,
    most: mostFormHosts,
  });
}
