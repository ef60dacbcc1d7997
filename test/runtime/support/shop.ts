import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const components = {
  orders: `export default {
  key: "orders", name: "Orders", version: "0.0.1", type: "source", dedupe: "unique",
  props: { http: "$.interface.http" },
  run({ body }) {
    if (body?.fail) throw new Error("No such customer");
    console.log("order", body?.id);
    this.$emit(body, { id: body?.id ?? 0, summary: "Order " + body?.id, name: body?.channel });
  },
};`,
  shelves: `export default {
  key: "shelves", name: "Shelves", version: "0.0.1", type: "source",
  props: { http: "$.interface.http", zone: { type: "string", label: "Zone" } },
  run() {},
};`,
  tick: `export default {
  key: "tick", name: "Tick", version: "0.0.1", type: "source",
  props: { timer: { type: "$.interface.timer", static: { intervalSeconds: 3600 } } },
  run() { this.$emit({ at: 1 }, { summary: "A tick" }); },
};`,
  hangs: `export default {
  key: "hangs", name: "Hangs", version: "0.0.1", type: "source", props: {},
  run() { return new Promise(() => setInterval(() => {}, 1000)); },
};`,
  later: `export default {
  key: "later", name: "Later", version: "0.0.1", type: "source",
  props: { http: "$.interface.http" },
  run({ body: { id, inMs } }) {
    this.$emit({ id }, { summary: "Later " + id, delivery_ts: Date.now() + inMs });
  },
};`,
  greet: `export default {
  key: "greet", name: "Greet", version: "0.0.1", type: "action", props: {},
  run({ $ }) { $.export("greeting", "hello"); return 42; },
};`,
} as const;

export interface Shop {
  /** The workspace folder. */
  readonly folder: string;
  file(component: keyof typeof components): string;
}

/** A workspace with one component of each kind. */
export async function writeShop(inFolder: string): Promise<Shop> {
  const folder = join(inFolder, 'shop');
  const file = (name: string): string => join(folder, 'components', `${name}.mjs`);
  await mkdir(join(folder, 'components'), { recursive: true });
  for (const [name, code] of Object.entries(components)) await writeFile(file(name), code);
  return { folder, file };
}
