/** Steps in Python, by a real interpreter. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { StepRun, WholeExecution, Workflow } from '../../../src/protocol/catalogue.ts';
import { isAlive } from '../../support/is-alive.mts';
import { startRuntime, useRuntime } from '../../support/runtime.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { until } from '../../support/until.ts';
import { needsProgram } from '../support/not-run.ts';
import {
  beginWorkflow,
  deployWorkflow,
  logsOf,
  runWorkflow,
  type ScriptWorkflow,
  stepOf,
  stillAlive,
  tryDeploy,
  writeWorkflow,
} from './script-files.ts';

const runtime = useRuntime();

beforeEach((context) => needsProgram('python3', context));

const py = (code: string, more: Partial<ScriptWorkflow> & { props?: object } = {}) => {
  const { props, ...rest } = more;
  return {
    steps: [{ namespace: 'code', uses: './code/entry.py', ...(props && { props }) }],
    files: { 'code/entry.py': code },
    ...rest,
  };
};

/** Runs a step of its own. */
async function ran(
  code: string,
  more: Parameters<typeof py>[1] = {},
  event: unknown = {},
): Promise<{ execution: WholeExecution; step: StepRun }> {
  const workflow = await deployWorkflow(runtime, py(code, more));
  const execution = await runWorkflow(runtime, workflow, event);
  return { execution, step: stepOf(execution, 'code') };
}

