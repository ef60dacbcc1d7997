import * as z from 'zod';
import { integer } from './fields.ts';

/** limit 1–100, default 10 (P16.5). */
export const paging = {
  limit: integer.min(1).max(100).optional(),
  after: z.string().optional(),
  before: z.string().optional(),
};

/** The same for lists in the order of their keys, which are read forwards only. */
export const keyPaging = { limit: paging.limit, after: paging.after };

export const pageInfo = z.object({
  total_count: z.number().int(),
  count: z.number().int(),
  start_cursor: z.string().nullable(),
  end_cursor: z.string().nullable(),
});

/** A list with its cursors (P16.5). */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ page_info: pageInfo, data: z.array(item) });
}
