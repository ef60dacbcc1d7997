// Restate as its documentation runs it: one server, and the services in a process of their own.
// node restate.mjs FOLDER SERVER_PORT ADMIN_PORT NODE_PORT WORKER_PORT
import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { createRequire } from 'node:module';
import * as restate from '@restatedev/restate-sdk';

const [folder, ingress, admin, node, worker] = process.argv.slice(2);

const service = restate.service({
  name: 'bench',
  handlers: {
    async run(context) {
      for (const step of ['step_1', 'step_2', 'step_3']) await context.run(step, () => undefined);
      return 'ok';
    },
  },
});

const platform = `@restatedev/restate-server-${process.platform}-${process.arch}`;
const binary = createRequire(import.meta.url).resolve(`${platform}/bin/restate-server`);
const server = spawn(binary, ['--base-dir', folder], {
  stdio: ['ignore', 'ignore', 'inherit'],
  env: {
    ...process.env,
    RESTATE_LOG_FILTER: 'error',
    RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
    RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
    RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
  },
});
server.on('exit', (code) => process.exit(code ?? 1));
process.on('SIGTERM', () => server.kill('SIGKILL'));
process.on('exit', () => server.kill('SIGKILL'));

await restate.serve({ services: [service], port: Number(worker) });
for (;;) {
  const answer = await fetch(`http://127.0.0.1:${admin}/deployments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ uri: `http://127.0.0.1:${worker}` }),
  }).catch(() => undefined);
  if (answer?.ok === true) break;
  await pause(200);
}
console.log(`http://127.0.0.1:${ingress}`);
