/** Runs inside the extension host of a fresh window, started by bench/measures/debugging.mts. */
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Source } from '../../src/protocol/catalogue.ts';
import { inWorkspace, open, post, weir } from '../../test/editor/support/weir.ts';
import { until } from '../../test/support/until.ts';
import { median } from '../harness/figures.mts';
import type { Samples, SourceFigures } from '../measures/debugging.mts';
import { sayFigures } from './say-figures.ts';
import { StopWatch } from './stop-watch.ts';

const warmStarts = 3;
const saves = 3;
const requests = 300;

export const run = (): Promise<void> => sayFigures(measure);

async function measure(): Promise<SourceFigures> {
  // The runtime starts with the first thing that needs it, which is a part of a cold start.
  await vscode.extensions.getExtension('weir.weir')?.activate();
  const file = inWorkspace('measured.mjs');
  await writeFile(file, codeOf(0));
  await open(file);
  const samples: Record<keyof Samples, number[]> = {
    cold: [],
    warm: [],
    beforeAttach: [],
    saveDebugged: [],
    saveFollowed: [],
  };
  const watch = new StopWatch();
  try {
    const first = new vscode.Location(vscode.Uri.file(file), new vscode.Position(0, 0));
    vscode.debug.addBreakpoints([new vscode.SourceBreakpoint(first)]);
    const debug = () => vscode.commands.executeCommand('weir.debug', file);
    for (let n = 0; n <= warmStarts; n += 1) {
      const { stopped, attached } = await watch.stopAfter(debug);
      (n === 0 ? samples.cold : samples.warm).push(stopped);
      if (n > 0) samples.beforeAttach.push(attached);
      await watch.continue();
      await loaded(file);
      if (n < warmStarts) await watch.disconnect();
    }
    vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
    const source = await loaded(file);
    for (let n = 1; n <= saves; n += 1) samples.saveDebugged.push(await save(source, file, n));

    const other = await deployOther();
    const besideDebugged = await requestMs(other);
    await watch.disconnect();
    const alone = await requestMs(other);

    await vscode.commands.executeCommand('weir.dev', source.id);
    for (let n = 1; n <= saves; n += 1) samples.saveFollowed.push(await save(source, file, -n));
    return { samples, undebugged: { besideDebugged, alone } };
  } finally {
    watch.dispose();
  }
}

function codeOf(version: number): string {
  return `const version = ${version};
export default {
  name: 'Measured', version: '0.0.1', type: 'source',
  props: { http: { type: '$.interface.http', customResponse: true } },
  run() { this.http.respond({ status: 200, body: String(version) }); },
};
`;
}

/** The source, once its process has evaluated its module. */
async function loaded(file: string): Promise<Source> {
  const { runtime } = await weir();
  return until('the source to be loaded', async () => {
    const { data } = await runtime.call('sources.list', { limit: 100 });
    const { hosts } = await runtime.call('runtime.info', {});
    return data.find(
      ({ id, path }) => path === file && hosts.some(({ source_id: of }) => of === id),
    );
  });
}

/** @returns ms from the wish to save until a run has answered with the new code */
async function save({ endpoint_url: url }: Source, file: string, version: number): Promise<number> {
  const editor = await open(file);
  const line = editor.document.lineAt(0).range;
  await editor.edit((edit) => edit.replace(line, `const version = ${version};`));
  const start = performance.now();
  await editor.document.save();
  await until('the new code', async () => {
    const response = await post(url ?? '', {});
    return (await response.text()) === String(version);
  });
  return performance.now() - start;
}

async function deployOther(): Promise<Source> {
  const { runtime } = await weir();
  const file = inWorkspace('other.mjs');
  await writeFile(file, codeOf(0).replace('Measured', 'Other'));
  return runtime.call('sources.deploy', { component_path: file });
}

/** Median of requests that are made one after the other. */
async function requestMs({ endpoint_url: url }: Source): Promise<number> {
  const took: number[] = [];
  for (let n = 0; n < requests; n += 1) {
    const start = performance.now();
    await (await post(url ?? '', {})).text();
    took.push(performance.now() - start);
  }
  return median(took);
}
