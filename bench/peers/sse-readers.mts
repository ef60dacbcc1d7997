/**
 * `sse-readers.mts URL COUNT [KEY]`: so many readers of one event stream. Says `{ready}` when all
 * have their head; asked, it tells how many payloads each has seen, and whether they came in one order.
 */
import { once } from 'node:events';
import { type IncomingMessage, get } from 'node:http';

export interface Seen {
  /** Messages of the reader that has the fewest. */
  readonly fewest: number;
  /** Messages of the reader that has the most: more than were sent is a repetition. */
  readonly most: number;
  /** Readers that saw something else, or in another order, than the first one. */
  readonly different: number;
}

const [url = '', count = '1', key] = process.argv.slice(2);
const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
/** Per reader: how many, and a hash over their ids in order. */
const readers = Array.from({ length: Number(count) }, () => ({ count: 0, hash: 0 }));

await Promise.all(
  readers.map(async (reader) => {
    const request = get(url, { headers, agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    if (response.statusCode !== 200) throw new Error(`A stream answered ${response.statusCode}.`);
    let rest = '';
    response.setEncoding('utf8').on('data', (text: string) => {
      const messages = (rest + text).split('\n\n');
      rest = messages.pop() ?? '';
      for (const message of messages) {
        const id = /"id":"(\d{4})-(\d{9})"/.exec(message)?.[2];
        if (id === undefined) continue;
        reader.count += 1;
        reader.hash = (Math.imul(reader.hash, 31) + Number(id)) | 0;
      }
    });
  }),
);
process.on('message', () => {
  const counts = readers.map((reader) => reader.count);
  const [first] = readers;
  const different = readers.filter((one) => one.count !== first?.count || one.hash !== first.hash);
  process.send?.({
    fewest: Math.min(...counts),
    most: Math.max(...counts),
    different: different.length,
  } satisfies Seen);
});
process.send?.({ ready: true });
