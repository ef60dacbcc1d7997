// DBOS: each event starts a workflow, and its step writes the event down.
// node dbos-events.mjs PORT DATABASE_URL
import { DBOS } from '@dbos-inc/dbos-sdk';
import { eventPool, serveEvents } from './event-server.mjs';

const [port, database] = process.argv.slice(2);
const pool = await eventPool(database);
const keep = DBOS.registerWorkflow(
  async (payload) => {
    await DBOS.runStep(
      async () => {
        await pool.query('INSERT INTO events (payload) VALUES ($1)', [JSON.stringify(payload)]);
      },
      { name: 'keep' },
    );
  },
  { name: 'keep' },
);
DBOS.setConfig({
  name: 'bench',
  systemDatabaseUrl: database,
  runAdminServer: false,
  logLevel: 'error',
});
await DBOS.launch();
process.on('SIGTERM', () => process.exit(0));
serveEvents(Number(port), pool, (payload) => DBOS.startWorkflow(keep)(payload));
