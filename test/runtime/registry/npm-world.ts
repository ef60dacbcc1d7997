/** One real npm registry for the tests of a file, its author, and the machines of those who use what is in it. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll } from 'vitest';
import type { Result, Source } from '../../../src/protocol/catalogue.ts';
import { type AtEnd, atEndOfSuite, atEndOfTest } from '../../support/at-end.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { runNpm, startNpmRegistry, type TestRegistry } from '../../support/npm-registry.ts';
import { publishToNpm } from '../../support/npm-tarball.ts';
import { startRuntime, type TestRuntime } from '../../support/runtime.ts';

export interface Published {
  readonly name: string;
  readonly version: string;
  readonly key: string;
  readonly componentVersion?: string;
  readonly says?: string;
  /** An expression for what it emits; what it says without one. */
  readonly emits?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
  /** Put over the component of the map. */
  readonly claim?: Readonly<Record<string, unknown>>;
  /** Put over `package.json`. */
  readonly manifest?: Readonly<Record<string, unknown>>;
  readonly host?: string;
  /** Instead of `latest`. */
  readonly tag?: string;
}

export interface Colleague {
  readonly runtime: TestRuntime;
  readonly folder: string;
}

export interface ColleagueOptions {
  /** More arguments of `weir serve`. */
  readonly args?: readonly string[];
  /** Text of a lock that is there already. */
  readonly lock?: string;
  /** Of a user of the registry; a stranger without one. */
  readonly token?: string;
  /** An npm cache of its own, that is empty at first. */
  readonly ownCache?: boolean;
  /** Files of the workspace that are there already, by path; npm and Weir are started in it. */
  readonly files?: Readonly<Record<string, string>>;
  /** It ends with the test, or with what this says. */
  readonly atEnd?: AtEnd;
  /** More lines of the user's `.npmrc`. */
  readonly npmrc?: string;
}

export class NpmWorld {
  registry!: TestRegistry;
  /** Of the author. */
  token!: string;
  /** Files that components write when they are run, and scripts when npm runs them. */
  canaries!: string;
  #author!: Record<string, string>;
  #environment!: Record<string, string>;
  readonly #atEnd = atEndOfSuite();

  async open(): Promise<void> {
    this.registry = await startNpmRegistry({ atEnd: this.#atEnd });
    this.token = await this.registry.addUser('ann');
    this.#author = this.registry.environment(this.registry.npmrc(this.token));
    this.#environment = this.registry.environment(this.registry.npmrc());
    this.canaries = temporaryFolder(this.#atEnd);
  }

  canaryOf(name: string): string {
    return join(this.canaries, name);
  }

  /** As `weir publish` writes it, and with whatever a stranger may write instead. */
  publish(one: Published, token?: string): Promise<void> {
    const { name, version, key, componentVersion = '0.1.0', says = 'hello', host = 'api' } = one;
    const [app = '', rest = ''] = key.split(/-(.*)/s);
    const file = `sources/${rest}/${rest}.mjs`;
    const imports = Object.keys(one.dependencies ?? {}).map(
      (of, index) => `import dependency${index} from '${of}';\n`,
    );
    const code = `${imports.join('')}import { writeFileSync } from 'node:fs';
writeFileSync(${JSON.stringify(this.canaryOf(key))}, 'ran');
export default { key: '${key}', name: 'New thing', version: '${componentVersion}', type: 'source',
  run() { this.$emit(${one.emits ?? `'${says}'`}); return 'https://${host}.acme.test/'; } };`;
    const component = { file, type: 'source', version: componentVersion, name: 'New thing' };
    const manifest = {
      name,
      version,
      description: `weir components of ${app}`,
      license: 'MIT',
      keywords: ['weir-component', `weir-app-${app}`],
      weir: { schema: 1, components: { [key]: { ...component, ...one.claim } } },
      ...(one.dependencies && { dependencies: one.dependencies }),
      ...(one.scripts && { scripts: one.scripts }),
      ...one.manifest,
    };
    const files = {
      'package.json': JSON.stringify(manifest),
      'README.md': `# ${name}`,
      [file]: code,
    };
    return this.publishFiles(files, one.tag, token);
  }

  /** As `npm publish` does, which test/runtime/registry/npm-registry.test.ts runs itself. @param files by path */
  publishFiles(
    files: Readonly<Record<string, string>>,
    tag = 'latest',
    token = this.token,
  ): Promise<void> {
    return publishToNpm(this.registry.url, token, files, tag);
  }

  /** As the author, or as who has the token. */
  async npm(args: readonly string[], folder = temporaryFolder(), token?: string): Promise<string> {
    const as =
      token === undefined
        ? this.#author
        : { ...this.#author, npm_config_userconfig: this.registry.npmrc(token) };
    const run = await runNpm(folder, args, as);
    if (run.code !== 0) throw new Error(run.stderr);
    return run.stdout;
  }

  unpublish(spec: string): Promise<string> {
    return this.npm(['unpublish', spec, '--force']);
  }

  /** Somebody else's machine: a user and a workspace of their own. */
  async colleague(options: ColleagueOptions = {}): Promise<Colleague> {
    const { atEnd = atEndOfTest } = options;
    const folder = temporaryFolder(atEnd);
    const { args = [], lock, token, ownCache = false, npmrc, files = {} } = options;
    for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text);
    if (lock !== undefined) await writeFile(join(folder, 'weir.lock.json'), lock);
    const userconfig = this.registry.npmrc(token);
    if (npmrc !== undefined) await writeFile(userconfig, npmrc, { flag: 'a' });
    const env = ownCache
      ? this.registry.environment(userconfig)
      : { ...this.#environment, npm_config_userconfig: userconfig };
    const runtime = await startRuntime({
      folder,
      cwd: folder,
      env,
      args: ['--set', 'registry.minimumAgeDays=0', ...args],
      atEnd,
    });
    await runtime.weirJson('registry', 'add', `npm:${this.registry.url}`, '--name', 'acme');
    return { runtime, folder };
  }
}

/** Call once, at the top of a test file. */
export function npmWorld(): NpmWorld {
  const world = new NpmWorld();
  beforeAll(() => world.open(), 120_000);
  return world;
}

/** What one run of a source emits. */
export async function emitted(runtime: TestRuntime, { id }: Source): Promise<unknown[]> {
  const run = await runtime.restData<Result<'sources.invoke'>>(
    'POST',
    `/v1/sources/${id}/invocations`,
  );
  if (run.status !== 'succeeded') throw new Error(run.error?.stack ?? run.status);
  return run.emitted.map(({ event }) => event);
}

export const lockOf = (folder: string): Promise<string> =>
  readFile(join(folder, 'weir.lock.json'), 'utf8');
