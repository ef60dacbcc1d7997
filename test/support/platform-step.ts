/**
 * A stand-in for the platform's environment of a Node.js step, as far as its documents say what that is: app props with `$auth`,
 * data stores, `$.files`, `$.respond`, `$.export`, and limits of time and size. It runs in any Node.js from version 20 on, so
 * that it imports nothing of the project. What the platform would keep of a run is returned.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface PlatformWorld {
  /** `$auth` by prop; a prop that is missing has no account chosen. */
  readonly accounts?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly stores?: Readonly<Record<string, readonly (readonly [string, unknown])[]>>;
  /** Base64 by path. */
  readonly files?: Record<string, string>;
  readonly env?: Readonly<Record<string, string>>;
  /** Ms after which a run is ended; 30 s as over HTTP unless given. */
  readonly timeoutMs?: number;
}

export interface PlatformRun {
  readonly exports: Readonly<Record<string, unknown>>;
  readonly returned: unknown;
  readonly logs: readonly string[];
  readonly response: { readonly status: number; readonly body: string } | undefined;
  readonly error: string | undefined;
}

/** Logs, exports and the event of a run together. */
const mostKeptBytes = 6 * 1024 * 1024;
/** Keys that a store lists at once. */
const mostListedKeys = 1024;
const usualTimeoutMs = 30_000;

/** @param fileUrl the address of a file of the File Store */
export async function runPlatformStep(
  code: string,
  world: PlatformWorld,
  event: unknown,
  fileUrl: (path: string) => string = (path) => `https://files.invalid/${path}`,
): Promise<PlatformRun> {
  const folder = await mkdtemp(join(tmpdir(), 'platform-step-'));
  const file = join(folder, 'entry.mjs');
  await writeFile(file, code);
  const logs: string[] = [];
  const exports: Record<string, unknown> = {};
  let response: PlatformRun['response'];
  Object.assign(globalThis, { defineComponent: (component: unknown) => component });
  Object.assign(process.env, world.env);
  const logged = console.log;
  console.log = (...values: unknown[]) => void logs.push(values.map(String).join(' '));
  let timer: NodeJS.Timeout | undefined;
  try {
    const { default: component } = (await import(pathToFileURL(file).href)) as {
      default: { props: Record<string, { type: string }>; run(parts: unknown): Promise<unknown> };
    };
    const self = propsOf(component.props, world);
    const $ = {
      export: (name: string, value: unknown) => void (exports[name] = value),
      respond: (given: { status: number; body: string }) => {
        response = { status: given.status, body: given.body };
        return Promise.resolve();
      },
      files: filesOf(world.files ?? {}, fileUrl),
    };
    const ended = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('Timeout')), world.timeoutMs ?? usualTimeoutMs);
    });
    const run = component.run.call(self, { steps: { trigger: { event } }, $ });
    const returned = await Promise.race([run, ended]);
    const size = JSON.stringify([exports, returned, logs, event]).length;
    if (size > mostKeptBytes) throw new Error('Function Payload Limit Exceeded');
    return { exports, returned, logs, response, error: undefined };
  } catch (error) {
    return { exports, returned: undefined, logs, response, error: String(error) };
  } finally {
    clearTimeout(timer);
    console.log = logged;
    for (const name of Object.keys(world.env ?? {})) delete process.env[name];
    await rm(folder, { recursive: true, force: true });
  }
}

function propsOf(props: Readonly<Record<string, { type: string }>>, world: PlatformWorld) {
  const self: Record<string, unknown> = {};
  for (const [name, { type }] of Object.entries(props)) {
    const auth = world.accounts?.[name];
    const records = world.stores?.[name];
    if (type === 'app' && auth !== undefined) self[name] = { $auth: auth };
    if (type === 'data_store' && records !== undefined) self[name] = storeOf(records);
  }
  return self;
}

function storeOf(records: readonly (readonly [string, unknown])[]) {
  const refuse = (): never => {
    throw new Error('Too many keys: use an async iterator.');
  };
  return {
    get: (key: string) => Promise.resolve(records.find(([one]) => one === key)?.[1]),
    keys: () =>
      records.length > mostListedKeys ? refuse() : Promise.resolve(records.map(([key]) => key)),
    entries: () => (records.length > mostListedKeys ? refuse() : Promise.resolve(records)),
    async *[Symbol.asyncIterator]() {
      // By way of JSON, as the platform keeps them.
      for (const [key, value] of records) {
        yield await Promise.resolve([key, JSON.parse(JSON.stringify(value))]);
      }
    },
  };
}

function filesOf(files: Record<string, string>, fileUrl: (path: string) => string) {
  return {
    async *dir(folder?: string) {
      await Promise.resolve();
      const start = folder === undefined ? '' : `${folder}/`;
      const seen = new Set<string>();
      for (const path of Object.keys(files)) {
        if (!path.startsWith(start)) continue;
        const [first = '', ...rest] = path.slice(start.length).split('/');
        if (seen.has(first)) continue;
        seen.add(first);
        const isFile = rest.length === 0;
        yield { path: start + first, isFile: () => isFile, isDirectory: () => !isFile };
      }
    },
    open: (path: string) => ({
      toBuffer: () => Promise.resolve(Buffer.from(files[path] ?? '', 'base64')),
      fromFile: async (from: string) =>
        void (files[path] = (await readFile(from)).toString('base64')),
      toUrl: () => Promise.resolve(fileUrl(path)),
    }),
  };
}
