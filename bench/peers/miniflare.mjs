/**
 * `node miniflare.mjs memory` or `node miniflare.mjs durable FOLDER`: a worker that keeps its events
 * in its own memory, or in a Durable Object with SQLite that stores each one before it answers.
 */
import { Miniflare } from 'miniflare';

const memory = `
  const events = [];
  export default {
    async fetch(request) {
      events.push(await request.json());
      return new Response(null, { status: 200 });
    },
  };`;

// The platform holds the answer back until the write is durable ("output gate").
const durable = `
  import { DurableObject } from 'cloudflare:workers';
  export class Events extends DurableObject {
    constructor(state, env) {
      super(state, env);
      state.storage.sql.exec('CREATE TABLE IF NOT EXISTS event (n INTEGER PRIMARY KEY, payload TEXT NOT NULL)');
    }
    async fetch(request) {
      const event = await request.json();
      this.ctx.storage.sql.exec('INSERT INTO event (payload) VALUES (?)', JSON.stringify(event));
      return new Response(null, { status: 200 });
    }
  }
  export default {
    fetch: (request, env) => env.EVENTS.get(env.EVENTS.idFromName('bench')).fetch(request),
  };`;

const [mode, folder] = process.argv.slice(2);
const miniflare = new Miniflare({
  modules: true,
  script: mode === 'durable' ? durable : memory,
  host: '127.0.0.1',
  port: 0,
  compatibilityDate: '2026-07-01',
  ...(mode === 'durable' && {
    durableObjects: { EVENTS: { className: 'Events', useSQLite: true } },
    durableObjectsPersist: folder,
  }),
});
console.log((await miniflare.ready).href);
process.on('SIGTERM', () => {
  void miniflare.dispose().then(() => process.exit(0));
});
