/** One real runtime for the tests of a file, and the few calls they all make. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll } from 'vitest';
import type {
  EmittedEvent,
  LogLine,
  Page,
  Result,
  Source,
} from '../../../src/protocol/catalogue.ts';
import { type AtEnd, atEndOfSuite } from '../../support/at-end.ts';
import { sourceFile, temporaryFolder } from '../../support/folder.ts';
import { type RestAnswer, startRuntime, type TestRuntime } from '../../support/runtime.ts';
import { until } from '../../support/until.ts';

export type Run = Result<'sources.invoke'>;

export class World {
  runtime!: TestRuntime;
  /** Holds the runtime's data and its key; the same folder again is a restart. */
  folder!: string;
  #files = 0;
  readonly #atEnd: AtEnd;
  readonly #args: readonly string[];

  constructor(args: readonly string[], atEnd: AtEnd) {
    this.#args = args;
    this.#atEnd = atEnd;
  }

  async open(): Promise<void> {
    this.folder = temporaryFolder(this.#atEnd);
    await this.start();
  }

  /** Starts the runtime again, on what the one before it left. */
  async start(): Promise<void> {
    this.runtime = await startRuntime({
      folder: this.folder,
      args: this.#args,
      atEnd: this.#atEnd,
    });
  }

  /** Connects an account with the key `key-1`; as the value of a prop. */
  async account(app: string): Promise<{ authProvisionId: string }> {
    const { id } = await this.runtime.restData<{ id: string }>('POST', '/v1/accounts', {
      app,
      credentials: { api_key: 'key-1' },
    });
    return { authProvisionId: id };
  }

  /** Code as a file in a folder of its own; with more files beside it, by name. */
  async file(code: string, beside: Readonly<Record<string, string>> = {}): Promise<string> {
    this.#files += 1;
    const folder = join(this.folder, `component-${this.#files}`);
    await mkdir(folder, { recursive: true });
    for (const [name, text] of Object.entries(beside)) await sourceFile(folder, name, text);
    return sourceFile(folder, 'component.mjs', code);
  }

  /** Deploys code. */
  async deploy(code: string, more: object = {}): Promise<Source> {
    const component_path = await this.file(code);
    return this.runtime.restData<Source>('POST', '/v1/sources', { component_path, ...more });
  }

  /** A deploy that may be refused. */
  async tryDeploy(code: string, more: object = {}): Promise<RestAnswer> {
    const component_path = await this.file(code);
    return this.runtime.rest('POST', '/v1/sources', { component_path, ...more });
  }

  /** Runs a source by hand and waits for its end, however it ended. */
  run({ id }: Pick<Source, 'id'>, event?: unknown): Promise<Run> {
    const body = event === undefined ? {} : { event };
    return this.runtime.restData<Run>('POST', `/v1/sources/${id}/invocations`, body);
  }

  /** The payloads that one run emitted, in order. */
  async emitted(source: Pick<Source, 'id'>, event?: unknown): Promise<unknown[]> {
    const run = await this.run(source, event);
    if (run.status !== 'succeeded') throw new Error(run.error?.stack ?? run.status);
    return run.emitted.filter(({ dropped }) => dropped === null).map((emit) => emit.event);
  }

  /** Everything it has emitted, oldest first. */
  async events({ id }: Pick<Source, 'id'>, query = ''): Promise<EmittedEvent[]> {
    const path = `/v1/sources/${id}/event_summaries?expand=event&limit=100${query}`;
    const { body } = await this.runtime.rest('GET', path);
    return (body as Page<EmittedEvent>).data.toReversed();
  }

  /** Waits until it has emitted so many events. */
  eventually(source: Pick<Source, 'id'>, count: number): Promise<EmittedEvent[]> {
    return until(`${count} events`, async () => {
      const events = await this.events(source);
      return events.length >= count && events;
    });
  }

  /** Its newest log lines, oldest first. */
  async logs({ id }: Pick<Source, 'id'>, kind?: LogLine['kind']): Promise<string[]> {
    const { body } = await this.runtime.rest('GET', `/v1/sources/${id}/logs?limit=100`);
    const lines = (body as Page<LogLine>).data.toReversed();
    return lines.filter((line) => kind === undefined || line.kind === kind).map(({ text }) => text);
  }
}

/** Call once, at the top of a test file. */
export function conformanceWorld(...args: string[]): World {
  const world = new World(args, atEndOfSuite());
  beforeAll(() => world.open());
  return world;
}

/** The URL of a source that has an HTTP interface. */
export function endpointOf({ name, endpoint_url: url }: Source): string {
  if (url === null) throw new Error(`${name} has no endpoint`);
  return url;
}

/** A refusal as REST tells it. */
export function refusal({ status, body }: RestAnswer): {
  status: number;
  code: string;
  error: string;
  details?: { message: string; prop?: string; [key: string]: unknown }[];
} {
  return { status, ...(body as { code: string; error: string }) };
}
