/**
 * The user's own npm, for queries about packages: it has their tokens, proxies and certificates, and Weir touches none
 * of them. It runs in a folder of its own, so that the `.npmrc` of a workspace has no effect, and gets the registry as
 * an option.
 */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { WeirError } from '../../../protocol/errors.ts';
import { type Npm, type NpmFailure, runNpm } from '../../components/packages/npm.ts';

export interface NpmClientOptions {
  readonly npm: () => Promise<Npm>;
  /** Folder of the user's cache. */
  readonly folder: string;
}

/** The used part of `npm view` for one version. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly versions: readonly string[];
  readonly tags: Readonly<Record<string, string>>;
  /** Epoch milliseconds, by version. */
  readonly times: Readonly<Record<string, number>>;
  readonly publisher: string;
  readonly description: string | undefined;
  readonly keywords: readonly string[];
  readonly license: string | undefined;
  readonly deprecated: string | undefined;
  readonly provenance: boolean;
  readonly integrity: string | undefined;
  /** `weir` of its package.json. */
  readonly weir: unknown;
}

export interface FoundPackage {
  readonly name: string;
  readonly version: string;
  readonly description: string | undefined;
  readonly keywords: readonly string[];
  readonly publishedAt: number | undefined;
  readonly publisher: string;
}

type Json = Readonly<Record<string, unknown>>;

export class NpmClient {
  readonly #options: NpmClientOptions;
  readonly #urls = new Map<string, string>();

  constructor(options: NpmClientOptions) {
    this.#options = options;
  }