describe('what a handler is given and gives', () => {
  test('steps, a return value, exports, and lines of its log', async () => {
    const workflow = await deployWorkflow(runtime, {
      steps: [
        { namespace: 'first', uses: './first/entry.py' },
        { namespace: 'second', uses: './second/entry.js' },
      ],
      files: {
        'first/entry.py': `
import sys
from helper import twice
def handler(pd: "pipedream"):
    print("to stdout", pd.steps["trigger"]["event"]["n"])
    print("two\\nlines")
    print("to stderr", file=sys.stderr)
    pd.export("half", pd.steps["trigger"]["event"]["n"] / 2)
    pd.export("$summary", "done")
    return {"twice": twice(pd.steps["trigger"]["event"]["n"]), "ä": "ü\\u2028😀"}
`,
        'first/helper.py': 'def twice(n): return 2 * n\n',
        'second/entry.js':
          'export default defineComponent({ run({ steps }) { return steps.first; } });',
      },
    });
    const execution = await runWorkflow(runtime, workflow, { n: 3 });
    expect(execution.error).toBeNull();
    const first = stepOf(execution, 'first');
    expect(logsOf(first).toSorted()).toEqual(
      ['error: to stderr', 'info: to stdout 3', 'info: two', 'info: lines'].toSorted(),
    );
    expect(first.summary).toBe('done');
    expect(stepOf(execution, 'second').return_value).toEqual({
      half: 1.5,
      $summary: 'done',
      $return_value: { twice: 6, ä: 'ü\u2028😀' },
    });
  });

  test('what it imports from beside it is that of the deploy, packages and relative imports too', async () => {
    const path = await writeWorkflow(runtime, {
      steps: [{ namespace: 'code', uses: './code/entry.py' }],
      files: {
        'code/entry.py': `
import helper
from package import deep
from package.deep import name
def handler(pd):
    from later import when
    return [helper.value(), deep.value(), name, when, helper.__file__.endswith("helper.py")]
`,
        'code/helper.py': 'import other\ndef value(): return other.value\n',
        'code/other.py': 'value = "deployed"\n',
        'code/package/__init__.py': '',
        'code/package/deep.py':
          'from . import beside\nfrom .beside import name\ndef value(): return beside.VALUE\n',
        'code/package/beside.py': 'VALUE = "deep"\nname = "named"\n',
        'code/later.py': 'when = "then"\n',
      },
    });
    const workflow = await runtime.restData<Workflow>('POST', '/v1/workflows', {
      workflow_path: path,
    });
    const files = ['helper.py', 'other.py', 'later.py', 'package/beside.py', 'package/deep.py'];
    for (const file of files) {
      await writeFile(join(path, 'code', file), 'raise Exception("not deployed")\n');
    }
    const execution = await runWorkflow(runtime, workflow);
    expect(execution.error).toBeNull();
    expect(stepOf(execution, 'code').return_value).toEqual([
      'deployed',
      'deep',
      'named',
      'then',
      true,
    ]);
    // The next deploy brings them.
    const broken = await runtime.restData<Workflow>('POST', '/v1/workflows', {
      workflow_path: path,
    });
    expect((await runWorkflow(runtime, broken)).error?.message).toContain('not deployed');
  });

  test('starts another workflow, sends to the stream and asks for time; an unknown id raises', async () => {
    const target = await deployWorkflow(runtime, py('def handler(pd): return 1'));
    const { execution, step } = await ran(`
def handler(pd):
    answer = pd.flow.trigger("${target.id}", {"n": 1})
    pd.send.sse({"channel": "c", "payload": [1]})
    said = pd.flow.refresh_timeout()
    try:
        pd.flow.trigger("p_nobody")
    except RuntimeError as error:
        return [answer, said, str(error)]
`);
    expect(step.return_value).toEqual([
      { workflow_id: target.id },
      expect.stringContaining('again'),
      expect.stringContaining('p_nobody'),
    ]);
    expect(execution.sends.map(({ kind, status }) => [kind, status])).toEqual([
      ['trigger', 'sent'],
      ['sse', 'sent'],
    ]);
  });

  test('a data store is a dict: a missing key raises, and get gives None', async () => {
    const { step } = await ran(
      `
def handler(pd):
    store = pd.inputs["store"]
    told = {"none": store.get("nope"), "other": store.get("nope", 7)}
    try:
        store["nope"]
    except KeyError as error:
        told["error"] = error.args[0]
    store["a"] = {"deep": [1, None]}
    store.set("b", 2, ttl=1000)
    store.set_ttl("a", 500)
    store["empty"] = None
    told["in"] = ["a" in store, "nope" in store, "empty" in store]
    told["empty"] = store.get("empty", 1)
    told["keys"] = sorted(store.keys())
    told["all"] = dict(store.items())
    del store["a"]
    told["popped"] = store.pop("b")
    told["left"] = len(store)
    told["default"] = store.setdefault("c", [1])
    store.update({"d": 1}, e=2)
    told["end"] = sorted(store)
    try:
        store.set("f", 1, ttl=-1)
    except RuntimeError as error:
        told["wrong"] = str(error)
    return told
`,
      {
        props: {
          store: { storeId: 'python' },
          __configurableProps: [{ name: 'store', type: 'data_store' }],
        },
      },
    );
    expect(step.error).toBeNull();
    expect(step.return_value).toEqual({
      none: null,
      other: 7,
      error: 'nope',
      in: [true, false, true],
      empty: null,
      keys: ['a', 'b', 'empty'],
      all: { a: { deep: [1, null] }, b: 2, empty: null },
      popped: 2,
      left: 1,
      default: [1],
      end: ['c', 'd', 'e', 'empty'],
      wrong: expect.stringMatching(/^ttl is a number of seconds/) as string,
    });
  });

  test('an account is its $auth, other props are their values', async () => {
    const { id } = await runtime.restData<{ id: string }>('POST', '/v1/accounts', {
      app: 'slack',
      name: 'team',
      credentials: { oauth_access_token: 'xoxb-python' },
    });
    const { step } = await ran(
      'def handler(pd): return [pd.inputs["slack"]["$auth"]["oauth_access_token"], pd.inputs["n"], pd.inputs["list"]]',
      {
        props: {
          slack: { authProvisionId: id },
          n: '{{event.n}}',
          list: ['a', '{{event.n}}'],
          __configurableProps: [
            { name: 'slack', type: 'app', app: 'slack' },
            { name: 'n', type: 'integer' },
            { name: 'list', type: 'string[]' },
          ],
        },
      },
      { n: 4 },
    );
    expect([step.error, step.return_value]).toEqual([null, ['xoxb-python', 4, ['a', 4]]]);
  });

  test('what JSON has no form for', async () => {
    const { step } = await ran(`
import dataclasses, datetime, decimal, enum, math, uuid, collections
@dataclasses.dataclass
class Point:
    x: int
class Array:
    def tolist(self): return [1, 2]
class Color(enum.IntEnum):
    RED = 1
def handler(pd):
    return {
        "date": datetime.date(2026, 1, 2), "time": datetime.datetime(2026, 1, 2, 3, 4, 5),
        "set": {1}, "tuple": (1, 2), "decimal": decimal.Decimal("1.50"), "bytes": b"text\\xff",
        "nan": [math.nan, math.inf, 1.5], "array": Array(), "point": Point(3), "enum": Color.RED,
        "uuid": uuid.UUID(int=1), "generator": (n for n in [1, 2]), "counter": collections.Counter("aa"),
        (1, 2): "tuple key", 3: "int key", None: "no key", "surrogate": "\\ud800",
    }
`);
    expect(step.error).toBeNull();
    expect(step.return_value).toEqual({
      date: '2026-01-02',
      time: '2026-01-02T03:04:05',
      set: [1],
      tuple: [1, 2],
      decimal: '1.50',
      bytes: 'text\ufffd',
      nan: [null, null, 1.5],
      array: [1, 2],
      point: { x: 3 },
      enum: 1,
      uuid: '00000000-0000-0000-0000-000000000001',
      generator: [1, 2],
      counter: { a: 2 },
      '(1, 2)': 'tuple key',
      '3': 'int key',
      null: 'no key',
      surrogate: '\ud800',
    });
  });

  test('a value that contains itself fails the step with its name', async () => {
    const { step } = await ran('def handler(pd):\n    a = []\n    a.append(a)\n    return a\n');
    expect(step.error).toMatchObject({
      name: 'ValueError',
      message: 'A value that contains itself cannot be handed on',
    });
  });

  test('without a handler, and with the names of 2022', async () => {
    const { step } = await ran(
      'from pipedream.script_helpers import (steps, export)\nexport("n", steps["trigger"]["event"]["n"])\n',
      {},
      { n: 5 },
    );
    expect([step.error, step.exports['n'], step.return_value]).toEqual([null, 5, null]);
  });
});

