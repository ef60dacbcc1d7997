import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll } from 'vitest';
import type {
  ConsoleLine,
  HostConfiguration,
  HostResponse,
  Produced,
  ThrownError,
  Work,
} from '../../src/protocol/host.ts';
import type { Host, HostOptions, Hosts, ProcessExit } from '../../src/runtime/processes/host.ts';
import { createHosts, type HostsOptions } from '../../src/runtime/processes/hosts.ts';
import { atEndOfSuite } from '../support/at-end.ts';
import { temporaryFolder } from '../support/folder.ts';

export const limits = { memoryMb: 256, timeoutMs: 30_000, outputMb: 64 };

export const folder = temporaryFolder(atEndOfSuite());

/** Builds the entry as scripts/build.mts does, so that tests depend on no earlier build. */
export async function hostEntry(): Promise<string> {
  await build({
    entryPoints: { 'component-host': 'src/component/host/main.ts' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    outdir: folder,
    logLevel: 'warning',
  });
  return join(folder, 'component-host.js');
}

let files = 0;
/** A component as a file of its own; returns its path. */
export function component(code: string, extension = '.mjs'): string {
  files += 1;
  const path = join(folder, `component-${files}${extension}`);
  writeFileSync(path, code);
  return path;
}

/** A pool that ends with the test file. */
export async function hostsFor(options: Partial<HostsOptions> = {}): Promise<Hosts> {
  const hosts = createHosts({
    entry: await hostEntry(),
    execPath: process.execPath,
    env: process.env,
    ...options,
  });
  afterAll(() => hosts.close());
  return hosts;
}

export interface Started {
  readonly host: Host;
  /** Console lines outside any invocation. */
  readonly outside: ConsoleLine[];
  readonly ended: Promise<ProcessExit | null>;
}

/** Starts a component given as code, or as the path of a file, and configures it. */
export async function start(
  hosts: Hosts,
  code: string,
  configuration: Partial<HostConfiguration> = {},
  options: Partial<HostOptions> = {},
): Promise<Started> {
  const outside: ConsoleLine[] = [];
  let end: (loss: ProcessExit | null) => void = () => {};
  const ended = new Promise<ProcessExit | null>((resolve) => {
    end = resolve;
  });
  const bundle = code.startsWith('/') ? code : component(code);
  const host = await hosts.start({
    bundle,
    sourceId: 'dc_test123',
    limits,
    onLog: (lines) => outside.push(...lines),
    onEnd: end,
    ...options,
  });
  host.configure({
    sourceId: 'dc_test123',
    props: {},
    accounts: {},
    endpoints: {},
    db: {},
    ...configuration,
  });
  return { host, outside, ended };
}

export interface Outcome {
  readonly emits: Produced['emits'][number][];
  readonly db: Produced['db'][number][];
  readonly logs: ConsoleLine[];
  readonly exports: Produced['exports'][number][];
  readonly responses: HostResponse[];
  /** How many messages brought it. */
  messages: number;
  error?: ThrownError;
  result?: string;
  loss?: ProcessExit;
}

let numbers = 0;

/** Does one piece of work and collects everything it produced. */
export function perform(host: Host, work: Work, onProgress?: () => void): Promise<Outcome> {
  numbers += 1;
  const n = numbers;
  const outcome: Outcome = { emits: [], db: [], logs: [], exports: [], responses: [], messages: 0 };
  const take = (produced: Partial<Produced>): void => {
    outcome.messages += 1;
    outcome.emits.push(...(produced.emits ?? []));
    outcome.db.push(...(produced.db ?? []));
    outcome.logs.push(...(produced.logs ?? []));
    outcome.exports.push(...(produced.exports ?? []));
  };
  return new Promise((resolve) => {
    host.work(n, work, {
      progress(produced) {
        take(produced);
        onProgress?.();
      },
      respond: (response) => void outcome.responses.push(response),
      done(end) {
        take(end);
        if (end.error !== undefined) outcome.error = end.error;
        if (end.result !== undefined) outcome.result = end.result;
        resolve(outcome);
      },
      lost(loss) {
        outcome.loss = loss;
        resolve(outcome);
      },
    });
  });
}

export function event(value: unknown = {}): Work {
  return { call: 'run', trigger: { kind: 'event', json: JSON.stringify(value) } };
}

export function request(
  body: string,
  headers: Record<string, string> = {},
  overrides: Partial<{
    prop: string;
    method: string;
    path: string;
    query: string;
    bytes: Uint8Array;
  }> = {},
): Work {
  const { prop = 'http', method = 'POST', path = '/', query = '', bytes } = overrides;
  return {
    call: 'run',
    trigger: {
      kind: 'http',
      prop,
      method,
      url: `http://127.0.0.1:9999/h/hi_1234567${path}${query === '' ? '' : `?${query}`}`,
      path,
      query,
      headers,
      clientIp: '127.0.0.1',
      body: bytes ?? Buffer.from(body),
    },
  };
}

/** What a run emitted, as values. */
export function emitted(outcome: Outcome): unknown[] {
  if (outcome.error !== undefined)
    throw new Error(`${outcome.error.message}\n${outcome.error.stack}`);
  if (outcome.loss !== undefined) throw new Error(outcome.loss.message);
  return outcome.emits.map((emit) => JSON.parse(emit.event) as unknown);
}

/** Runs a component with an empty event, in a process of its own, and returns what it emitted. */
export function emittedOn(hosts: Hosts) {
  return async (code: string, configuration: Parameters<typeof start>[2] = {}) => {
    const { host } = await start(hosts, code, configuration);
    return emitted(await perform(host, event({})));
  };
}
