/** The components that live under chaos. */

/**
 * Counts requests and emits each one's number. It waits first, so that requests run side by side, and
 * then does everything in one go.
 * @param version what its events carry: which code made them
 */
export const counter = (version: number): string => `export default {
  name: 'Counter', version: '0.0.${version}', dedupe: 'unique',
  props: { http: '$.interface.http', db: '$.service.db' },
  async run({ body }) {
    if (body.waitMs > 0) await new Promise((resolve) => setTimeout(resolve, body.waitMs));
    const count = (this.db.get('count') ?? 0) + 1;
    this.db.set('count', count);
    this.$emit({ number: body.number, count, version: ${version} }, { id: body.number });
  },
}`;

/** Listens to the counter, one run at a time. */
export const follower = `export default {
  name: 'Follower', version: '0.0.1', props: { db: '$.service.db' },
  async run({ number }) {
    const count = (this.db.get('count') ?? 0) + 1;
    await new Promise((resolve) => setImmediate(resolve));
    this.db.set('count', count);
    this.$emit({ number, count });
  },
}`;

/** Comes and goes. */
export const visitor = `export default {
  name: 'Visitor', version: '0.0.1', props: { http: '$.interface.http', db: '$.service.db' },
  run({ body, number }) { this.$emit({ number: body?.number ?? number }); },
}`;
