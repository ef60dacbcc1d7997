import { defineSource } from 'weir/component';

/** What the URL answers: a JSON array of these. Most APIs have such a list. */
interface Item {
  id: string | number;
  title?: string;
  created_at?: string;
}

/**
 * A polling source: reads a list on a schedule and emits what it has not seen before. For a URL to
 * try, take https://api.github.com/repos/microsoft/vscode/issues.
 */
export default defineSource({
  name: 'New Items',
  key: 'weir-new-items',
  version: '0.1.0',
  description: 'Emits each new item of a JSON list on the web.',
  type: 'source',
  // Remembers the ids of the last 100 events and drops repetitions; `$emit` therefore needs an id.
  dedupe: 'unique',
  props: {
    timer: { type: '$.interface.timer', default: { intervalSeconds: 60 } },
    url: {
      type: 'string',
      label: 'URL',
      description: 'Answers a JSON array of items with an `id`.',
    },
    token: {
      type: 'string',
      label: 'Token',
      description: 'Sent as `Authorization: Bearer …`.',
      optional: true,
      // Encrypted on disk, never shown again.
      secret: true,
    },
  },
  async run() {
    const response = await fetch(this.url, {
      headers: this.token === undefined ? {} : { authorization: `Bearer ${this.token}` },
    });
    // What a run throws is shown in the source's logs; the next tick tries again.
    if (!response.ok) throw new Error(`${this.url} answered ${response.status}`);
    const items = (await response.json()) as Item[];
    for (const item of items) {
      this.$emit(item, {
        id: item.id,
        summary: item.title ?? `Item ${item.id}`,
        // With `ts`, events of one run come out oldest first, however the list is sorted.
        ts: item.created_at === undefined ? Date.now() : Date.parse(item.created_at),
      });
    }
  },
});