  /** The registry that the user's npm has for a scope. @throws WeirError `registry_failed` */
  async registryOf(scope: string | undefined, signal: AbortSignal): Promise<string> {
    const known = this.#urls.get(scope ?? '');
    if (known !== undefined) return known;
    const get = async (key: string): Promise<string> =>
      (await this.#run(['config', '--no-json'], signal, ['get', key])).trim();
    const own = scope === undefined ? 'undefined' : await get(`${scope}:registry`);
    const url = own === 'undefined' || own === 'null' || own === '' ? await get('registry') : own;
    if (!URL.canParse(url)) {
      throw new WeirError('registry_failed', `npm has "${url.slice(0, 100)}" for its registry.`);
    }
    const shown = new URL(url);
    const place = `${shown.origin}${shown.pathname.replace(/\/*$/, '/')}`;
    this.#urls.set(scope ?? '', place);
    return place;
  }

  /** @returns undefined for a package or version that the registry does not have */
  async view(
    registry: string,
    name: string,
    version: string | undefined,
    signal: AbortSignal,
  ): Promise<Manifest | undefined> {
    const spec = version === undefined ? name : `${name}@${version}`;
    return manifestIn(await this.#json(registry, name, ['view'], [spec], signal), name);
  }

  /**
   * The same for one version, straight from the registry. npm answers from its cache if a registry does not answer, and
   * then nobody would notice that the version is gone, or that it has other bytes.
   */
  async viewNow(
    registry: string,
    name: string,
    version: string,
    signal: AbortSignal,
  ): Promise<Manifest | undefined> {
    await mkdir(this.#options.folder, { recursive: true, mode: 0o700 });
    const cache = await mkdtemp(join(this.#options.folder, '.view-'));
    try {
      const args = ['view', `--cache=${cache}`];
      return manifestIn(
        await this.#json(registry, name, args, [`${name}@${version}`], signal),
        name,
      );
    } finally {
      await rm(cache, { recursive: true, force: true });
    }
  }

  /** `weir` of every version, oldest first. */
  async maps(
    registry: string,
    name: string,
    signal: AbortSignal,
  ): Promise<readonly { readonly version: string; readonly weir: unknown }[]> {
    const said = await this.#json(
      registry,
      name,
      ['view'],
      [`${name}@>=0.0.0-0`, 'version', 'weir'],
      signal,
    );
    const all: readonly unknown[] = Array.isArray(said) ? (said as unknown[]) : [said];
    return all.flatMap((one) => {
      if (!isRecord(one) || typeof one['version'] !== 'string') return [];
      return [{ version: one['version'], weir: one['weir'] }];
    });
  }

  /** @throws WeirError `registry_failed`, also for a registry that has no search */
  async search(
    registry: string,
    text: string,
    limit: number,
    signal: AbortSignal,
  ): Promise<FoundPackage[]> {
    const said = await this.#json(
      registry,
      undefined,
      ['search', `--searchlimit=${limit}`],
      [text],
      signal,
    );
    if (said === undefined) {
      throw new WeirError(
        'registry_failed',
        'it has no search: name a package, as in npm:@scope/package, or a key of one.',
      );
    }
    if (!Array.isArray(said)) throw notJson();
    return (said as unknown[]).flatMap((one) => (isRecord(one) ? foundIn(one) : []));
  }

  /**
   * The tarball of a version.
   * @param integrity that the registry gives it
   * @throws WeirError `integrity_mismatch`, `not_found`, `registry_failed`
   */
  async tarball(
    registry: string,
    name: string,
    version: string,
    integrity: string | undefined,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    await mkdir(this.#options.folder, { recursive: true, mode: 0o700 });
    const folder = await mkdtemp(join(this.#options.folder, '.pack-'));
    try {
      const pack = (how: string): Promise<unknown> => {
        const args = ['pack', `--pack-destination=${folder}`, how];
        return this.#json(registry, name, args, [`${name}@${version}`], signal);
      };
      // npm's cached data of the package may be older than the version.
      const said = (await pack('--prefer-offline')) ?? (await pack('--prefer-online'));
      const [file] = (await readdir(folder)).filter((one) => one.endsWith('.tgz'));
      if (said === undefined || file === undefined) {
        throw new WeirError('not_found', `${registry} has no ${name}@${version} any more.`);
      }
      const bytes = await readFile(join(folder, file));
      const actual = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
      if (integrity?.startsWith('sha512-') === true && integrity !== actual) {
        throw tampered(name, version, registry);
      }
      return bytes;
    } catch (error) {
      if (WeirError.is(error, 'registry_failed') && error.message.includes('EINTEGRITY')) {
        throw tampered(name, version, registry);
      }
      throw error;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** @returns undefined for a 404 */
  async #json(
    registry: string,
    name: string | undefined,
    args: readonly string[],
    words: readonly string[],
    signal: AbortSignal,
  ): Promise<unknown> {
    const [scope] = /^@[^/]+/.exec(name ?? '') ?? [];
    const which = [
      `--registry=${registry}`,
      ...(scope === undefined ? [] : [`--${scope}:registry=${registry}`]),
    ];
    const text = await this.#run([...args, ...which], signal, words).catch((error: unknown) => {
      if (WeirError.is(error, 'not_found')) return undefined;
      throw error;
    });
    if (text === undefined) return undefined;
    // npm prints nothing if no version fits.
    if (text.trim() === '') return undefined;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      throw notJson();
    }
  }

  /** @param words what others wrote: npm takes none of them for an option */
  async #run(
    args: readonly string[],
    signal: AbortSignal,
    words: readonly string[] = [],
  ): Promise<string> {
    const { folder } = this.#options;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const npm = await this.#options.npm();
    const all = [...args, `--prefix=${folder}`, '--', ...words];
    const { output, failure } = await runNpm(npm, folder, all, signal);
    if (signal.aborted) throw new WeirError('cancelled', 'Cancelled.');
    if (failure !== undefined) throw failed(failure);
    return output;
  }
}

function failed({ code, summary }: NpmFailure): WeirError {
  const said = withoutSecrets(summary);
  switch (code) {
    case 'E404':
    case 'ETARGET':
      return new WeirError('not_found', said);
    case 'E401':
    case 'E403':
    case 'ENEEDAUTH':
      return new WeirError(
        'registry_failed',
        'it wants to know who asks: log in with "npm login", with --registry and its URL, and try again.',
      );
    case 'ENOTFOUND':
    case 'ECONNREFUSED':
    case 'ECONNRESET':
    case 'EAI_AGAIN':
    case 'ETIMEDOUT':
    case 'ENETUNREACH':
    case 'ERR_SOCKET_TIMEOUT':
    case 'ENOTCACHED':
      return new WeirError('registry_failed', `it cannot be reached (${code}).`);
    default:
      return new WeirError('registry_failed', `npm says ${code}: ${said.slice(0, 300)}`);
  }
}

function notJson(): WeirError {
  return new WeirError('registry_failed', 'it did not answer as an npm registry does.');
}

function tampered(name: string, version: string, registry: string): WeirError {
  return new WeirError(
    'integrity_mismatch',
    `What ${registry} sent for ${name}@${version} has other bytes than it says itself. Nothing of it was run.`,
  );
}

function withoutSecrets(text: string): string {
  return text
    .replaceAll(/(\w+:\/\/)[^/\s@]*@/g, '$1')
    .replaceAll(/(_authToken|_password|_auth)\s*=\s*\S+/g, '$1=…');
}

/** @param said by `npm view` of one version; npm says several versions that fit as an array, oldest first */
function manifestIn(said: unknown, name: string): Manifest | undefined {
  const value = Array.isArray(said) ? (said as unknown[]).at(-1) : said;
  return isRecord(value) ? manifestOf(value, name) : undefined;
}

function manifestOf(value: Json, name: string): Manifest {
  const text = (key: string): string | undefined =>
    typeof value[key] === 'string' ? value[key] : undefined;
  const dist = isRecord(value['dist']) ? value['dist'] : {};
  const times = isRecord(value['time']) ? value['time'] : {};
  const versions = value['versions'];
  return {
    name: text('name') ?? name,
    version: text('version') ?? '0.0.0',
    versions: typeof versions === 'string' ? [versions] : textsIn(versions),
    tags: Object.fromEntries(
      Object.entries(isRecord(value['dist-tags']) ? value['dist-tags'] : {}).filter(
        (one): one is [string, string] => typeof one[1] === 'string',
      ),
    ),
    times: Object.fromEntries(
      Object.entries(times).flatMap(([version, at]) => {
        const ms = Date.parse(String(at));
        return Number.isNaN(ms) ? [] : [[version, ms] as const];
      }),
    ),
    publisher: publisherOf(value, name),
    description: text('description'),
    keywords: textsIn(value['keywords']),
    license: text('license'),
    deprecated: text('deprecated'),
    provenance: dist['attestations'] !== undefined,
    integrity: typeof dist['integrity'] === 'string' ? dist['integrity'] : undefined,
    weir: value['weir'],
  };
}

/**
 * The publisher according to the registry. A build service publishes for everybody, so the maintainers count instead.
 * If a registry knows neither, the owner of the scope counts, or else of the package.
 */
function publisherOf(value: Json, name: string): string {
  const user = personIn(value['_npmUser']);
  const isService =
    user === 'GitHub Actions' ||
    (isRecord(value['_npmUser']) && value['_npmUser']['trustedPublisher'] !== undefined);
  if (user !== undefined && !isService) return user;
  const maintainers = value['maintainers'];
  const names = (Array.isArray(maintainers) ? maintainers : []).flatMap((one: unknown) => {
    const person = personIn(one);
    return person === undefined ? [] : [person];
  });
  if (names.length > 0) return [...new Set(names)].sort().join(', ');
  return /^@[^/]+/.exec(name)?.[0] ?? name;
}

/** `{name}`, or `name <mail>`. */
function personIn(value: unknown): string | undefined {
  if (isRecord(value)) {
    const name = value['name'] ?? value['username'];
    return typeof name === 'string' && name !== '' ? name : undefined;
  }
  if (typeof value !== 'string') return undefined;
  const name = value.replace(/\s*<[^>]*>.*$/, '').trim();
  return name === '' ? undefined : name;
}

function foundIn(value: Json): FoundPackage[] {
  const { name, description, date } = value;
  // Not every registry says it outright.
  const tags = isRecord(value['dist-tags']) ? value['dist-tags'] : {};
  const version = value['version'] ?? tags['latest'];
  if (typeof name !== 'string' || typeof version !== 'string') return [];
  const at = typeof date === 'string' ? Date.parse(date) : Number.NaN;
  return [
    {
      name,
      version,
      description: typeof description === 'string' ? description : undefined,
      keywords: textsIn(value['keywords']),
      publishedAt: Number.isNaN(at) ? undefined : at,
      publisher: personIn(value['publisher']) ?? /^@[^/]+/.exec(name)?.[0] ?? name,
    },
  ];
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
