/** Runs inside the extension host of a fresh window, started by bench/measures/debugging.mts. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Workflow } from '../../src/protocol/catalogue.ts';
import { inWorkspace, open, post, weir } from '../../test/editor/support/weir.ts';
import { until } from '../../test/support/until.ts';
import type { WorkflowSamples } from '../measures/debugging.mts';
import { sayFigures } from './say-figures.ts';
import { StopWatch } from './stop-watch.ts';

const warmStarts = 3;
const edits = 3;

export const run = (): Promise<void> => sayFigures(measure);

async function measure(): Promise<WorkflowSamples> {
  await vscode.extensions.getExtension('weir.weir')?.activate();
  const folder = inWorkspace('measured');
  const step = path.join(folder, 'answer', 'entry.mjs');
  await writeWorkflow(folder);
  await open(step);
  const samples: Record<keyof WorkflowSamples, number[]> = {
    cold: [],
    warm: [],
    editTested: [],
    editDeployed: [],
    editDebugged: [],
  };
  const watch = new StopWatch();
  try {
    const first = new vscode.Location(vscode.Uri.file(step), new vscode.Position(2, 0));
    vscode.debug.addBreakpoints([new vscode.SourceBreakpoint(first)]);
    const debug = () =>
      vscode.debug.startDebugging(vscode.workspace.workspaceFolders?.[0], {
        type: 'weir',
        request: 'launch',
        name: 'Debug Measured',
        workflow: folder,
        event: {},
      });
    for (let n = 0; n <= warmStarts; n += 1) {
      const { stopped } = await watch.stopAfter(debug);
      (n === 0 ? samples.cold : samples.warm).push(stopped);
      await watch.continue();
      if (n < warmStarts) await watch.disconnect();
    }
    vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
    for (let n = 1; n <= edits; n += 1) samples.editDebugged.push(await editAndCall(step, n));
    await watch.disconnect();
    for (let n = 1; n <= edits; n += 1) {
      samples.editTested.push(await editAndTest(folder, step, 10 + n));
      samples.editDeployed.push(await editAndDeploy(folder, step, 20 + n));
    }
    return samples;
  } finally {
    watch.dispose();
  }
}

async function writeWorkflow(folder: string): Promise<void> {
  const steps = ['first', 'second', 'answer'];
  const listed = steps.map((name) => `  - { namespace: ${name}, uses: ./${name}/entry.mjs }`);
  const text = `schema: workflow/2022.04
name: Measured
triggers:
  - uses: $.interface.http
    props: { response: workflow }
steps:
${listed.join('\n')}
`;
  for (const name of steps) {
    await mkdir(path.join(folder, name), { recursive: true });
    await writeFile(path.join(folder, name, 'entry.mjs'), codeOf(name === 'answer'));
  }
  await writeFile(path.join(folder, 'workflow.yaml'), text);
}

function codeOf(answers: boolean): string {
  const answer = 'await $.respond({ status: 200, body: String(version) });';
  return `const version = 0;
export default defineComponent({ async run({ $ }) {
  ${answers ? answer : "$.export('$summary', 'nothing');"}
  return version;
} });
`;
}

async function edited(step: string, version: number): Promise<vscode.TextEditor> {
  const editor = await open(step);
  const line = editor.document.lineAt(0).range;
  await editor.edit((edit) => edit.replace(line, `const version = ${version};`));
  return editor;
}

async function measured(): Promise<Workflow> {
  const { runtime } = await weir();
  return runtime.call('workflows.get', { id: 'measured' });
}

/** @returns ms from the wish to save until an execution of the debugged workflow has answered with the new code */
async function editAndCall(step: string, version: number): Promise<number> {
  const [trigger] = (await measured()).triggers;
  const { document } = await edited(step, version);
  const start = performance.now();
  await document.save();
  await answered(trigger?.endpoint_url ?? '', version);
  return performance.now() - start;
}

/** @returns ms from the wish to save until the step has run by itself, as its file is now */
async function editAndTest(folder: string, step: string, version: number): Promise<number> {
  const { runtime } = await weir();
  const { document } = await edited(step, version);
  const start = performance.now();
  await document.save();
  const ran = await runtime.call('executions.test', {
    workflow_path: folder,
    step: 'answer',
    wait: true,
  });
  const took = performance.now() - start;
  const value = ran.steps.at(-1)?.return_value;
  if (value !== version) throw new Error(`The step returned ${String(value)}, not ${version}.`);
  return took;
}

/** @returns ms from the wish to save, through an update, until an execution has answered with the new code */
async function editAndDeploy(folder: string, step: string, version: number): Promise<number> {
  const { runtime } = await weir();
  const { document } = await edited(step, version);
  const start = performance.now();
  await document.save();
  const { triggers } = await runtime.call('workflows.deploy', { workflow_path: folder });
  await answered(triggers[0]?.endpoint_url ?? '', version);
  return performance.now() - start;
}

async function answered(url: string, version: number): Promise<void> {
  await until('the new code', async () => {
    const response = await post(url, {});
    return (await response.text()) === String(version);
  });
}
