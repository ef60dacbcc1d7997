import { payloadId } from '../harness/payload.mts';

/**
 * Throws unless each acknowledged event is stored exactly once.
 * @param acknowledged answers per connection
 * @param stored ids as they were read back
 */
export function compare(acknowledged: readonly number[], stored: readonly string[]): void {
  const ids = new Set(stored);
  const expected = acknowledged.flatMap((count, connection) =>
    Array.from({ length: count }, (_, sequence) => payloadId(connection, sequence)),
  );
  const missing = expected.filter((id) => !ids.has(id));
  if (missing.length > 0) {
    throw new Error(`${missing.length} of ${expected.length} acknowledged events are lost.`);
  }
  if (stored.length !== expected.length) {
    throw new Error(`${stored.length} events are stored for ${expected.length} acknowledged ones.`);
  }
}
