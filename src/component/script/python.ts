import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute } from 'node:path';
import { dryRunOfProcess } from '../dry-run-of-process.ts';
import { ScriptChild } from './child.ts';
import { handlerSource } from './python-handler.ts';
import { dryRunVariable, redirectsSource } from './python-redirects.ts';
import { eachLine } from './lines.ts';
import type { Script, StepDollar } from './script.ts';

/** The requests of the script: one line of JSON each; `id` expects a reply. */
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
  /** Null keeps the record permanently. */
  setTtl(key: unknown, ttl: unknown): Promise<void>;
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
  if (isAbsolute(script.program) && !existsSync(script.program)) {
    throw new Error(`${script.program} is gone: deploy the workflow again.`);
  }
  const leg = tmpdir();
  const dry = dryRunOfProcess();
  const child = new ScriptChild(
    script.program,
    ['-u', '-c', `${redirectsSource}${handlerSource}`],
    {
      cwd: leg,
      pipes: 2,
      env: {
        ...process.env,
        TMPDIR: leg,
        PYTHONIOENCODING: 'utf-8',
        PYTHONDONTWRITEBYTECODE: '1',
        ...(dry !== undefined && { [dryRunVariable]: dry.url }),
      },
    },
  );
  const to = child.pipe(4);
  to.on('error', () => undefined);
  const say = (value: unknown): void => void to.write(`${JSON.stringify(value)}\n`);
  const { file, code, modules } = script;
  say({ file, code, modules, steps, inputs, context: $.context });
  let end: End | undefined;
  /** An invalid request of the script; nobody waits for its answer. */
  let failure: PythonFailure | undefined;
  const told = eachLine(child.pipe(3), (line) => {
    const request = requestOf(line);
    if (request === undefined) {
      failure ??= garbled;
      child.kill();
      return;
    }
    const { id } = request;
    if (request.do === 'end') {
      end ??= (request.given?.[0] ?? {}) as End;
      return;
    }
    if (request.do === 'held_back') {
      dry?.refuse(request.name ?? 'A connection');
      return;
    }
    answer(request, $, stores).then(
      (value) => {
        if (id !== undefined) say({ id, value: value ?? null });
      },
      (error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        if (id !== undefined) say({ id, error: message });
        else failure ??= { name: 'Error', message, trace: message };
      },
    );
  });
  const ending = await child.ended;
  await told;
  failure ??= end?.error;
  if (failure !== undefined) throw pythonError(failure);
  if (end === undefined) {
    throw new Error(`The Python process ${ending ?? 'ended'} before the handler returned.`);
  }
  return end.returned ?? undefined;
}

interface End {
  readonly returned?: unknown;
  readonly error?: PythonFailure;
}

interface PythonFailure {
  readonly name: string;
  readonly message: string;
  readonly trace: string;
}

const garbled: PythonFailure = {
  name: 'Error',
  message: 'The script wrote to the pipe that Weir talks to it over (file descriptor 3).',
  trace: 'The script wrote to the pipe that Weir talks to it over (file descriptor 3).',
};

function requestOf(line: string): Request | undefined {
  try {
    const request = JSON.parse(line) as unknown;
    return typeof request === 'object' && request !== null ? (request as Request) : undefined;
  } catch {
    return undefined;
  }
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
  [call, key, value, ttl]: readonly unknown[],
): Promise<unknown> {
  switch (call) {
    case 'get':
      return (await store.has(key)) ? { value: await store.get(key) } : null;
    case 'set':
      return store.set(key, value, ttl === undefined || ttl === null ? undefined : { ttl });
    case 'setTtl':
      return store.setTtl(key, value);
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

function pythonError({ name, message, trace }: PythonFailure): Error {
  const error = new Error(message);
  error.name = name;
  error.stack = trace;
  return error;
}
