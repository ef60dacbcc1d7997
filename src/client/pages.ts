/** Lists of the runtime, which come in pages of at most 100, newest first. */
import type { Page } from '../protocol/catalogue.ts';

export interface PageParams {
  readonly limit: number;
  readonly after?: string;
}

const pageSize = 100;

/** @param most how many are wanted; all of them by default */
export async function allPages<T>(
  list: (params: PageParams) => Promise<Page<T>>,
  most = Number.POSITIVE_INFINITY,
): Promise<T[]> {
  const items: T[] = [];
  let after: string | undefined;
  while (items.length < most) {
    const limit = Math.min(pageSize, most - items.length);
    const page = await list(after === undefined ? { limit } : { limit, after });
    items.push(...page.data);
    after = page.page_info.end_cursor ?? undefined;
    if (page.data.length < limit || after === undefined) break;
  }
  return items;
}