describe('flow, respond and send', () => {
  test('exit ends the execution with its reason', async () => {
    const workflow = await deployWorkflow(runtime, {
      steps: [
        { namespace: 'code', uses: './code/entry.py' },
        { namespace: 'after', uses: './code/entry.py' },
      ],
      files: { 'code/entry.py': 'def handler(pd):\n    return pd.flow.exit("enough")\n' },
    });
    const execution = await runWorkflow(runtime, workflow);
    expect(execution.status).toBe('succeeded');
    expect(execution.reason).toBe('enough');
    expect(execution.steps.map(({ path }) => path)).toEqual(['code']);
  });

  test('exit without a reason has none', async () => {
    const { execution } = await ran('def handler(pd):\n    return pd.flow.exit()\n');
    expect([execution.status, execution.reason]).toEqual(['succeeded', null]);
  });

  test('suspend hands out URLs, and what resumed it is in the next step', async () => {
    const workflow = await deployWorkflow(runtime, {
      steps: [
        { namespace: 'wait', uses: './wait.py' },
        { namespace: 'after', uses: './after.py' },
      ],
      files: {
        'wait.py': 'def handler(pd):\n    return pd.flow.suspend(60000)["resume_url"]\n',
        'after.py': 'def handler(pd):\n    return pd.steps["wait"]["$resume_data"]["body"]\n',
      },
    });
    const { id, status, steps } = await runWorkflow(runtime, workflow);
    expect(status).toBe('paused');
    const url = String(steps[0]?.return_value);
    await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"ok":true}',
    });
    const execution = await until('it to end', async () => {
      const now = await runtime.restData<WholeExecution>('GET', `/v1/executions/${id}`);
      return now.status === 'succeeded' && now;
    });
    expect(stepOf(execution, 'after').return_value).toEqual({ ok: true });
  });

  test('rerun runs the step again with its context, delay goes on after its time', async () => {
    const workflow = await deployWorkflow(runtime, {
      steps: [
        { namespace: 'again', uses: './again.py' },
        { namespace: 'delay', uses: './delay.py' },
        { namespace: 'after', uses: './after.py' },
      ],
      files: {
        'again.py': `
def handler(pd):
    run = pd.context["run"]
    if run["runs"] < 3:
        pd.flow.rerun(1, {"at": run["runs"]}, 5)
    return [run["runs"], run.get("context")]
`,
        'delay.py': 'def handler(pd):\n    pd.flow.delay(5)\n    return "waited"\n',
        'after.py':
          'def handler(pd):\n    return [pd.steps["again"]["$return_value"], pd.steps["delay"]["$return_value"]]\n',
      },
    });
    const { id } = await runWorkflow(runtime, workflow);
    const execution = await until('it to end', async (seen) => {
      const now = await runtime.restData<WholeExecution>('GET', `/v1/executions/${id}`);
      return seen(now).status === 'succeeded' && now;
    });
    expect(stepOf(execution, 'after').return_value).toEqual([[3, { at: 2 }], 'waited']);
  });

  test('respond answers the caller, at once when it says so, and send.emit is an event', async () => {
    const workflow = await deployWorkflow(runtime, {
      triggers: [{ uses: '$.interface.http', props: { response: 'workflow' } }],
      ...py(`
def handler(pd):
    body = pd.steps["trigger"]["event"]["body"]
    pd.respond({"status": 201, "headers": {"x-a": "b"}, "body": {"got": body}, "immediate": True})
    pd.send.emit(raw_event={"n": body["n"]})
`),
    });
    const url = String(workflow.triggers[0]?.endpoint_url);
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"n":2}',
    });
    expect(response.status).toBe(201);
    expect(response.headers.get('x-a')).toBe('b');
    expect(await response.json()).toEqual({ got: { n: 2 } });
  });

  test('what is wrong with a call raises in the script', async () => {
    const { step } = await ran(`
def handler(pd):
    try:
        pd.flow.delay("soon")
    except RuntimeError as error:
        return str(error)
`);
    expect(step.return_value).toMatch(/must be a number of milliseconds/);
  });
});

