/** Checks the content of a block: anybody with the public key could write one (pure). */
import * as z from 'zod';

/** Where a run continues: made and read by the step alone. */
export type CarryCursor = Readonly<Record<string, unknown>>;

const text = z.string();
const count = z.number().int().min(0);
/** More than a run of the platform has the memory for. */
const blockCount = count.max(10_000);
const record = z.discriminatedUnion('t', [
  z.object({ t: z.literal('account'), id: text, app: text, auth: z.record(text, z.unknown()) }),
  z.object({ t: z.literal('variable'), name: text, value: text }),
  z.object({ t: z.literal('record'), s: text, k: text, v: z.unknown() }),
  z.object({ t: z.literal('store'), id: text, n: count }),
  z.object({ t: z.literal('file'), path: text, c: count, size: count, data: text }),
  z.object({ t: z.literal('files'), n: count }),
  z.object({ t: z.literal('no-account'), id: text }),
  z.object({ t: z.literal('no-variable'), name: text }),
  z.object({ t: z.literal('no-store'), id: text }),
  z.object({ t: z.literal('no-files') }),
  z.object({
    t: z.literal('end'),
    blocks: blockCount,
    next: z.record(text, z.unknown()).nullable(),
  }),
]);

export type CarryRecord = z.output<typeof record>;

/** Undefined for what no step writes. */
export function recordOf(value: unknown): CarryRecord | undefined {
  const { data } = record.safeParse(value);
  return data;
}
