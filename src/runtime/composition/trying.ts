/** What a person does with code before it is deployed, and beside its runs: forms and debugging. */
import { join } from 'node:path';
import { withRecentBuilds } from '../components/deployments/recent-builds.ts';
import { Debugging } from '../debug/debugging.ts';
import { newId, secureRandom } from '../ids.ts';
import { accountIds } from '../props/configured.ts';
import { FormHosts } from '../forms/form-hosts.ts';
import { Forms } from '../forms/forms.ts';
import { loadDeployment } from '../components/load.ts';
import { processLog } from '../lifecycle/process-log.ts';
import type { PrepareOptions } from '../components/prepare.ts';
import { PropSets } from '../forms/prop-sets.ts';
import { systemClock } from '../clock.ts';
import type { Code } from './code.ts';
import type { Ground } from './ground.ts';

/** A person waits at a form: longer than this nothing it asks may take. */
const longestFormCallMs = 60_000;
const formIdleMs = 60_000;
const mostFormHosts = 4;

/** A debugger attaches within a second; on a busy machine, in its first session, it takes several. */
const debuggerWaitMs = 30_000;

export interface Trying {
  readonly debugging: Debugging;
  readonly prepare: PrepareOptions;
  readonly forms: Forms;
  readonly propSets: PropSets;
}

export function createTrying(ground: Ground, { components }: Code): Trying {
  const { folder, store, signals, accounts, limits, now, log, closing } = ground;
  const debugging = new Debugging({
    components,
    clock: systemClock,
    waitMs: debuggerWaitMs,
    opened: (debugged) => signals.emit('debug', debugged),
    changed: ({ sourceId }) => {
      // Processes behind forms that were started before know nothing of it.
      formHosts.close();
      if (sourceId !== null) signals.emit('source', sourceId);
    },
  });
  const prepare: PrepareOptions = {
    components: debugging.components,
    saved: store.components,
    codeFolder: join(folder.path, 'code'),
    limits,
    now,
    hostEvents: (sourceId) => processLog({ store, signals, now, log }, sourceId),
    accountsOf: (configured) => accounts.credentialsOf(accountIds(configured)),
  };
  const formHosts = new FormHosts({
    open: (deployment, signal) =>
      loadDeployment(debugging.components, deployment, {
        sourceId: null,
        limits: { ...limits, timeoutMs: Math.min(limits.timeoutMs, longestFormCallMs) },
        signal,
        onLog: (lines) => {
          for (const { text } of lines) log('info', `${deployment.path ?? 'code'}: ${text}`);
        },
      }),
    clock: systemClock,
    idleMs: formIdleMs,
    most: mostFormHosts,
  });
  closing.push(() => formHosts.close());
  const forms = new Forms({
    hosts: formHosts,
    origins: { ...prepare, components: withRecentBuilds(components, now) },
    accountsOf: prepare.accountsOf,
  });
  const propSets = new PropSets(() => newId('dyp_', secureRandom));
  return { debugging, prepare, forms, propSets };
}
