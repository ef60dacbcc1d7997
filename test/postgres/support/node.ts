/** A node: the real command line on a database, with a data folder of its own. */
import { randomBytes } from 'node:crypto';
import type { Page, Source } from '../../../src/protocol/catalogue.ts';
import { type AtEnd, atEndOfTest } from '../../support/at-end.ts';
import { sourceFile, temporaryFolder } from '../../support/folder.ts';
import { startRuntime, type TestRuntime } from '../../support/runtime.ts';

/** Given to every node, as it is to those on several machines. */
export const clusterKey = randomBytes(32).toString('base64');

export interface TestNode extends TestRuntime {
  /** Holds its data folder. */
  readonly folder: string;
}

export interface NodeOptions {
  /** Of the database. */
  readonly url: string;
  /** The same again is a restart. */
  readonly folder?: string;
  readonly args?: readonly string[];
  /** A module that is loaded before the program. */
  readonly preload?: string | undefined;
  /** Another build than the one that was just made. */
  readonly dist?: string | undefined;
  readonly atEnd?: AtEnd;
}

export async function startNode(options: NodeOptions): Promise<TestNode> {
  const { url, args = [], preload, dist, atEnd = atEndOfTest } = options;
  const { folder = temporaryFolder(atEnd) } = options;
  const runtime = await startRuntime({
    folder,
    args: ['--store', url, ...args],
    atEnd,
    env: { WEIR_KEY: clusterKey },
    ...(preload !== undefined && { preload }),
    ...(dist !== undefined && { dist }),
  });
  return { ...runtime, folder };
}

/** Counts its runs in its db, and emits the count with what it was told. */
export const counter = `export default {
  name: 'Counter',
  props: { http: { type: '$.interface.http', customResponse: true }, db: '$.service.db' },
  async run(event) {
    const count = (this.db.get('count') ?? 0) + 1;
    this.db.set('count', count);
    this.http.respond({ status: 201, headers: { 'x-count': String(count) }, body: { count } });
    this.$emit({ count, said: event.body?.said ?? null }, { id: String(count), summary: 'said ' + event.body?.said });
  },
};`;

export async function deploy(node: TestNode, code: string, name: string): Promise<Source> {
  const component_path = await sourceFile(node.folder, `${name}.mjs`, code);
  return node.restData<Source>('POST', '/v1/sources', { component_path, name });
}

/** The path of its endpoint, which is the same on every node. */
export function endpointPath({ configured_props: props }: Source): string {
  const { endpoint_url: url } = props['http'] as { endpoint_url: string };
  return new URL(url).pathname;
}

/** What it has emitted, oldest first. */
export async function emitted(node: TestNode, { id }: Pick<Source, 'id'>): Promise<unknown[]> {
  const all: { event: unknown }[] = [];
  for (let after = ''; ;) {
    const path = `/v1/sources/${id}/event_summaries?expand=event&limit=100${after}`;
    const { body } = await node.rest('GET', path);
    const { data, page_info: info } = body as Page<{ event: unknown }>;
    all.push(...data);
    if (data.length < 100 || info.end_cursor === null) break;
    after = `&after=${info.end_cursor}`;
  }
  return all.map(({ event }) => event).toReversed();
}
