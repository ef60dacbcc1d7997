/** Stands in for Notion's API: pages of a data source, new pages, comments, webhook deliveries. */
import { createHmac } from 'node:crypto';
import type { AtEnd } from '../../support/at-end.ts';
import {
  type Answer,
  type Received,
  type Fake,
  json,
  startReceiver,
} from '../../support/receiver.ts';

export interface Page {
  readonly object: 'page';
  readonly id: string;
  readonly created_time: string;
  readonly properties: unknown;
}

export interface FakeNotion extends Fake {
  /** Newest first. */
  readonly pages: Page[];
  /** What was created, by the path it was posted to. */
  readonly created: readonly { readonly path: string; readonly body: unknown }[];
  addPage(title: string, createdAt: number): Page;
  /** Posts to an endpoint, signed with a token when one is given. */
  deliver(url: string, body: unknown, token?: string): Promise<Response>;
}

const pageSize = 2;

export async function startNotion(token: string, atEnd?: AtEnd): Promise<FakeNotion> {
  const pages: Page[] = [];
  const created: { path: string; body: unknown }[] = [];

  function answer(asked: Received): Answer {
    if (asked.headers.authorization !== `Bearer ${token}`) {
      return failure(401, 'unauthorized', 'API token is invalid.');
    }
    if (asked.headers['notion-version'] === undefined) {
      return failure(400, 'missing_version', 'Notion-Version header failed validation');
    }
    if (asked.path === '/v1/data_sources/D1/query' || asked.path === '/v1/search') {
      return { status: 200, body: list(asked) };
    }
    if (['/v1/pages', '/v1/comments'].includes(asked.path)) {
      created.push({ path: asked.path, body: json(asked) });
      return { status: 200, body: { object: asked.path.slice(4, -1), id: `N${created.length}` } };
    }
    return failure(404, 'object_not_found', `Could not find ${asked.path}`);
  }

  /** Two at a time. */
  function list(asked: Received): unknown {
    const { start_cursor = '0', filter } = json(asked) as {
      start_cursor?: string;
      filter?: { created_time?: { after: string } };
    };
    const after = Date.parse(filter?.created_time?.after ?? '1970-01-01T00:00:00Z');
    const found = pages.filter(({ created_time }) => Date.parse(created_time) > after);
    const end = Number(start_cursor) + pageSize;
    const has_more = end < found.length;
    return {
      object: 'list',
      results: found.slice(end - pageSize, end),
      has_more,
      next_cursor: has_more ? String(end) : null,
    };
  }

  return {
    ...(await startReceiver({ answer, atEnd })),
    pages,
    created,
    addPage(title, createdAt) {
      const page: Page = {
        object: 'page',
        id: `P${pages.length + 1}`,
        created_time: new Date(createdAt).toISOString(),
        properties: { Name: { type: 'title', title: [{ plain_text: title }] } },
      };
      pages.unshift(page);
      return page;
    },
    deliver(url, body, signedWith) {
      const text = JSON.stringify(body);
      const digest = createHmac('sha256', signedWith ?? '')
        .update(text)
        .digest('hex');
      return fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-notion-signature': `sha256=${digest}` },
        body: text,
      });
    },
  };
}

function failure(status: number, code: string, message: string): Answer {
  return { status, body: { object: 'error', status, code, message } };
}
