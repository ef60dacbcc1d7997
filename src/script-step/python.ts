import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { handlerSource } from './python-handler.ts';
import { eachLine } from './lines.ts';
import type { Script, StepDollar } from './script.ts';

/** What the script asks for: one line of JSON each; `id` wants a reply. */
interface Request {
  readonly id?: number;
  readonly do: string;
  readonly name?: string;
  readonly given?: readonly unknown[];
}

/** `await`ed calls of a data store, by the names that Python's dict has. */
interface DataStore {
  get(key: unknown): Promise<unknown>;
  set(key: unknown, value: unknown, options?: { readonly ttl?: unknown }): Promise<void>;
  has(key: unknown): Promise<boolean>;
  delete(key: unknown): Promise<void>;
  clear(): Promise<void>;
  keys(): Promise<string[]>;
  entries(): Promise<[string, unknown][]>;
}

/**
 * Runs `handler(pd)`. Resolves with what it returned; rejects with a PythonError whose stack is the traceback.
 * The child ends with this process, however that ends: it waits for the end of a pipe.
 */
export async function runPython(
  script: Script,
  props: Readonly<Record<string, unknown>>,
  steps: Readonly<Record<string, unknown>>,
  $: StepDollar,
): Promise<unknown> {
  const stores = new Map<string, DataStore>();
  const inputs: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(props)) {
    if (isDataStore(value)) {
      stores.set(name, value);
      inputs[name] = { __data_store: name };
    } else if (isApp(value)) inputs[name] = { $auth: value.$auth };
    else inputs[name] = value;
  }
  const child = spawn(script.program, ['-u', '-c', handlerSource], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
    env: { ...process.env, PYTHONIOENCODING: 'utf-8', PYTHONDONTWRITEBYTECODE: '1' },
  });
  const [, stdout, stderr, from, to] = child.stdio as [
    null,
    Readable,
    Readable,
    Readable,
    Writable,
  ];
  to.on('error', () => undefined);
  const say = (value: unknown): void => void to.write(`${JSON.stringify(value)}\n`);
  const { file, code } = script;
  say({ file, code, steps, inputs, context: $.context });
  let end:
    | { returned?: unknown; error?: { name: string; message: string; trace: string } }
    | undefined;
  const told = eachLine(from, (line) => {
    const request = JSON.parse(line) as Request;
    const { id } = request;
    if (request.do === 'end') {
      end = (request.given?.[0] ?? {}) as typeof end;
      return;
    }
    answer(request, $, stores).then(
      (value) => {
        if (id !== undefined) say({ id, value: value ?? null });
      },
      (error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        if (id !== undefined) say({ id, error: message });
      },
    );
  });
  const printed = [
    eachLine(stdout, (line) => console.log(line)),
    eachLine(stderr, (line) => console.error(line)),
  ];
  const exit = await new Promise<{ code: number | null; signal: string | null }>(
    (resolve, reject) => {
      child.on('error', reject);
      child.on('close', (exitCode, signal) => resolve({ code: exitCode, signal }));
    },
  );
  await Promise.all([told, ...printed]);
  if (end?.error !== undefined) throw pythonError(end.error);
  if (end === undefined) {
    const how = exit.signal === null ? `with code ${exit.code}` : `by ${exit.signal}`;
    throw new Error(`The Python process ended ${how} before the handler returned.`);
  }
  return end.returned ?? undefined;
}

async function answer(
  { do: what, name = '', given = [] }: Request,
  $: StepDollar,
  stores: ReadonlyMap<string, DataStore>,
): Promise<unknown> {
  switch (what) {
    case 'export':
      $.export(name, given[0]);
      return undefined;
    case 'respond':
      return $.respond(given[0]);
    case 'flow':
      return $.flow[name]?.(...given);
    case 'send':
      return $.send[name]?.(given[0]);
    case 'store': {
      const store = stores.get(name);
      if (store === undefined) throw new Error(`There is no data store ${name}.`);
      return callStore(store, given);
    }
    default:
      throw new Error(`Python asked for "${what}", which does not exist.`);
  }
}

async function callStore(
  store: DataStore,
  [call, key, value]: readonly unknown[],
): Promise<unknown> {
  switch (call) {
    case 'get':
      return (await store.has(key)) ? { value: await store.get(key) } : null;
    case 'set':
      return store.set(key, value);
    case 'delete':
      return store.delete(key);
    case 'clear':
      return store.clear();
    case 'keys':
      return store.keys();
    case 'entries':
      return store.entries();
    default:
      throw new Error(`A data store has no "${String(call)}".`);
  }
}

function isDataStore(value: unknown): value is DataStore {
  return (
    typeof value === 'object' &&
    value !== null &&
    Symbol.asyncIterator in value &&
    'setTtl' in value
  );
}

function isApp(value: unknown): value is { readonly $auth: unknown } {
  return typeof value === 'object' && value !== null && '$auth' in value;
}

function pythonError({
  name,
  message,
  trace,
}: {
  name: string;
  message: string;
  trace: string;
}): Error {
  const error = new Error(message);
  error.name = name;
  error.stack = trace;
  return error;
}
