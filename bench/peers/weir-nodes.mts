import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../harness/temporary.mts';
import { startWeir, type WeirProgram, type WeirProgramOptions } from './weir-program.mts';

const pollMs = 100;

interface Source {
  readonly id: string;
  readonly endpoint_url: string;
}

/** Sources of one line on a runtime, which any of its nodes can be asked for. */
export interface Sources {
  /** The path of each one's endpoint. */
  readonly paths: readonly string[];
  /** Resolves when so many events are kept of all together. */
  readonly settled: (count: number) => Promise<void>;
  readonly remove: () => Promise<void>;
}

/** Starts nodes of an empty database; the first one leads. */
export async function startNodes(
  { dist, profile }: WeirProgramOptions,
  store: string,
  count: number,
  leaseSeconds: number,
): Promise<{ readonly nodes: WeirProgram[]; readonly start: () => Promise<WeirProgram> }> {
  const node = { store, key: randomBytes(32).toString('base64'), leaseSeconds };
  const start = () => startWeir({ dist, profile, node });
  const nodes: WeirProgram[] = [];
  // One after another: the first one makes the tables.
  for (let n = 0; n < count; n += 1) nodes.push(await start());
  return { nodes, start };
}

/** Deploys `count` sources that keep what they are sent. */
export async function deploySources(weir: WeirProgram, count: number): Promise<Sources> {
  const folder = await temporaryFolder();
  const sources: Source[] = [];
  for (let n = 0; n < count; n += 1) {
    const component_path = join(folder.path, `source-${n}.mjs`);
    await writeFile(
      component_path,
      `export default { name: 'Source ${n}', props: { http: '$.interface.http' }, run({ body }) { this.$emit(body, { summary: body.id }) } };`,
    );
    const made = (await weir.call('POST', 'sources', { component_path })) as { data: Source };
    sources.push(made.data);
  }
  const kept = async ({ id }: Source): Promise<number> => {
    const page = (await weir.call('GET', `sources/${id}/event_summaries?limit=1`)) as {
      page_info: { total_count: number };
    };
    return page.page_info.total_count;
  };
  return {
    paths: sources.map(({ endpoint_url: url }) => new URL(url).pathname),
    settled: async (wanted) => {
      for (;;) {
        const counts = await Promise.all(sources.map(kept));
        if (counts.reduce((sum, one) => sum + one, 0) >= wanted) break;
        await new Promise((resolve) => setTimeout(resolve, pollMs));
      }
      // A read may see what is not synced yet. This changes nothing, but it is a write, and it is
      // answered when all before it is on disk.
      const [first] = sources;
      if (first !== undefined) await weir.call('PUT', `sources/${first.id}`, { name: 'Source 0' });
    },
    remove: () => folder.remove(),
  };
}