describe('trouble', () => {
  test('an exception is the error of the step, with the traceback of its own files', async () => {
    const { execution, step } = await ran(
      `
from helper import broken
def handler(pd):
    try:
        broken()
    except ZeroDivisionError as error:
        raise ValueError("no good") from error
`,
      {
        files: {
          'code/entry.py': `
from helper import broken
def handler(pd):
    try:
        broken()
    except ZeroDivisionError as error:
        raise ValueError("no good") from error
`,
          'code/helper.py': 'def broken():\n    return 1 / 0\n',
        },
      },
    );
    expect(execution.status).toBe('failed');
    expect(step.error).toMatchObject({ name: 'ValueError', message: 'no good' });
    const trace = String(step.error?.stack);
    expect(trace).toMatch(/entry\.py", line 5, in handler\n\s+broken\(\)/);
    expect(trace).toMatch(/helper\.py", line 2, in broken/);
    expect(trace).toMatch(/entry\.py", line 7, in handler/);
    expect(trace).not.toContain('<string>');
  });

  test('an error of a call has no frames of ours either', async () => {
    const { step } = await ran('def handler(pd):\n    pd.flow.delay(-1)\n');
    expect(step.error).toMatchObject({ name: 'RuntimeError' });
    expect(String(step.error?.stack)).toMatch(/line 2, in handler/);
    expect(String(step.error?.stack)).not.toContain('<string>');
  });

  test.for([
    ['sys.exit()', null],
    ['sys.exit(0)', null],
    ['sys.exit(3)', 'The step ended its process with 3.'],
    ['sys.exit("bye")', 'The step ended its process with bye.'],
    ['os._exit(5)', 'The Python process exited with code 5 before the handler returned.'],
    [
      'os.kill(os.getpid(), 9)',
      'The Python process was ended by SIGKILL before the handler returned.',
    ],
    ['os.close(3)', 'The Python process exited with code 1 before the handler returned.'],
    ['os.closerange(3, 100)', 'The Python process exited with code 1 before the handler returned.'],
    [
      'os.write(3, b"garbage\\n")',
      'The script wrote to the pipe that Weir talks to it over (file descriptor 3).',
    ],
    [
      'os.write(3, b"{\\"do\\":\\"nothing\\"}\\n")',
      'Python asked for "nothing", which does not exist.',
    ],
  ])('%s', async ([code, message]) => {
    const { step, execution } = await ran(`import os, sys\ndef handler(pd):\n    ${code}\n`);
    expect(step.error?.message ?? null).toBe(message);
    expect(execution.status).toBe(message === null ? 'succeeded' : 'failed');
    const again = await ran('def handler(pd): return 1');
    expect(again.step.return_value).toBe(1);
  });

  test('bytes that are no text, and a line without an end, are logged', async () => {
    const { step } = await ran(
      'import sys\ndef handler(pd):\n    sys.stdout.buffer.write(b"\\xff\\xfe\\n\\r\\nlast")\n',
    );
    expect(logsOf(step)).toEqual(['info: \ufffd\ufffd', 'info: ', 'info: last']);
  });

  test('10 MB of exports are the named error of the limit', async () => {
    const { step, execution } = await ran('def handler(pd): return "x" * 10_000_000');
    expect(execution.status).toBe('failed');
    expect(step.error?.message).toMatch(/return value|exports|output|MB/i);
  });

  test('P25.28 more memory than the workflow may have ends it, children included, and no retry follows', async (context) => {
    if (process.platform !== 'linux')
      context.skip('only Linux tells how much memory a script takes');
    const grow = `import sys, time; held = bytearray(400_000_000); held[::4096] = b"x" * len(held[::4096]); print("held", flush=True); time.sleep(600)`;
    const code = `
import subprocess, sys
def handler(pd):
    child = subprocess.Popen([sys.executable, "-c", ${JSON.stringify(grow)}])
    child.wait()
`;
    const { step, execution } = await ran(code, {
      settings: { lambda_memory: 300, lambda_timeout: 60, auto_retry: true },
    });
    expect(execution.status).toBe('failed');
    expect(step.error).toMatchObject({
      name: 'OutOfMemory',
      message: expect.stringContaining(
        'It used more than 300 MB of memory (settings.lambda_memory',
      ),
    });
  });

  test('threads that go on after the handler are ended, and the log says so', async () => {
    const { step } = await ran(`
import threading, time
def handler(pd):
    threading.Thread(target=lambda: time.sleep(600), name="slow").start()
    return 1
`);
    expect(step.return_value).toBe(1);
    expect(logsOf(step)).toEqual([
      'error: Threads were still running when the handler returned, and were ended: slow',
    ]);
  });

  test('what it left running does not hold up the step', async () => {
    const { step } = await ran(`
import subprocess
def handler(pd): return subprocess.Popen(["sleep", "600"]).pid
`);
    await expect.poll(() => isAlive(Number(step.return_value))).toBe(false);
  });

  test('threads may use pd side by side', async () => {
    const { step } = await ran(
      `
from concurrent.futures import ThreadPoolExecutor
def handler(pd):
    store = pd.inputs["store"]
    def put(n):
        store[str(n)] = n
        return store[str(n)]
    with ThreadPoolExecutor(8) as pool:
        return sum(pool.map(put, range(50)))
`,
      {
        props: {
          store: { storeId: 'threads' },
          __configurableProps: [{ name: 'store', type: 'data_store' }],
        },
      },
    );
    expect([step.error, step.return_value]).toEqual([null, 1225]);
  });
});

describe('nothing outlives the step', () => {
  /** Prints the pids of Python and of a child of its own, and never ends. */
  const endless = (path: string, spin: string): string => `
import os, subprocess, time
def handler(pd):
    child = subprocess.Popen(["sleep", "600"])
    with open(${JSON.stringify(path)} + ".new", "w") as file:
        file.write(str(os.getpid()) + " " + str(child.pid) + " " + str(os.getppid()))
    os.rename(${JSON.stringify(path)} + ".new", ${JSON.stringify(path)})
    ${spin}
`;
  const pidsIn = (path: string): Promise<number[]> =>
    until('the pids', async () => {
      const text = await readFile(path, 'utf8').catch(() => '');
      return text !== '' && text.split(' ').map(Number);
    });
  const spins = [
    ['spins', 'while True: pass'],
    ['waits', 'time.sleep(600)'],
    ['is in C code', 'sum(range(10 ** 12))'],
  ] as const;

  test.for(spins)('one that %s, at the time limit', async ([, spin]) => {
    const path = join(temporaryFolder(), 'pids');
    const { execution } = await ran(endless(path, spin), { settings: { lambda_timeout: 4 } });
    expect(execution.status).toBe('timed_out');
    const [python = 0, child = 0] = await pidsIn(path);
    expect(await stillAlive([python, child])).toEqual([]);
  });

  test('on cancel', async () => {
    const path = join(temporaryFolder(), 'pids');
    const workflow = await deployWorkflow(runtime, py(endless(path, 'while True: pass')));
    const { id } = await beginWorkflow(runtime, workflow);
    const [python = 0, child = 0] = await pidsIn(path);
    // The first waits for the step's end, the second ends its process (W24).
    await runtime.rest('POST', `/v1/executions/${id}/cancel`);
    await runtime.rest('POST', `/v1/executions/${id}/cancel`);
    expect(await stillAlive([python, child])).toEqual([]);
  });

  test.for(['the runtime', "the workflow's process"])('on kill -9 of %s', async (whose) => {
    const folder = temporaryFolder();
    const path = join(folder, 'pids');
    const own = { ...(await startRuntime({ folder })), folder };
    const workflow = await deployWorkflow(own, py(endless(path, 'sum(range(10 ** 12))')));
    await beginWorkflow(own, workflow);
    const [python = 0, child = 0, host = 0] = await pidsIn(path);
    expect([python, child, host].map(isAlive)).toEqual([true, true, true]);
    if (whose === 'the runtime') await own.kill();
    else process.kill(host, 'SIGKILL');
    expect(await stillAlive([python, child, host])).toEqual([]);
  });
});

describe('at deploy', () => {
  test('a mistake in the code is told with its file, line and column', async () => {
    const { status, body } = await tryDeploy(
      runtime,
      py('# ä\ndef handler(pd):\n    return 1 +\n'),
    );
    expect(status).toBe(400);
    expect((body as { details: unknown[] }).details).toEqual([
      expect.objectContaining({
        file: expect.stringMatching(/code\/entry\.py$/) as string,
        line: 3,
        column: 14,
        message: expect.stringMatching(/invalid syntax/) as string,
      }),
    ]);
  });

  test.for([
    ['return 1', /'return' outside function/],
    ['a = "\0"', /null/],
  ] as const)('%s is refused', async ([code, message]) => {
    const { status, body } = await tryDeploy(runtime, py(code));
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toMatch(message);
  });

  test('a byte order mark is none of the code', async () => {
    const { step } = await ran('\ufeffdef handler(pd): return 1');
    expect(step.return_value).toBe(1);
  });

  test('a missing file is named', async () => {
    const { status, body } = await tryDeploy(runtime, { ...py(''), files: {} });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toMatch(/There is no file .*entry\.py/);
  });

  test('the deployed code runs, whatever is in the file since', async () => {
    const workflow = await deployWorkflow(runtime, py('def handler(pd): return "old"'));
    await writeFile(join(workflow.path, 'code/entry.py'), 'def handler(pd): return "new"');
    const execution = await runWorkflow(runtime, workflow);
    expect(stepOf(execution, 'code').return_value).toBe('old');
  });
});

test('P25.110: props that nothing declares reach pd.inputs, of every step with the same code', async () => {
  const execution = await runWorkflow(
    runtime,
    await deployWorkflow(runtime, {
      steps: [
        { namespace: 'first', uses: './code/entry.py', props: { a: 1, list: [false, 0, ''] } },
        {
          namespace: 'second',
          uses: './code/entry.py',
          props: { b: '{{steps.first.$return_value.a + 1}}' },
        },
      ],
      files: { 'code/entry.py': 'def handler(pd): return pd.inputs' },
    }),
  );
  expect(stepOf(execution, 'first').return_value).toEqual({ a: 1, list: [false, 0, ''] });
  expect(stepOf(execution, 'second').return_value).toEqual({ b: 2 });
});
