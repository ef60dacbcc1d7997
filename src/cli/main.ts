import { version } from '../../package.json';
import { processIo } from './io.ts';
import { runCli } from './run.ts';
import { accounts } from './verbs/accounts.ts';
import { db } from './verbs/db.ts';
import { deleteSource } from './verbs/delete.ts';
import { deliveries } from './verbs/deliveries.ts';
import { deploy } from './verbs/deploy.ts';
import { describe } from './verbs/describe.ts';
import { doctor } from './verbs/doctor.ts';
import { events } from './verbs/events.ts';
import { invoke } from './verbs/invoke.ts';
import { list } from './verbs/list.ts';
import { logs } from './verbs/logs.ts';
import { redeliver } from './verbs/redeliver.ts';
import { run } from './verbs/run.ts';
import { serve } from './verbs/serve.ts';
import { subscriptions } from './verbs/subscriptions.ts';
import { update } from './verbs/update.ts';
import { webhooks } from './verbs/webhooks.ts';

/** In the order of the help. */
const verbs = [
  serve,
  deploy,
  update,
  deleteSource,
  invoke,
  run,
  list,
  describe,
  events,
  logs,
  accounts,
  webhooks,
  subscriptions,
  deliveries,
  redeliver,
  db,
  doctor,
];

const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // Once: a second Ctrl-C ends a command that does not stop by itself.
  process.once(signal, () => interrupt.abort());
}
// `weir events | head` closes the pipe when it has enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

void runCli(verbs, process.argv.slice(2), processIo(), interrupt.signal, version).then((code) => {
  process.exitCode = code;
});
