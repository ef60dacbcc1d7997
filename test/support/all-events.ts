import type { EmittedEvent, Page } from '../../src/protocol/catalogue.ts';
import type { TestRuntime } from './runtime.ts';

/** All pages of a list that starts with the newest, oldest first. @param path may have a query */
export async function allPages<Item>(
  runtime: Pick<TestRuntime, 'rest'>,
  path: string,
): Promise<Item[]> {
  const all: Item[] = [];
  const first = `${path}${path.includes('?') ? '&' : '?'}limit=100`;
  let next = first;
  for (;;) {
    const { data, page_info } = (await runtime.rest('GET', next)).body as Page<Item>;
    all.push(...data);
    if (data.length < 100 || page_info.end_cursor === null) return all.toReversed();
    next = `${first}&after=${page_info.end_cursor}`;
  }
}

/** Every event of a source with its payload, oldest first. */
export function allEvents(
  runtime: Pick<TestRuntime, 'rest'>,
  sourceId: string,
): Promise<EmittedEvent[]> {
  return allPages(runtime, `/v1/sources/${sourceId}/event_summaries?expand=event`);
}
