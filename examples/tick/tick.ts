import { defineSource } from 'weir/component';

/** A source with a timer: counts how often it ran. What it keeps in `db` outlives restarts and updates. */
export default defineSource({
  name: 'Tick',
  key: 'weir-tick',
  version: '0.1.0',
  description: 'Emits a number every few seconds, one more each time.',
  type: 'source',
  props: {
    // A small key-value store that belongs to this source.
    db: '$.service.db',
    // A timer interface. The default is filled in on deploy and can be changed in the form.
    timer: { type: '$.interface.timer', default: { intervalSeconds: 5 } },
    word: {
      type: 'string',
      label: 'Word',
      description: 'What a tick is called in the list of events.',
      default: 'Tick',
    },
  },
  methods: {
    // Methods are called as `this.next()`, from `run`, hooks and other methods.
    next(): number {
      const count = (this.db.get('count') ?? 0) + 1;
      this.db.set('count', count);
      return count;
    },
  },
  hooks: {
    // Once, when the source is deployed; `activate` and `deactivate` run on updates too.
    deploy() {
      this.db.set('count', 0);
    },
  },
  // Called on each tick, with `{timestamp, interval_seconds}`, and when somebody runs it by hand.
  run() {
    const count = this.next();
    console.log(`${this.word} ${count}`);
    this.$emit({ count }, { id: count, summary: `${this.word} ${count}`, ts: Date.now() });
  },
});
