// A queue in PostgreSQL: each event is a job, and a job writes it down.
// node graphile-worker.mjs PORT DATABASE_URL
import { Logger, run } from 'graphile-worker';
import { eventPool, serveEvents } from './event-server.mjs';

const [port, database] = process.argv.slice(2);
const pool = await eventPool(database);
const runner = await run({
  pgPool: pool,
  concurrency: 10,
  noHandleSignals: true,
  logger: new Logger(() => () => undefined),
  taskList: {
    keep: (payload, helpers) =>
      helpers.query('INSERT INTO events (payload) VALUES ($1)', [JSON.stringify(payload)]),
  },
});
process.on('SIGTERM', () => process.exit(0));
serveEvents(Number(port), pool, (payload) => runner.addJob('keep', payload));
