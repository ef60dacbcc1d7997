/** Values that steps hand on and arguments that they give, at the edges of what arrives. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { useRuntime } from '../../support/runtime.ts';
import { needsProgram } from '../support/not-run.ts';
import { until } from '../../support/until.ts';
import type { WholeExecution } from '../../../src/protocol/catalogue.ts';
import { deployWorkflow, logsOf, runWorkflow, stepOf } from './script-files.ts';

const runtime = useRuntime();

/** Runs steps, each a whole file. */
async function ran(files: Readonly<Record<string, string>>, steps: readonly object[] = []) {
  const uses = Object.keys(files).map((file) => ({
    namespace: file.split('.')[0],
    uses: `./${file}`,
  }));
  const workflow = await deployWorkflow(runtime, { steps: [...uses, ...steps], files });
  return runWorkflow(runtime, workflow);
}
const moduleOf = (run: string) =>
  `export default defineComponent({ async run({ steps, $ }) { ${run} } });`;

describe('in Python', () => {
  beforeEach((context) => needsProgram('python3', context));
  const returned = async (code: string) =>
    stepOf(await ran({ 'code.py': code }), 'code').return_value;

  test.for([
    [
      'dataclasses with annotations of the future',
      `from __future__ import annotations
from dataclasses import dataclass
@dataclass
class Item:
    id: int
    note: str | None = None
def handler(pd):
    return Item(1)`,
      { id: 1, note: null },
    ],
    [
      'dataclasses with an annotation in quotes',
      `from dataclasses import dataclass, field
@dataclass
class Item:
    id: "int"
    all: "list" = field(default_factory=list)
def handler(pd):
    return Item(1)`,
      { id: 1, all: [] },
    ],
    [
      'pickles of its own classes',
      `import pickle
class Item:
    def __init__(self): self.id = 1
def handler(pd):
    return pickle.loads(pickle.dumps(Item())).id`,
      1,
    ],
    [
      'an async handler',
      `import asyncio\nasync def handler(pd):\n    await asyncio.sleep(0)\n    return 1`,
      1,
    ],
    ['an async generator', `async def handler(pd):\n    yield 1\n    yield 2`, [1, 2]],
    ['a generator', `def handler(pd):\n    yield 1\n    yield 2`, [1, 2]],
    [
      'a future',
      `import asyncio\ndef handler(pd):\n    async def one(): return 1\n    return one()`,
      1,
    ],
  ] as const)('%s', async ([, code, value]) => {
    expect(await returned(code)).toEqual(value);
  });

  test('what an async handler throws is its error', async () => {
    const execution = await ran({
      'code.py': `async def handler(pd):\n    raise ValueError("no")`,
    });
    expect(execution).toMatchObject({
      status: 'failed',
      error: { name: 'ValueError', message: 'code: no' },
    });
  });

  test('whole numbers beyond 2**53 are handed on as text, with a warning', async () => {
    const execution = await ran({
      'one.py': `def handler(pd):
    pd.export("neg", -9007199254740993)
    pd.export("in", {"list": [2**70, 2**53 - 1, 0.1234567890123456789, True]})
    return {"id": 1234567890123456789, "text": "1234567890123456789"}`,
      'two.py': `def handler(pd):
    return int(pd.steps["one"]["$return_value"]["id"]) == 1234567890123456789`,
    });
    const one = stepOf(execution, 'one');
    expect(one.return_value).toEqual({ id: '1234567890123456789', text: '1234567890123456789' });
    expect(one.exports).toMatchObject({
      neg: '-9007199254740993',
      in: { list: ['1180591620717411303424', 9007199254740991, 0.12345678901234568, true] },
    });
    expect(stepOf(execution, 'two').return_value).toBe(true);
    const told = logsOf(one).join('\n');
    expect(told).toContain('are handed on as text, such as -9007199254740993');
  });

  test('a key that a data store does not have is a KeyError and a TypeError', async () => {
    const workflow = await deployWorkflow(runtime, {
      steps: [
        {
          namespace: 'code',
          uses: './code.py',
          props: {
            __configurableProps: [{ name: 'store', type: 'data_store' }],
            store: { storeId: 'values' },
          },
        },
      ],
      files: {
        'code.py': `def handler(pd):
    store = pd.inputs["store"]
    found = []
    def delete(): del store["never_set"]
    for kind in (KeyError, TypeError):
        for work in (lambda: store["never_set"], lambda: store.pop("never_set"), delete):
            try:
                work()
            except kind as error:
                found.append(type(error).__name__ + str(error))
    return found`,
      },
    });
    expect(stepOf(await runWorkflow(runtime, workflow), 'code').return_value).toEqual(
      Array.from({ length: 6 }, () => "KeyError'never_set'"),
    );
  });
});

