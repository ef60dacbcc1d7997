/** A package, as the runtime made it, goes to an npm registry through the user's own npm. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import type { Result } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { Tools } from '../cli.ts';
import { runNpm, type NpmRun } from './npm.ts';
import { npmError, npmFailure } from './npm-error.ts';
import { provenanceIn } from './provenance.ts';
import { registryFlags, scopeOf, type Target } from './target.ts';

export type PackedPackage = Result<'components.pack'>;

export interface PublishedPackage {
  readonly package: string;
  readonly version: string;
  readonly registry: string;
  readonly status: 'published' | 'unchanged';
  /** Integrity of the tarball, as npm writes it. */
  readonly integrity: string;
  readonly provenance: boolean;
}

/**
 * @throws WeirError `conflict` with both hashes when other code is there under the same version, and what npm says
 *   when it refuses
 */
export async function publishTo(
  target: Target,
  packed: PackedPackage,
  tools: Tools,
  maySign: boolean,
): Promise<PublishedPackage> {
  const { name, version, manifest } = packed;
  const folder = await mkdtemp(join(tmpdir(), 'weir-publish-'));
  try {
    const staged = join(folder, 'package');
    await stage(staged, packed);
    const npm = new PackageNpm(target, packed, folder, tools);
    const registry = await npm.registry();
    tools.out.progress(`Asking ${registry} for ${name} ${version}`);
    const there = await npm.integrityThere(registry);
    const { integrity } = await npm.pack();
    const answer = { package: name, version, registry, integrity };
    if (there !== undefined) {
      if (there !== integrity) await npm.requireSame(there, integrity, registry);
      return { ...answer, integrity: there, status: 'unchanged', provenance: false };
    }
    const { access } = manifest.publishConfig ?? {};
    const isPublic = access === 'public' || (access === undefined && scopeOf(name) === undefined);
    const { isSigned, note } = provenanceIn(tools.io.env, isPublic);
    tools.out.progress(`Publishing ${name} ${version} to ${registry}`);
    await npm.publish(registry, maySign && isSigned);
    if (maySign && note !== undefined) tools.out.note(note);
    return { ...answer, status: 'published', provenance: maySign && isSigned };
  } finally {
    tools.out.endProgress();
    await rm(folder, { recursive: true, force: true });
  }
}

export interface Removal {
  /** Why nobody should take it: it stays there. */
  readonly reason: string | undefined;
  /** Whether the package may go with it. */
  readonly mayBeLast: boolean;
}

/**
 * Takes a version out of a registry, or, with a reason, leaves it there for those who have it and has npm warn others.
 * @returns URL of the registry
 */
export async function removeVersion(
  target: Target,
  which: { readonly name: string; readonly version: string },
  how: Removal,
  tools: Tools,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-publish-'));
  try {
    const npm = new PackageNpm(target, which, folder, tools);
    const registry = await npm.registry();
    tools.out.progress(`Telling ${registry}`);
    await npm.remove(registry, how);
    return registry;
  } finally {
    tools.out.endProgress();
    await rm(folder, { recursive: true, force: true });
  }
}

async function stage(folder: string, { files }: PackedPackage): Promise<void> {
  for (const { path, data } of files) {
    const target = resolve(folder, path);
    if (!target.startsWith(folder + sep)) throw new Error(`${path} is outside of the package.`);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, Buffer.from(data, 'base64'));
  }
}

class PackageNpm {
  readonly #flags: readonly string[];
  readonly #scope: string | undefined;
  readonly #target: Target;
  readonly #which: Pick<PackedPackage, 'name' | 'version'>;
  readonly #folder: string;
  readonly #tools: Tools;

  /** @param folder outside of the workspace, whose own `.npmrc` has no say in where a package goes */
  constructor(
    target: Target,
    which: Pick<PackedPackage, 'name' | 'version'>,
    folder: string,
    tools: Tools,
  ) {
    this.#target = target;
    this.#which = which;
    this.#folder = folder;
    this.#tools = tools;
    this.#scope = scopeOf(which.name);
    this.#flags = registryFlags(target, this.#scope);
  }

