// What queues are asked over HTTP: POST takes an event in, GET counts those that were worked off into the table `events`.
import { createServer } from 'node:http';
import { Pool } from 'pg';

/** With the table that events are written to. */
export async function eventPool(database) {
  const pool = new Pool({ connectionString: database, max: 10 });
  await pool.query('CREATE TABLE events (id bigserial PRIMARY KEY, payload json NOT NULL)');
  return pool;
}

/** Prints its address when it listens.
 * @param accept resolves when the event is on disk, before it is worked off
 */
export function serveEvents(port, pool, accept) {
  const server = createServer((request, response) => {
    const fail = (error) => {
      response.statusCode = 500;
      response.end(String(error));
    };
    if (request.method === 'GET') {
      pool
        .query('SELECT count(*) AS count FROM events')
        .then(({ rows }) => response.end(rows[0].count), fail);
      return;
    }
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      accept(JSON.parse(Buffer.concat(parts).toString())).then(() => response.end('ok'), fail);
    });
  });
  server.listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}`));
}
