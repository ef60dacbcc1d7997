import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { formatNumber, formatTable } from '../harness/figures.mts';
import { bytesOf } from '../harness/folder-size.mts';
import { describeMachine, machineLine } from '../harness/machine.mts';
import { postPaced } from '../harness/paced.mts';
import { memoryOfTree, usageOfTree } from '../harness/process-tree.mts';
import { startProgram } from '../harness/program.mts';
import { temporaryFolder } from '../harness/temporary.mts';
import { addressIn, restClient } from '../peers/weir-program.mts';
import { atMost, formatAims, type Measure } from './measure.mts';

/** What a small server may have for each thing that runs on it. */
const sources = 10;
/** Of all sources together: 17 million a day. */
const perSecond = 200;
/** Rounds are longer than elsewhere: memory grows for a while, and old events begin to be removed. */
const times = 10;
/** Until what is not needed was given back. */
const settledMs = 10_000;

export const server: Measure = {
  summary: `a server with one core and ${sources} sources: memory, CPU and disk at ${perSecond} events/s`,
  async run({ dist, seconds, note }) {
    const machine = describeMachine();
    const folder = await temporaryFolder();
    const data = join(folder.path, 'data');
    await mkdir(data);
    // As deploy/weir.service starts it; default retention.
    const program = await startProgram(
      [join(dist, 'cli.js'), 'serve', '--data', data, '--trust-proxy'],
      { XDG_CONFIG_HOME: folder.path, MALLOC_TRIM_THRESHOLD_: String(128 * 1024) },
    );
    try {
      // All threads; what is started later is bound as they are.
      execFileSync('taskset', ['-acp', '0', String(program.pid)]);
      const call = restClient(await addressIn(data));
      const memory = () => memoryOfTree(program.pid) / 1e6;
      await pause(settledMs);
      const empty = memory();
      note(`${sources} sources`);
      const urls: string[] = [];
      for (let n = 0; n < sources; n += 1) {
        const file = join(folder.path, `source-${n}.mjs`);
        await writeFile(
          file,
          `export default { name: 'Source ${n}', props: { http: '$.interface.http' }, run({ body }) { this.$emit(body) } };`,
        );
        const body = { component_path: file };
        const { data: made } = (await call('POST', 'sources', body)) as {
          data: { endpoint_url: string };
        };
        urls.push(made.endpoint_url);
      }
      await pause(settledMs);
      const deployed = memory();
      note(`${perSecond} events/s for ${seconds * times} s`);
      let peak = 0;
      const watching = setInterval(() => (peak = Math.max(peak, memory())), 500);
      const before = usageOfTree(program.pid).cpuMs;
      const sent = await Promise.all(
        urls.map((url) => postPaced(url, perSecond / sources, seconds * times)),
      );
      const events = sent.reduce((sum, count) => sum + count, 0);
      const cpuMs = usageOfTree(program.pid).cpuMs - before;
      clearInterval(watching);
      await pause(settledMs);
      const after = memory();
      const diskMb = (await bytesOf(data)) / 1e6;
      const cpuMicros = (cpuMs / events) * 1000;
      const corePercent = cpuMs / (seconds * times) / 10;
      const aims = [atMost('memory at its highest, MB', peak, 512)];
      const rows = [
        ['memory without a source, MB', formatNumber(empty)],
        [`memory with ${sources} sources that wait, MB`, formatNumber(deployed)],
        ['memory at its highest, MB', formatNumber(peak)],
        ['memory ten seconds later, MB', formatNumber(after)],
        ['CPU of an event, µs', formatNumber(cpuMicros)],
        ['of the core, %', formatNumber(corePercent)],
        ['events', formatNumber(events)],
        ['data folder, MB', formatNumber(diskMb)],
        ['disk of an event with 1 KB, KB', formatNumber((diskMb * 1000) / events)],
      ];
      const figures = { empty, deployed, peak, after, cpuMicros, corePercent, events, diskMb };
      return {
        report: { measure: 'server', machine, figures, aims },
        text: [
          `server: one core, ${sources} sources, ${perSecond} events/s`,
          machineLine(machine),
          'memory of the whole process tree, a page that processes share counted once; CPU time of all of it',
          '',
          formatTable(['', ''], rows),
          '',
          formatAims(aims),
        ].join('\n'),
      };
    } finally {
      await program.stop();
      await folder.remove();
    }
  },
};
