import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { checkKept } from '../harness/payload.mts';
import { temporaryFolder } from '../harness/temporary.mts';
import type { Peer } from './peers.mts';
import { addressIn, restClient, serve, type WeirProgramOptions } from './weir-program.mts';

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

export interface WeirOptions extends WeirProgramOptions {
  readonly name: string;
}

/** What ships, as a user starts it: `weir serve` and a deployed source. */
export function weir({ name, ...options }: WeirOptions): Peer {
  return {
    name,
    keeps: 'disk, synced',
    async start() {
      const folder = await temporaryFolder();
      let program = await serve(folder.path, options);
      let call = restClient(await addressIn(folder.path));
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
          // A read may see what is not synced yet. This changes nothing, but it is a write, and it is
          // answered when all before it is on disk.
          await call('PUT', `sources/${id}`, { name: 'Bench: HTTP trigger' });
        },
        async verify(acknowledged) {
          // What is only in memory is gone after this.
          await program.stop(options.profile === undefined ? 'SIGKILL' : 'SIGTERM');
          program = await serve(folder.path, options);
          call = restClient(await addressIn(folder.path));
          const stored: string[] = [];
          let cursor: string | null = null;
          do {
            const after: string = cursor === null ? '' : `&after=${cursor}`;
            const page = await events(`expand=event&limit=${pageSize}${after}`);
            stored.push(...page.data.map(({ event }) => event.id));
            cursor = page.data.length < pageSize ? null : page.page_info.end_cursor;
          } while (cursor !== null);
          checkKept(acknowledged, stored);
        },
        async stop() {
          await program.stop();
          await folder.remove();
        },
      };
    },
  };
}