test('an export with a getter that throws, and a toJSON that throws, keep the rest', async () => {
  const execution = await ran({
    'code.mjs': moduleOf(
      `$.export('e', { a: 1, get b() { throw new Error('getter'); } });
       return { c: 2, d: { e: 3, toJSON() { throw new Error('no'); } } };`,
    ),
  });
  expect(stepOf(execution, 'code')).toMatchObject({
    status: 'succeeded',
    exports: { e: { a: 1 } },
    return_value: { c: 2, d: { e: 3 } },
  });
});

describe('$.flow.rerun', () => {
  test.for([
    [`'2'`, 3],
    ['2', 3],
    ['0', 1],
  ] as const)('of at most %s retries', async ([most, runs]) => {
    const execution = await ran({ 'code.mjs': moduleOf(`$.flow.rerun(1, null, ${most})`) });
    const ended = await until('the execution to end', async () => {
      const now = await runtime.restData<WholeExecution>('GET', `/v1/executions/${execution.id}`);
      return now.status === 'succeeded' && now;
    });
    expect(ended.steps).toHaveLength(runs);
  });
  test.for(['NaN', 'Infinity', 'true', '-1', '1.5', `'many'`, `''`, '{}'])(
    'refuses %s retries',
    async (most) => {
      const execution = await ran({ 'code.mjs': moduleOf(`$.flow.rerun(1, null, ${most})`) });
      expect(execution.status).toBe('failed');
      expect(execution.error?.message).toContain('a whole number from 0');
    },
  );
});

describe('.env', () => {
  const read = moduleOf('return process.env.FIRST ?? null');
  test.for([
    ['a byte order mark', Buffer.from('\uFEFFFIRST=bom\nSECOND=two\n'), 'bom'],
    ['UTF-16', Buffer.from('\uFEFFFIRST=utf16\r\n', 'utf16le'), 'utf16'],
    ['UTF-16, the other way round', Buffer.from('\uFEFFFIRST=be\n', 'utf16le').swap16(), 'be'],
    ['lines that end with CR', Buffer.from('ZERO=0\rFIRST=cr\rSECOND=two\r'), 'cr'],
  ] as const)('with %s', async ([, bytes, value]) => {
    await writeFile(join(runtime.folder, '.env'), bytes);
    const workflow = await deployWorkflow(runtime, {
      steps: [{ namespace: 'code', uses: './code.mjs' }],
      files: { 'code.mjs': read },
    });
    await expect
      .poll(async () => stepOf(await runWorkflow(runtime, workflow), 'code').return_value, {
        interval: 300,
        timeout: 45_000,
      })
      .toBe(value);
  });
  test('that is not text is told of', async () => {
    await writeFile(join(runtime.folder, '.env'), Buffer.from('FIRST=one\n', 'utf16le'));
    const workflow = await deployWorkflow(runtime, {
      steps: [{ namespace: 'code', uses: './code.mjs' }],
      files: { 'code.mjs': read },
    });
    await expect
      .poll(
        async () => {
          await runWorkflow(runtime, workflow);
          return runtime.output();
        },
        { interval: 300, timeout: 45_000 },
      )
      .toContain('.env is not text');
  });
});

test('a stream of another class goes into a file; a file that is not there is empty', async () => {
  const execution = await ran({
    'code.mjs': moduleOf(
      `const { EventEmitter } = await import('node:events');
       const stream = Object.assign(new EventEmitter(), { pipe() {}, pause() {}, resume() {} });
       setTimeout(() => { stream.emit('data', Buffer.from('ab')); stream.emit('end'); }, 50);
       const file = await $.files.open('o.txt').fromReadableStream(stream);
       const parts = await $.files.open('p.txt').fromReadableStream(['c', 'd']);
       return [await file.toEncodedString(), await parts.toEncodedString(), (await $.files.open('never').toBuffer()).length];`,
    ),
  });
  expect(stepOf(execution, 'code').return_value).toEqual(['ab', 'cd', 0]);
});
