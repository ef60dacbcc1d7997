import type { Command } from 'commander';
import type { Cli, Tools } from '../cli.ts';
import { type Column, table } from '../render/table.ts';
import { loadRuntime, type Moved } from '../runtime-bundle.ts';
import { storeUrl } from '../store-url.ts';
import { UsageError } from '../arguments.ts';

/** Options of both directions: the database, which `WEIR_STORE` names if no option does. */
interface MoveFlags {
  readonly to?: string | true;
  readonly from?: string | true;
}

export function addMove(group: Command, cli: Cli): void {
  group
    .command('move')
    .description(
      'Move the store of a stopped data folder to PostgreSQL, or back, and compare what was written',
    )
    .option('--to [url]', 'move into this empty database (default: WEIR_STORE)')
    .option(
      '--from [url]',
      'move out of this database, with all runtimes stopped (default: WEIR_STORE)',
    )
    .action(async (flags: MoveFlags, command: Command) => {
      await cli.run(command, async (tools) => await move(tools, flags));
    });
}

async function move(tools: Tools, { to, from }: MoveFlags): Promise<void> {
  const { io, out, dataFolder, interrupted, width } = tools;
  if ((to === undefined) === (from === undefined)) {
    throw new UsageError('Say where the store goes: --to a database, or back --from one.');
  }
  const name = to === undefined ? '--from' : '--to';
  const given = to ?? from;
  const url = storeUrl(io, given === true ? undefined : given, name);
  if (url === undefined) throw new UsageError(`${name} takes a URL where WEIR_STORE has none.`);
  const progress = (sentence: string): void => out.progress(sentence);
  const moved = await loadRuntime()
    .moveDataFolder({
      data: dataFolder,
      url,
      to: to === undefined ? 'data folder' : 'database',
      signal: interrupted,
      progress,
    })
    .finally(() => out.endProgress());
  if (moved === undefined) {
    out.answer(
      { data: dataFolder, finished: true },
      () => `The move had been done before it was cut off: ${dataFolder} is marked as moved now.`,
    );
    return;
  }
  out.answer(moved, () =>
    movedText(moved, to === undefined ? undefined : withoutPassword(url), width),
  );
}

type Compared = Moved['tables'][number];

const columns = (title: string): Column<Compared>[] => [
  { title, of: ({ name }) => name },
  { title: 'ROWS', of: ({ rows }) => rows },
  { title: 'CHECKSUM', of: ({ checksum }) => checksum },
];

/** The form that `--store` accepts. */
function withoutPassword(store: string): string {
  const url = new URL(store);
  url.password = '';
  url.searchParams.delete('password');
  return url.href;
}

/** @param store the database that has it now; undefined: the data folder does */
function movedText(moved: Moved, store: string | undefined, width: number | undefined): string {
  const { data, database, tables, emitters, kept } = moved;
  const rows = tables.reduce((sum, one) => sum + one.rows, 0);
  const end =
    store !== undefined
      ? `Moved ${rows} rows from ${data} to ${database}; read again there, they are the same.\nStart it with "weir serve --store ${store}". The data folder still has the code of what is deployed: keep it.`
      : `Moved ${rows} rows from ${database} to ${data}; read again there, they are the same.\nStart it with "weir serve".${kept === undefined ? '' : ` What the folder had before is ${kept}.`}`;
  return [
    table(columns('TABLE'), tables, width),
    ...(emitters.length === 0 ? [] : [table(columns('SOURCE OR WORKFLOW'), emitters, width)]),
    end,
  ].join('\n\n');
}
