/** Every verb, in the order of the help. */
import type { Verb } from './cli.ts';
import { accounts } from './verbs/accounts.ts';
import { actionRuns } from './verbs/action-runs.ts';
import { add } from './verbs/add.ts';
import { agents } from './verbs/agents.ts';
import { apps } from './verbs/apps.ts';
import { carryOver } from './verbs/carry-over.ts';
import { completion } from './verbs/completion.ts';
import { dataStores } from './verbs/data-stores.ts';
import { db } from './verbs/db.ts';
import { deleteEmitter } from './verbs/delete.ts';
import { deliveries } from './verbs/deliveries.ts';
import { deploy } from './verbs/deploy.ts';
import { describe } from './verbs/describe.ts';
import { eject } from './verbs/eject.ts';
import { env } from './verbs/env.ts';
import { dev } from './verbs/dev.ts';
import { doctor } from './verbs/doctor.ts';
import { events } from './verbs/events.ts';
import { cancel, execution, executions, resume } from './verbs/executions.ts';
import { importWorkflows } from './verbs/import.ts';
import { init } from './verbs/init.ts';
import { invoke } from './verbs/invoke.ts';
import { keys } from './verbs/keys.ts';
import { licenses } from './verbs/licenses.ts';
import { list } from './verbs/list.ts';
import { logs } from './verbs/logs.ts';
import { mcp } from './verbs/mcp.ts';
import { oauthClients } from './verbs/oauth-clients.ts';
import { outdated } from './verbs/outdated.ts';
import { pin, pins, unpin } from './verbs/pins.ts';
import { publish, unpublish } from './verbs/publish.ts';
import { redeliver } from './verbs/redeliver.ts';
import { registry } from './verbs/registry.ts';
import { replay } from './verbs/replay.ts';
import { run } from './verbs/run.ts';
import { saveTest } from './verbs/save-test.ts';
import { scheduled } from './verbs/scheduled.ts';
import { info, search } from './verbs/search.ts';
import { serve } from './verbs/serve.ts';
import { stop } from './verbs/stop.ts';
import { subscriptions } from './verbs/subscriptions.ts';
import { test } from './verbs/test.ts';
import { update } from './verbs/update.ts';
import { webhooks } from './verbs/webhooks.ts';

export const verbs: readonly Verb[] = [
  serve,
  init,
  importWorkflows,
  carryOver,
  deploy,
  update,
  deleteEmitter,
  dev,
  invoke,
  run,
  search,
  info,
  add,
  outdated,
  licenses,
  eject,
  registry,
  publish,
  unpublish,
  list,
  describe,
  events,
  scheduled,
  logs,
  executions,
  execution,
  actionRuns,
  resume,
  cancel,
  pin,
  pins,
  unpin,
  test,
  saveTest,
  accounts,
  apps,
  oauthClients,
  webhooks,
  subscriptions,
  deliveries,
  redeliver,
  replay,
  stop,
  dataStores,
  env,
  mcp,
  agents,
  keys,
  db,
  doctor,
  completion,
];
