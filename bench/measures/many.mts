import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { formatNumber, formatTable } from '../harness/figures.mts';
import { describeMachine, machineLine } from '../harness/machine.mts';
import { memoryOfTree } from '../harness/process-tree.mts';
import { temporaryFolder } from '../harness/temporary.mts';
import { addressIn, restClient, serve } from '../peers/weir-program.mts';
import { atMost, formatAims, type Measure } from './measure.mts';

/** Ratios are to the first. */
const counts = [1, 30, 100];
/** From the last answer to the reading of the memory. */
const restMs = 3000;
/** How often `/healthz/live` is requested during the first calls. */
const liveEveryMs = 20;
const deploysAtOnce = 4;

interface Measured {
  readonly count: number;
  readonly startMs: number;
  readonly restMb: number;
  readonly firstMs: number;
  readonly afterMb: number;
  readonly secondMs: number;
  /** The longest answer of `/healthz/live` during the first calls. */
  readonly liveMs: number;
}

export const many: Measure = {
  summary: `${counts.join(', ')} sources, each called at once: memory, answers, and how long the server is silent`,
  async run({ dist, profile, note }) {
    const machine = describeMachine();
    const all: Measured[] = [];
    for (const count of counts) {
      note(`${count} sources`);
      all.push(await measure(count, { dist, profile }));
    }
    const hundred = all.find(({ count }) => count === 100);
    const [one] = all;
    if (one === undefined || hundred === undefined) throw new Error('Nothing was measured.');
    const aims = [
      atMost('memory of 100 that were called once, MB', hundred.afterMb, 400),
      atMost('longest answer of /healthz/live, ms', hundred.liveMs, 200),
      atMost('start with 100, × with 1', hundred.startMs / one.startMs, 1.5),
      atMost('memory at rest with 100, × with 1', hundred.restMb / one.restMb, 1.25),
    ];
    const rows = all.map((each) => [
      String(each.count),
      formatNumber(each.startMs),
      formatNumber(each.restMb),
      formatNumber(each.firstMs),
      formatNumber(each.liveMs),
      formatNumber(each.afterMb),
      `${formatNumber(each.afterMb / one.afterMb)} ×`,
      formatNumber(each.secondMs),
    ]);
    const head = ['sources', 'start ms', 'MB at rest', 'first calls ms', 'live ms'];
    return {
      report: { measure: 'many', machine, all, aims },
      text: [
        'many: one-line HTTP sources under weir serve',
        machineLine(machine),
        'memory of the whole tree, a shared page counted once, 3 s after the answers; each source is called once, all at once',
        '',
        formatTable([...head, 'MB after', 'to one', 'second calls ms'], rows),
        '',
        formatAims(aims),
      ].join('\n'),
    };
  },
};

interface Build {
  readonly dist: string;
  readonly profile: string | undefined;
}

async function measure(count: number, build: Build): Promise<Measured> {
  const folder = await temporaryFolder();
  const data = join(folder.path, 'data');
  await mkdir(data);
  try {
    const deploying = await serve(data, build);
    const urls = await deploy(count, data, folder.path);
    await deploying.stop();
    // Again, as no source has a process then.
    const begun = performance.now();
    const program = await serve(data, build);
    try {
      const startMs = performance.now() - begun;
      await pause(restMs);
      const restMb = memoryOfTree(program.pid) / 1e6;
      const here = urls.map((path) => new URL(path, program.url).href);
      const live = watchLive(program.url);
      const firstMs = await callAll(here);
      const liveMs = await live.stop();
      await pause(restMs);
      const afterMb = memoryOfTree(program.pid) / 1e6;
      const secondMs = await callAll(here);
      return { count, startMs, restMb, firstMs, afterMb, secondMs, liveMs };
    } finally {
      await program.stop();
    }
  } finally {
    await folder.remove();
  }
}

/** @returns paths of their endpoints */
async function deploy(count: number, data: string, folder: string): Promise<string[]> {
  const call = restClient(await addressIn(data));
  const paths: string[] = [];
  let next = 0;
  const deployer = async (): Promise<void> => {
    for (let n = (next += 1); n <= count; n = next += 1) {
      const path = join(folder, `source-${n}.mjs`);
      const code = `export default { name: 'Source ${n}', props: { http: { type: '$.interface.http', customResponse: true } }, run({ body }) { this.http.respond({ status: 200, body: 'ok' }); this.$emit(body); } };\n`;
      await writeFile(path, code);
      const { data: source } = (await call('POST', 'sources', { component_path: path })) as {
        data: { endpoint_url: string };
      };
      paths.push(new URL(source.endpoint_url).pathname);
    }
  };
  await Promise.all(Array.from({ length: deploysAtOnce }, deployer));
  return paths;
}

/** @returns ms until the last of them has answered */
async function callAll(urls: readonly string[]): Promise<number> {
  const begun = performance.now();
  await Promise.all(
    urls.map(async (url) => {
      const answer = await fetch(url, { method: 'POST', body: 'x' });
      if (!answer.ok) throw new Error(`A source answered ${answer.status}.`);
      await answer.text();
    }),
  );
  return performance.now() - begun;
}

/** Requests `/healthz/live` until it is stopped. */
function watchLive(url: string) {
  const stopped = new AbortController();
  let longest = 0;
  const watching = (async () => {
    while (!stopped.signal.aborted) {
      const begun = performance.now();
      await (await fetch(`${url}/healthz/live`)).text();
      longest = Math.max(longest, performance.now() - begun);
      await pause(liveEveryMs);
    }
  })();
  return {
    /** @returns the longest answer in ms */
    async stop(): Promise<number> {
      stopped.abort();
      await watching;
      return longest;
    },
  };
}
