/** Bytes of one body. */
export const payloadBytes = 1024;

/** Digits are fixed so that every body has the same length and only the id is written per request. */
export function payloadId(connection: number, sequence: number): string {
  return `${String(connection).padStart(4, '0')}-${String(sequence).padStart(9, '0')}`;
}

/** A webhook as a shop would send it, with exactly `payloadBytes` bytes of JSON. */
export function payload(id: string): string {
  const order = {
    id,
    type: 'order.created',
    created_at: '2026-11-20T09:30:00.000Z',
    data: {
      order: 481_516,
      currency: 'EUR',
      total: 2342.5,
      customer: { name: 'Ada Lovelace', email: 'ada@example.com', vip: true, orders: 108 },
      items: Array.from({ length: 6 }, (_, index) => ({
        sku: `SKU-${1000 + index}`,
        quantity: index + 1,
        price: 19.99,
        tags: ['new', 'fragile'],
      })),
      note: '',
    },
  };
  order.data.note = 'n'.repeat(payloadBytes - JSON.stringify(order).length);
  return JSON.stringify(order);
}

/**
 * Throws unless each acknowledged event is stored exactly once.
 * @param acknowledged answers per connection
 * @param stored ids as they were read back
 */
export function checkKept(acknowledged: readonly number[], stored: readonly string[]): void {
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
