import type { DbWrite } from '../../../protocol/host.ts';
import { AheadOfStore, ChangesAhead, type Unsettled } from '../../base/ahead-of-store.ts';
import type { StoredDb } from '../../store/ownership.ts';

/**
 * The contents of every `$.service.db` prop of one emitter, as its commits left them. What a commit under way has
 * written is seen at once, and is taken back if the store refuses the commit.
 */
export class DbMemory {
  /** Prop → key → JSON text. Maps: a component may use any key, `__proto__` too. */
  readonly #props = new Map<string, Map<string, string>>();
  readonly #ahead = new AheadOfStore<string>((place, json) => {
    const [prop, key] = JSON.parse(place) as [string, string];
    this.#put(json === undefined ? { prop, key } : { prop, key, json });
  });

  constructor(stored: StoredDb) {
    for (const [prop, values] of Object.entries(stored)) {
      this.#props.set(prop, new Map(Object.entries(values)));
    }
  }

  /** With each commit, in the order of the commits. */
  apply(writes: readonly DbWrite[]): Unsettled {
    const changes = new ChangesAhead();
    for (const write of writes) {
      const { prop, key } = write;
      changes.add(this.#ahead.changed(JSON.stringify([prop, key]), this.get(prop, key)));
      this.#put(write);
    }
    return changes;
  }

  /** The props that something was ever written to. */
  props(): string[] {
    return [...this.#props.keys()];
  }

  /** JSON text. */
  get(prop: string, key: string): string | undefined {
    return this.#props.get(prop)?.get(key);
  }

  /** Key and JSON text, in the order of the keys. */
  entries(prop: string): [key: string, json: string][] {
    return [...(this.#props.get(prop) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** For a process that starts. */
  snapshot(): Record<string, Record<string, string>> {
    const props: Record<string, Record<string, string>> = Object.create(null);
    for (const [prop, values] of this.#props) {
      const copy: Record<string, string> = Object.create(null);
      for (const [key, json] of values) copy[key] = json;
      props[prop] = copy;
    }
    return props;
  }

  #put({ prop, key, json }: DbWrite): void {
    if (json === undefined) this.#props.get(prop)?.delete(key);
    else this.#valuesOf(prop).set(key, json);
  }

  #valuesOf(prop: string): Map<string, string> {
    let values = this.#props.get(prop);
    if (values === undefined) {
      values = new Map();
      this.#props.set(prop, values);
    }
    return values;
  }
}
