// DBOS on a PostgreSQL of its own, which writes as it does by default: each commit is flushed.
// node dbos.mjs FOLDER PORT
import { createServer } from 'node:http';
import { DBOS } from '@dbos-inc/dbos-sdk';
import { startPostgres } from '../../test/support/postgres.ts';

const [, port] = process.argv.slice(2);

// It ends with this process, and is below it in the tree that is measured.
const postgres = await startPostgres(() => undefined);
process.on('SIGTERM', () => process.exit(0));

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
  systemDatabaseUrl: await postgres.newDatabase(),
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
