/** Stands in for Linear's GraphQL API: issues, webhooks, and the deliveries it makes to them. */
import type { AtEnd } from '../../support/at-end.ts';
import {
  type Answer,
  type Received,
  type Fake,
  json,
  startReceiver,
} from '../../support/receiver.ts';

export interface Issue {
  readonly id: string;
  readonly title: string;
  readonly createdAt: string;
}

export interface FakeLinear extends Fake {
  /** Whether the key belongs to an admin, who may have webhooks. */
  admin: boolean;
  readonly issues: Issue[];
  /** Endpoints by the id of the webhook. */
  readonly webhooks: ReadonlyMap<string, string>;
  /** Tells every webhook of a new issue, from one of the addresses Linear sends from. */
  announce(issue: Issue, delivery: string): Promise<void>;
}

interface Query {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

export async function startLinear(key: string, atEnd?: AtEnd): Promise<FakeLinear> {
  const webhooks = new Map<string, string>();
  const issues: Issue[] = [];
  const linear: Omit<FakeLinear, keyof Fake> = {
    admin: true,
    issues,
    webhooks,
    async announce(issue, delivery) {
      issues.unshift(issue);
      const body = { action: 'create', type: 'Issue', createdAt: issue.createdAt, data: issue };
      for (const url of webhooks.values()) {
        await fetch(url, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'linear-delivery': delivery,
            'x-forwarded-for': '35.231.147.226',
          },
          body: JSON.stringify(body),
        });
      }
    },
  };

  function answer(asked: Received): Answer {
    if (asked.headers.authorization !== key) {
      return { status: 401, body: { errors: [{ message: 'Authentication required' }] } };
    }
    const { query, variables = {} } = json(asked) as Query;
    const data = result(query, variables);
    if (data === undefined) {
      return { status: 400, body: { errors: [{ message: `Unknown operation: ${query}` }] } };
    }
    return { status: 200, body: { data } };
  }

  function result(query: string, variables: Readonly<Record<string, unknown>>): unknown {
    const input = (variables['input'] ?? {}) as Readonly<Record<string, string>>;
    const id = `id-${webhooks.size + issues.length + 1}`;
    if (/user\(id: "me"\)/.test(query)) return { user: { admin: linear.admin } };
    if (query.includes('webhookCreate')) {
      webhooks.set(id, input['url'] ?? '');
      return { webhookCreate: { lastSyncId: 1, success: true, webhook: { id } } };
    }
    if (query.includes('webhookDelete')) {
      const entityId = String(variables['id']);
      return { webhookDelete: { lastSyncId: 2, success: webhooks.delete(entityId), entityId } };
    }
    if (query.includes('issueCreate')) {
      const createdAt = new Date().toISOString();
      issues.unshift({ id, title: input['title'] ?? '', createdAt });
      return { issueCreate: { lastSyncId: 3, success: true, issue: { id } } };
    }
    if (query.includes('issues(')) {
      return { issues: { nodes: issues, pageInfo: { hasNextPage: false, endCursor: null } } };
    }
    if (query.includes('issue(id: $issueId)')) {
      return { issue: issues.find((issue) => issue.id === variables['issueId']) };
    }
    return undefined;
  }

  return Object.assign(linear, await startReceiver({ answer, atEnd }));
}