  /** Its URL. */
  async registry(): Promise<string> {
    if (this.#target.url !== undefined) return this.#target.url;
    const asked = this.#scope === undefined ? [] : [`${this.#scope}:registry`];
    for (const name of [...asked, 'registry']) {
      const { stdout } = await this.#run(['config', 'get', name]);
      const url = stdout.trim();
      if (url !== '' && url !== 'undefined') return url;
    }
    return 'The npm registry';
  }

  /** Integrity of this version at the registry; undefined if it is not there. */
  async integrityThere(registry: string): Promise<string | undefined> {
    const run = await this.#run(['view', this.#spec, 'dist.integrity', '--json']);
    const failure = npmFailure(run.stderr);
    if (run.code !== 0 && failure.code === 'E404') return undefined;
    if (run.code !== 0) throw npmError(failure, `look for ${this.#named}`, registry, this.#scope);
    // npm prints nothing for a version that is not among those of a package.
    const text = run.stdout.trim();
    return text === '' ? undefined : (JSON.parse(text) as string);
  }

  /** Integrity of the package as it would be published. */
  async pack(): Promise<{ readonly integrity: string }> {
    const run = await this.#run(['pack', './package', '--json', '--dry-run']);
    if (run.code !== 0)
      throw npmError(npmFailure(run.stderr), `pack ${this.#named}`, 'npm', undefined);
    const answer: unknown = JSON.parse(run.stdout);
    const [made] = Object.values(answer as Record<string, { integrity: string }>);
    if (made === undefined) throw new WeirError('registry_failed', 'npm pack made no package.');
    return made;
  }

  /** Two versions of npm make other bytes of the same files. @throws WeirError `conflict` */
  async requireSame(there: string, here: string, registry: string): Promise<void> {
    const run = await this.#run([
      'diff',
      `--diff=${this.#spec}`,
      '--diff=file:./package',
      '--diff-name-only',
    ]);
    const changed = run.stdout.trim();
    if (run.code === 0 && changed === '') return;
    const files = changed === '' ? '' : ` Other than there: ${changed.split('\n').join(', ')}.`;
    throw new WeirError(
      'conflict',
      `${registry} has other code as ${this.#named}: ${there} there, ${here} here. Raise "version" in package.json.${files}`,
      [{ message: 'Other code under the same version.', there, here }],
    );
  }

  async publish(registry: string, isSigned: boolean): Promise<void> {
    const { version } = this.#which;
    const flags = [
      // For a new name, npm signs only packages that are explicitly public.
      ...(isSigned ? ['--provenance', '--access=public'] : []),
      // npm requires a tag for a pre-release version.
      ...(version.includes('-') ? ['--tag=next'] : []),
    ];
    const run = await this.#run(['publish', './package', ...flags], true);
    if (run.code === 0) return;
    throw npmError(npmFailure(run.stderr), `publish ${this.#named}`, registry, this.#scope);
  }

  async remove(registry: string, { reason, mayBeLast }: Removal): Promise<void> {
    const there = await this.integrityThere(registry);
    if (there === undefined) throw new WeirError('not_found', `${registry} has no ${this.#named}.`);
    const args =
      reason === undefined
        ? ['unpublish', this.#spec, ...(mayBeLast ? ['--force'] : [])]
        : ['deprecate', this.#spec, reason];
    const run = await this.#run(args, true);
    if (run.code === 0) return;
    const failure = npmFailure(run.stderr);
    if (failure.summary.includes('last version')) {
      throw new WeirError(
        'conflict',
        `${this.#named} is the only version of the package, which would go with it: --last removes both, --deprecate "REASON" leaves them there with a warning.`,
      );
    }
    const doing = `${reason === undefined ? 'unpublish' : 'deprecate'} ${this.#named}`;
    throw npmError(failure, doing, registry, this.#scope);
  }

  get #spec(): string {
    return `${this.#which.name}@${this.#which.version}`;
  }

  get #named(): string {
    return `${this.#which.name} ${this.#which.version}`;
  }

  #run(args: readonly string[], mayAsk = false): Promise<NpmRun> {
    const { io, interrupted } = this.#tools;
    return runNpm(io, [...args, ...this.#flags], {
      cwd: this.#folder,
      signal: interrupted,
      mayAsk,
    });
  }
}
