/** Stands in for monday.com's GraphQL API: one board with items and columns, and its webhooks. */
import type { AtEnd } from '../../support/at-end.ts';
import {
  type Answer,
  type Received,
  type Fake,
  json,
  startReceiver,
} from '../../support/receiver.ts';

export interface FakeMonday extends Fake {
  /** Oldest first. */
  readonly items: { readonly id: string; readonly name: string; readonly updated_at: string }[];
  /** Endpoints by the id of the webhook. */
  readonly webhooks: ReadonlyMap<string, string>;
  /** Variables of each mutation, by its name. */
  readonly mutated: readonly { readonly name: string; readonly variables: unknown }[];
  addItem(name: string): void;
  /** Posts to the only webhook there is. */
  deliver(body: unknown): Promise<Response>;
}

type Variables = Readonly<Record<string, unknown>>;

interface Query {
  readonly query: string;
  readonly variables?: Variables;
}

/** A board, as far as someone asks for it. */
const columns = [
  { id: 'text', title: 'Notes', type: 'text', settings_str: '{}' },
  {
    id: 'status',
    title: 'State',
    type: 'status',
    settings_str: '{"labels":{"0":"Wet","1":"Dry"}}',
  },
];

export async function startMonday(token: string, atEnd?: AtEnd): Promise<FakeMonday> {
  const items: FakeMonday['items'] = [];
  const webhooks = new Map<string, string>();
  const mutated: { name: string; variables: unknown }[] = [];

  async function answer(asked: Received): Promise<Answer> {
    if (asked.headers.authorization !== token) {
      return { status: 401, body: { errors: [{ message: 'Not Authenticated' }] } };
    }
    const { query, variables = {} } = json(asked) as Query;
    const [, kind, name = ''] = /^\s*(query|mutation)\s+(\w+)/.exec(query) ?? [];
    if (kind === 'mutation') mutated.push({ name, variables });
    const data = await results[name]?.(variables);
    if (data === undefined)
      return { status: 400, body: { errors: [{ message: `What? ${query}` }] } };
    return { status: 200, body: { data } };
  }

  const results: Readonly<Record<string, (variables: Variables) => unknown>> = {
    listItems: () => ({ boards: [{ items_page: { cursor: null, items } }] }),
    listColumns: () => ({ boards: [{ columns }] }),
    getItem: ({ id }) => ({ items: items.filter((item) => item.id === String(id)) }),
    createItem: () => ({ create_item: { id: '77' } }),
    createColumn: () => ({ create_column: { id: 'dropdown_1' } }),
    async createWebhook({ url }) {
      // It asks whether the endpoint wants it, before it answers.
      const challenge = { challenge: 'ch-1' };
      const response = await post(String(url), challenge);
      const echoed: unknown = await response.json();
      if (JSON.stringify(echoed) !== JSON.stringify(challenge)) return { create_webhook: null };
      webhooks.set('31', String(url));
      return { create_webhook: { id: '31', board_id: '7' } };
    },
    deleteWebhook: ({ id }) => ({ delete_webhook: { id: String(webhooks.delete(String(id))) } }),
  };

  return {
    ...(await startReceiver({ answer, atEnd })),
    items,
    webhooks,
    mutated,
    addItem(name) {
      const id = String(items.length + 1);
      items.push({ id, name, updated_at: `2026-01-0${id}T10:00:00Z` });
    },
    deliver(body) {
      const [url] = webhooks.values();
      if (url === undefined) throw new Error('monday.com knows no webhook.');
      return post(url, body);
    },
  };
}

function post(url: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
}
