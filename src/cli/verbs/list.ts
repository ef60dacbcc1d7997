import { Argument, InvalidArgumentError } from 'commander';
import type { Page } from '../../protocol/catalogue.ts';
import { own } from '../../protocol/own.ts';
import type { ConnectedTools, Verb } from '../cli.ts';
import { allPages, type PageParams } from '../../client/pages.ts';
import { type Column, table } from '../render/table.ts';
import { columnsOf } from '../views/columns.ts';

const kinds = [
  'sources',
  'components',
  'webhooks',
  'subscriptions',
  'workflows',
  'accounts',
  'data-stores',
  'streams',
] as const;
type Kind = (typeof kinds)[number];

/** As `pd` shortens them. */
const short: Readonly<Record<string, Kind>> = { so: 'sources', st: 'streams' };

export const list: Verb = (program, cli) => {
  program
    .command('list')
    .description('List sources, workflows, webhooks or other things')
    .addArgument(
      new Argument('[what]', 'kind of things to list')
        .choices(kinds)
        .argParser(kindOf)
        .default('sources'),
    )
    .action(async (kind: Kind, _flags: object, command) => {
      await cli.connected(command, async (tools) => await listKind(tools, kind));
    });
};

function kindOf(text: string): Kind {
  const kind = own(short, text) ?? kinds.find((one) => one === text);
  if (kind === undefined)
    throw new InvalidArgumentError(`Allowed choices are ${kinds.join(', ')}.`);
  return kind;
}

/** Also what `webhooks list` and the like do. */
export async function listKind(tools: ConnectedTools, kind: Kind): Promise<void> {
  const { call, runtime } = tools;
  switch (kind) {
    case 'sources':
      return await show(tools, kind, columnsOf.sources, (page) => call('sources.list', page));
    case 'components':
      return await show(tools, kind, columnsOf.components, (page) => call('components.list', page));
    case 'webhooks':
      return await show(tools, kind, columnsOf.webhooks, (page) => call('webhooks.list', page));
    case 'subscriptions':
      return await show(tools, kind, columnsOf.subscriptions, (page) =>
        call('subscriptions.list', page),
      );
    case 'accounts':
      return await show(tools, kind, columnsOf.accounts, (page) => call('accounts.list', page));
    case 'data-stores':
      return await show(tools, kind, columnsOf.dataStores, (page) =>
        call('data_stores.list', page),
      );
    case 'streams': {
      const sources = await allPages((page) => call('sources.list', page));
      const workflows = await allPages((page) => call('workflows.list', page));
      const stream = (type: string) => (one: { readonly id: string; readonly name: string }) => ({
        name: one.name,
        type,
        visibility: 'private',
        sse: `${runtime.url}/v1/${type}s/${one.id}/sse`,
      });
      // The stream of `$.send.sse`: anybody who has the address may read it.
      const messages = workflows.map(({ name, stream_url: sse }) => ({
        name,
        type: 'send.sse',
        visibility: 'public',
        sse,
      }));
      const streams = [
        ...sources.map(stream('source')),
        ...workflows.map(stream('workflow')),
        ...messages,
      ];
      return print(tools, kind, columnsOf.streams, streams);
    }
    case 'workflows':
      return await show(tools, kind, columnsOf.workflows, (page) => call('workflows.list', page));
  }
}

async function show<T>(
  tools: ConnectedTools,
  kind: Kind,
  columns: readonly Column<T>[],
  page: (params: PageParams) => Promise<Page<T>>,
): Promise<void> {
  print(tools, kind, columns, await allPages(page));
}

function print<T>(
  { out, width }: ConnectedTools,
  kind: Kind,
  columns: readonly Column<T>[],
  rows: readonly T[],
): void {
  out.answer(rows, () =>
    rows.length === 0 ? `There are no ${kind.replace('-', ' ')} yet.` : table(columns, rows, width),
  );
}
