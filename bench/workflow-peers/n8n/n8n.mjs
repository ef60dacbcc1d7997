// n8n in its main mode on SQLite: executions are kept, but nothing between two nodes of one.
// node n8n.mjs FOLDER PORT
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const [folder, port] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });

const names = ['step_1', 'step_2', 'step_3'];
const node = (name, type, more) => ({
  id: name,
  name,
  type: `n8n-nodes-base.${type}`,
  typeVersion: 1,
  position: [0, 0],
  parameters: {},
  ...more,
});
const workflow = {
  id: 'bench',
  name: 'bench',
  active: true,
  settings: {},
  nodes: [
    node('webhook', 'webhook', {
      webhookId: 'bench',
      parameters: { httpMethod: 'POST', path: 'bench', responseMode: 'lastNode' },
    }),
    ...names.map((name) => node(name, 'noOp')),
  ],
  connections: Object.fromEntries(
    ['webhook', ...names.slice(0, -1)].map((from, index) => [
      from,
      { main: [[{ node: names[index], type: 'main', index: 0 }]] },
    ]),
  ),
};
const file = join(folder, 'workflow.json');
writeFileSync(file, JSON.stringify([workflow]));

const program = createRequire(import.meta.url)
  .resolve('n8n/package.json')
  .replace('package.json', 'bin/n8n');
const env = {
  ...process.env,
  N8N_USER_FOLDER: folder,
  N8N_HOST: '127.0.0.1',
  N8N_LISTEN_ADDRESS: '127.0.0.1',
  N8N_PORT: port,
  N8N_DIAGNOSTICS_ENABLED: 'false',
  N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
  N8N_TEMPLATES_ENABLED: 'false',
  N8N_PERSONALIZATION_ENABLED: 'false',
  N8N_RUNNERS_ENABLED: 'false',
  N8N_LOG_LEVEL: 'error',
};
const run = (...args) => {
  const { status, stderr } = spawnSync(process.execPath, [program, ...args], {
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`n8n ${args.join(' ')}: ${stderr}`);
};
run('import:workflow', `--input=${file}`);
run('publish:workflow', '--id=bench');

const server = spawn(process.execPath, [program, 'start'], {
  env,
  stdio: ['ignore', 'ignore', 'inherit'],
});
server.on('exit', (code) => process.exit(code ?? 1));
process.on('SIGTERM', () => server.kill('SIGTERM'));
process.on('exit', () => server.kill('SIGKILL'));
const url = `http://127.0.0.1:${port}`;
for (;;) {
  const answer = await fetch(`${url}/webhook/bench`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  }).catch(() => undefined);
  if (answer?.ok === true) break;
  await pause(300);
}
console.log(url);
