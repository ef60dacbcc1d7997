import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startProgram } from '../harness/program.mts';
import { temporaryFolder } from '../harness/temporary.mts';
import { compare } from './kept-events.mts';
import type { Peer } from './peer.mts';

const component = join(import.meta.dirname, 'weir-source.mjs');
const pollMs = 25;
const pageSize = 100;

interface Source {
  readonly id: string;
  readonly endpoint_url: string;
}

interface EventPage {
  readonly page_info: { readonly total_count: number; readonly end_cursor: string | null };
  readonly data: readonly { readonly event: { readonly id: string } }[];
}

export interface WeirOptions {
  readonly name: string;
  /** Folder of the build. */
  readonly dist: string;
  /** Folder that gets a CPU profile of the runtime. */
  readonly profile?: string | undefined;
}

/**
 * What ships, as a user starts it: `weir serve` and a deployed source. Retention is out of the way so
 * that every event can be counted afterwards.
 */
export function weir({ name, dist, profile }: WeirOptions): Peer {
  const cli = join(dist, 'cli.js');
  return {
    name,
    keeps: 'disk, synced',
    async start() {
      const folder = await temporaryFolder();
      const profiling = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
      const settings = ['--set', 'retention.events=1e9', '--set', 'retention.megabytes=1e6'];
      const args = [...profiling, cli, 'serve', '--data', folder.path, ...settings];
      // The encryption key stays out of the home of whoever measures.
      const environment = { XDG_CONFIG_HOME: folder.path };
      let program = await startProgram(args, environment);
      let call = await client(folder.path);
      const source = (await call('POST', 'sources', { component_path: component })) as {
        data: Source;
      };
      const { id, endpoint_url } = source.data;
      const events = async (query: string) =>
        (await call('GET', `sources/${id}/event_summaries?${query}`)) as EventPage;

      return {
        url: endpoint_url,
        pid: program.pid,
        async settled(count) {
          while ((await events('limit=1')).page_info.total_count < count) await pause(pollMs);
          // A read may see what is not synced yet. This deletes nothing, but it is a write, and it is
          // answered when all before it is on disk.
          await call('DELETE', `sources/${id}/events?end_id=0-0`);
        },
        async verify(acknowledged) {
          // What is only in memory is gone after this.
          await program.stop(profile === undefined ? 'SIGKILL' : 'SIGTERM');
          program = await startProgram(args, environment);
          call = await client(folder.path);
          const stored: string[] = [];
          let cursor: string | null = null;
          do {
            const after: string = cursor === null ? '' : `&after=${cursor}`;
            const page = await events(`expand=event&limit=${pageSize}${after}`);
            stored.push(...page.data.map(({ event }) => event.id));
            cursor = page.data.length < pageSize ? null : page.page_info.end_cursor;
          } while (cursor !== null);
          compare(acknowledged, stored);
        },
        async stop() {
          await program.stop();
          await folder.remove();
        },
      };
    },
  };
}

export type Call = (method: string, path: string, body?: object) => Promise<unknown>;

export async function client(data: string): Promise<Call> {
  const file = await readFile(join(data, 'runtime.json'), 'utf8');
  const { url, apiKey } = JSON.parse(file) as { url: string; apiKey: string };
  return async (method, path, body) => {
    const response = await fetch(`${url}/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = await response.text();
    if (!response.ok) throw new Error(`${method} /v1/${path}: ${response.status} ${answer}`);
    return JSON.parse(answer);
  };
}
