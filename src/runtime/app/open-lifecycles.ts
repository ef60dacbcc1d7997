/** How sources and workflows start and end, on the leader: deploys, updates, app webhooks, tests. */
import { join } from 'node:path';
import { WeirError } from '../../protocol/errors.ts';
import { Environment } from '../accounts/environment/environment.ts';
import type { Sealer } from '../accounts/seal.ts';
import { shareCode } from '../components/deployments/shared-code.ts';
import { removeUnusedCodeFiles } from '../components/code-file.ts';
import type { Deliveries } from '../events/delivery/deliveries.ts';
import type { InvocationsOptions } from '../events/runs/invocations.ts';
import { warnInLog } from '../events/emitter-log.ts';
import type { Inbox } from '../events/inbox.ts';
import type { Services } from '../events/services.ts';
import { openStash } from '../server/files/stash.ts';
import { AppHooks } from '../sources/apphooks/app-hooks.ts';
import { Lifecycle } from '../sources/lifecycle.ts';
import { slugOf } from '../sources/records.ts';
import { restore } from '../sources/restore.ts';
import type { CodeTable } from '../store/code.ts';
import { Workflows, type WorkflowsOptions } from '../workflows/lifecycle/workflows.ts';
import type { OpenedAccounts } from './open-accounts.ts';
import type { OpenedCode } from './open-code.ts';
import { readLimits } from './open-processes.ts';
import { createRunning } from './running.ts';

export interface OpenLifecyclesOptions
  extends Services, Pick<WorkflowsOptions, 'inUseElsewhere' | 'runsHere'> {
  /** Absolute path of the data folder. */
  readonly data: string;
  readonly dist: string;
  readonly redirects: Readonly<Record<string, string>>;
  readonly accountParts: OpenedAccounts;
  readonly codeParts: OpenedCode;
  readonly sealer: Sealer;
  readonly inbox: Inbox;
  readonly deliveries: Deliveries;
  readonly endpointUrl: (id: string) => string;
  /** The table where nodes share code. */
  readonly code: CodeTable | undefined;
  readonly elsewhere: InvocationsOptions['elsewhere'];
  /** Somebody follows what happens. */
  readonly isWatched: () => boolean;
}

export type OpenedLifecycles = Awaited<ReturnType<typeof openLifecycles>>;

/** Registers its own cleanup with `closing`. What was deployed before is there when it resolves, and starts nothing yet. */
export async function openLifecycles(options: OpenLifecyclesOptions) {
  const { store, signals, settings, now, data, inbox, sealer, elsewhere } = options;
  const { accountParts, codeParts, report } = options;
  const { accounts, keeper } = accountParts;
  const { components, debugging, prepare, savedComponents } = codeParts;
  const workspace = join(data, '..');
  const stashDir = await openStash(join(data, 'stash'));
  const environment = new Environment({
    settings: store.settings,
    sealer,
    now,
    // The `.env` of the workspace, which contains the data folder.
    file: join(workspace, '.env'),
    warn: (message) => options.log('warn', message),
  });
  const running = await createRunning({
    ...options,
    limits: readLimits(settings),
    components: debugging.components,
    accounts,
    tokens: keeper,
    environment,
    stashDir,
    ...(elsewhere && { elsewhere }),
    tested: (id) => {
      workflows.endTest(id).catch((error: unknown) => {
        if (!WeirError.is(error, 'store_failed'))
          report(`The test of ${id} could not be ended`, error);
      });
    },
  });
  const { instances, invocations, timers } = running.sources;
  const appHooks = new AppHooks({
    apps: accountParts.apps,
    secrets: accountParts.signingSecrets,
    hooks: () => instances.appHooks(),
    accounts: () => accountParts.table.all(),
    inbox,
    invocations: store.invocations,
    now,
    tell: (id, text) => warnInLog(options, id, text),
    report,
  });
  signals.on('emitterDeleted', (id) => appHooks.forget(id));
  const lifecycle = new Lifecycle({
    ...options,
    savedComponents,
    instances,
    invocations,
    accounts,
    timers,
    prepare,
  });
  const workflows = new Workflows({
    ...options,
    instances: running.workflows.instances,
    executions: running.workflows.executions,
    timers,
    components,
    savedComponents,
    prepare,
    workspace,
    scripts: {
      dist: options.dist,
      packagesFolder: join(data, 'packages'),
      installPolicy: settings['packages.install'],
    },
    slugOf: (name) => slugOf(name, 'workflow'),
  });
  await restore({ ...options, components, instances });
  await workflows.restore();
  // Code in this folder from before it shared a database.
  if (options.code !== undefined) await shareCode(options.code, join(data, 'deployments'));
  const deployed = store.components.all().map(({ path }) => path);
  await removeUnusedCodeFiles(prepare.codeFolder, deployed);
  return { running, appHooks, lifecycle, workflows, environment, stashDir };
}
