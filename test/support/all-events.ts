import type { EmittedEvent, Page } from '../../src/protocol/catalogue.ts';
import type { TestRuntime } from './runtime.ts';

/** Every event of a source with its payload, oldest first. */
export async function allEvents(
  runtime: Pick<TestRuntime, 'rest'>,
  sourceId: string,
): Promise<EmittedEvent[]> {
  const all: EmittedEvent[] = [];
  let after = '';
  for (;;) {
    const path = `/v1/sources/${sourceId}/event_summaries?expand=event&limit=100${after === '' ? '' : `&after=${after}`}`;
    const page = (await runtime.rest('GET', path)).body as Page<EmittedEvent>;
    all.push(...page.data);
    if (page.data.length < 100 || page.page_info.end_cursor === null) return all.toReversed();
    after = page.page_info.end_cursor;
  }
}
