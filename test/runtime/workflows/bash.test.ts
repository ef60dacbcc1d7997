/** Steps in Bash, by a real shell. */
import { readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { StepRun, WholeExecution } from '../../../src/protocol/catalogue.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { startRuntime, useRuntime } from '../../support/runtime.ts';
import { until } from '../../support/until.ts';
import { needsProgram } from '../support/not-run.ts';
import {
  beginWorkflow,
  deployWorkflow,
  logsOf,
  runWorkflow,
  stepOf,
  stillAlive,
} from './script-files.ts';

const runtime = useRuntime();

beforeEach((context) => needsProgram('bash', context));

const sh = (code: string, more: object = {}) => ({
  steps: [{ namespace: 'code', uses: './code/entry.sh' }],
  files: { 'code/entry.sh': code },
  ...more,
});

async function ran(
  code: string,
  more: object = {},
): Promise<{ execution: WholeExecution; step: StepRun }> {
  const workflow = await deployWorkflow(runtime, sh(code, more));
  const execution = await runWorkflow(runtime, workflow, { n: 3 });
  return { execution, step: stepOf(execution, 'code') };
}

test('$PIPEDREAM_STEPS is a file of the steps before, and its lines are the log', async () => {
  const { step } = await ran(
    'grep -o \'"n":3\' "$PIPEDREAM_STEPS"\necho problem >&2\nprintf "no end"\n',
  );
  expect(step.error).toBeNull();
  expect(logsOf(step).toSorted()).toEqual(['error: problem', 'info: "n":3', 'info: no end']);
});

test('what is appended to $PIPEDREAM_EXPORTS is exported', async () => {
  const { step } = await ran(
    [
      'echo who=me >> "$PIPEDREAM_EXPORTS"',
      'echo "list:json=[1,2]" >> "$PIPEDREAM_EXPORTS"',
      'printf "lines=a\\nb c\\n\\nd\\n" >> $PIPEDREAM_EXPORTS',
      'printf "tree:json={\\n  \\"a\\": 1\\n}\\n" >> $PIPEDREAM_EXPORTS',
      'echo "who=you=me" >> $PIPEDREAM_EXPORTS',
      'echo "empty=" >> $PIPEDREAM_EXPORTS',
    ].join('\n'),
  );
  expect(step.exports).toEqual({
    who: 'you=me',
    list: [1, 2],
    lines: 'a\nb c\n\nd',
    tree: { a: 1 },
    empty: '',
  });
});

test('an export that is no JSON fails the step with its name', async () => {
  const { step, execution } = await ran('echo "x:json={" >> $PIPEDREAM_EXPORTS');
  expect(execution.status).toBe('failed');
  expect(step.error?.message).toMatch(/^The export x is not JSON/);
});

test('exit 1 ends only the step: the workflow goes on, and what was exported stays', async () => {
  const { execution, step } = await ran('echo a=1 >> $PIPEDREAM_EXPORTS\nexit 1\n', {
    steps: [
      { namespace: 'code', uses: './code/entry.sh' },
      { namespace: 'after', uses: './code/entry.sh' },
    ],
  });
  expect(execution.status).toBe('succeeded');
  expect(step.exports).toEqual({ a: '1' });
  expect(logsOf(step)).toEqual([
    expect.stringMatching(/^warn: .*entry\.sh exited with code 1; the workflow goes on\.$/),
  ]);
  expect(stepOf(execution, 'after').status).toBe('succeeded');
});

test('P25.28 more memory than the workflow may have fails the step', async (context) => {
  if (process.platform !== 'linux') context.skip('only Linux tells how much memory a script takes');
  const { step, execution } = await ran(
    `held=$(head -c 200000000 /dev/zero | tr '\\0' x); sleep 600`,
    { settings: { lambda_memory: 150, lambda_timeout: 60 } },
  );
  expect(execution.status).toBe('failed');
  expect(step.error?.name).toBe('OutOfMemory');
});

describe('nothing outlives the step', () => {
  test('a process in the background neither holds up the step nor stays', async () => {
    const { step } = await ran('sleep 600 &\necho "pid=$!" >> $PIPEDREAM_EXPORTS\n');
    const pid = Number(step.exports['pid']);
    expect(pid).toBeGreaterThan(1);
    expect(await stillAlive([pid])).toEqual([]);
  });

  test.for(['limit', 'cancel', 'runtime', 'process'])('ended by %s', async (how) => {
    const folder = temporaryFolder();
    const path = join(folder, 'pids');
    const own = { ...(await startRuntime({ folder })), folder };
    const workflow = await deployWorkflow(
      own,
      sh(
        `sleep 600 &\necho "$$ $! $PPID" > '${path}.new'; mv '${path}.new' '${path}'\nfor ((;;)); do :; done\n`,
        {
          settings: { lambda_timeout: how === 'limit' ? 4 : 600 },
        },
      ),
    );
    const { id } = await beginWorkflow(own, workflow);
    const pids = await until('the pids', async () => {
      const text = await readFile(path, 'utf8').catch(() => '');
      return text !== '' && text.split(' ').map(Number);
    });
    // The first waits for the step's end, the second ends its process (W24).
    if (how === 'cancel') await own.rest('POST', `/v1/executions/${id}/cancel`);
    if (how === 'cancel') await own.rest('POST', `/v1/executions/${id}/cancel`);
    if (how === 'runtime') await own.kill();
    if (how === 'process') process.kill(pids[2] ?? 0, 'SIGKILL');
    expect(await stillAlive(pids.slice(0, 2))).toEqual([]);
  });
});

test('files that it leaves in its working directory are gone with the leg, $TMPDIR is the same', async () => {
  const { step } = await ran(
    'touch left\necho "at=$PWD" >> $PIPEDREAM_EXPORTS\necho "tmp=$TMPDIR" >> $PIPEDREAM_EXPORTS\n',
  );
  const { at, tmp } = step.exports;
  expect(at).toBe(tmp);
  await expect.poll(() => existsSync(String(at))).toBe(false);
});
