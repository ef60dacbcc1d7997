import { greet } from './lib/greet.ts';

type Names = readonly string[];
const colours: Names = ['red', 'green']; // stop: top level

interface Self {
  channel: string;
  db: { get(key: string): number | undefined; set(key: string, value: number): void };
  http: { respond(response: { status: number; body: string }): void };
  double(n: number): number;
  $emit(event: unknown, meta?: { id?: string; summary?: string }): void;
}

export default {
  key: 'debug-counter',
  name: 'Debug counter',
  version: '0.0.1',
  type: 'source',
  props: {
    db: '$.service.db',
    http: { type: '$.interface.http', customResponse: true },
    channel: { type: 'string', default: '#general' },
    colour: {
      type: 'string',
      optional: true,
      async options(): Promise<string[]> {
        const list = [...colours]; // stop: options
        return list;
      },
    },
  },
  hooks: {
    async activate(this: Self): Promise<void> {
      this.db.set('count', 0); // stop: hook
    },
  },
  methods: {
    double(n: number): number {
      return n * 2; // stop: method
    },
  },
  async run(this: Self, event: { body?: { name?: string; n?: number } }): Promise<void> {
    const count = (this.db.get('count') ?? 0) + 1; // stop: run
    this.db.set('count', count);
    const { name = 'nobody', n = 0 } = event.body ?? {};
    let total = 0;
    for (let i = 0; i < 3; i++) {
      total += i; // stop: loop
    }
    await new Promise((resolve) => setTimeout(resolve, 5)); // stop: await
    const doubled = this.double(n); // stop: after await
    if (n < 0) throw new Error('negative'); // stop: throw
    const text = greet({ name });
    console.log(`counted ${count} for ${text}`);
    this.http.respond({ status: 200, body: text }); // stop: end
    this.$emit({ count, doubled, total, text }, { summary: text });
  },
};
