import { readFile, realpath } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type {
  ImportKind,
  Message,
  OnResolveArgs,
  OnResolveResult,
  Plugin,
  PluginBuild,
} from 'esbuild';
import { isNative } from './external.ts';
import type { LinkNames, Links } from './links.ts';
import { isCommonJs, packageFinder, packageOf, readPackageJson } from './node-modules.ts';
import type { WantedPackage } from './npm.ts';
import type { Packages } from './packages.ts';
import { type PackageSpecifier, parseSpecifier, unresolvedSpecifier } from './specifier.ts';

/** Marks a question that a plugin asks esbuild itself, so that no plugin answers it again. */
export const askedByPlugin = 'weir: asked by a plugin';

interface Installed {
  /** The real one. */
  readonly folder: string;
  /** It has a native addon. */
  readonly native: boolean;
}

/**
 * Resolves packages during one bundling: what is installed near the importing file, else what Weir
 * installed. What is neither stays unresolved and is remembered.
 */
export class PackageResolver {
  readonly #packages: Packages;
  /** Folders of packages that stay outside of the bundle; grows as addons are met. */
  readonly #external: Set<string>;
  readonly #names: LinkNames;
  readonly #missing = new Map<string, WantedPackage>();
  readonly #links = new Map<string, string>();
  readonly #installed = new Map<string, Promise<Installed | undefined>>();
  readonly #nearest = packageFinder();
  readonly #importers = new Map<string, Promise<boolean>>();
  /** The resolved modules of `wholeNamespace`, by their path. */
  readonly #wrapped = new Map<string, OnResolveResult>();

  /** @param names of external packages whose name another one has */
  constructor(packages: Packages, external: Set<string>, names: LinkNames) {
    this.#packages = packages;
    this.#external = external;
    this.#names = names;
  }

  /** Links to the external packages that were found. */
  get links(): Links {
    return this.#links;
  }

  /** The packages that esbuild reports as missing. */
  missing(errors: readonly Message[]): WantedPackage[] {
    return errors.map((error) => this.#missingFor(error)).filter((wanted) => wanted !== undefined);
  }

  /** All its other errors. */
  otherErrors(errors: readonly Message[]): Message[] {
    return errors.filter((error) => this.#missingFor(error) === undefined);
  }

  #missingFor(error: Message): WantedPackage | undefined {
    return this.#missing.get(unresolvedSpecifier(error) ?? '');
  }

  /** The names of packages that files outside of packages import. */
  readonly ownImports = new Set<string>();

  readonly plugin: Plugin = {
    name: 'weir-packages',
    setup: (build) => {
      build.onResolve({ filter: /\.node$/ }, (args) => this.#addon(args));
      build.onResolve({ filter: /^[^./\\#]/ }, (args) => this.#resolve(build, args));
      loadRequireModules(build);
      loadWholeModules(build);
    },
  };

  /** A package that loads an addon cannot be bundled: the next bundling leaves it external. */
  #addon({ importer, path, kind, pluginData }: OnResolveArgs): OnResolveResult | undefined {
    const owner = packageOf(importer);
    if (owner === undefined || kind === 'entry-point' || pluginData !== undefined) return undefined;
    this.#external.add(owner.folder);
    return { path, external: true };
  }

  async #resolve(build: PluginBuild, args: OnResolveArgs): Promise<OnResolveResult | undefined> {
    if (args.kind === 'entry-point' || args.pluginData !== undefined) return undefined;
    if (args.namespace === requireNamespace) return { path: args.path, external: true };
    if (args.namespace === wholeNamespace) return this.#wrapped.get(args.importer);
    const specifier = parseSpecifier(args.path);
    if (specifier === undefined) return undefined;
    if (packageOf(args.importer) === undefined) this.ownImports.add(specifier.name);
    if (await this.#isModuleForNode(args)) return this.#find(build, args, specifier);
    return this.#whole(build, args, specifier);
  }

  /** Whether esbuild gives the import what Node would: see `wholeNamespace`. */
  #isModuleForNode({ kind, importer }: OnResolveArgs): boolean | Promise<boolean> {
    if (kind !== 'import-statement' || extname(importer) !== '.js') return true;
    if (packageOf(importer) !== undefined) return true;
    const known = this.#importers.get(importer) ?? isCommonJs(importer).then((isOne) => !isOne);
    this.#importers.set(importer, known);
    return known;
  }

  async #whole(
    build: PluginBuild,
    args: OnResolveArgs,
    specifier: PackageSpecifier,
  ): Promise<OnResolveResult | undefined> {
    const own = await this.#find(build, args, specifier);
    const { path, importer, kind, resolveDir } = args;
    const found =
      own ?? (await build.resolve(path, { importer, kind, resolveDir, pluginData: askedByPlugin }));
    if (found.path === undefined || found.path === '' || found.external === true) return own;
    const isRequired = found.namespace === requireNamespace;
    if (!isRequired && !(await isScript(found.path))) return own;
    const wrapper = `${found.path}.mjs`;
    this.#wrapped.set(wrapper, { path: found.path, namespace: found.namespace ?? 'file' });
    return { path: wrapper, namespace: wholeNamespace };
  }

  async #find(
    build: PluginBuild,
    args: OnResolveArgs,
    specifier: PackageSpecifier,
  ): Promise<OnResolveResult | undefined> {
    const near = await this.#nearest(args.resolveDir, specifier.name);
    // Most imports are of this kind. Asking esbuild from here costs as much as its own answer again.
    if (near !== undefined && specifier.plain === args.path && !(await this.#isExternal(near))) {
      return undefined;
    }
    const folder = await this.#folderFor(specifier, near, args);
    // Not found here: esbuild may find it (Yarn PnP, a package that imports itself), or reports it.
    if (folder === undefined) return undefined;
    const resolved = await build.resolve(specifier.plain, {
      importer: args.importer,
      kind: args.kind,
      resolveDir: folder,
      pluginData: askedByPlugin,
    });
    if (resolved.errors.length > 0) {
      // esbuild's own message is the best, except where it cannot read the specifier or look there.
      return folder === args.resolveDir && specifier.pin === undefined ? undefined : resolved;
    }
    return (await this.#resolveExternal(specifier, resolved.path, args.kind)) ?? resolved;
  }

  /** @param folder as it is found, which may be a link */
  async #isExternal(folder: string): Promise<boolean> {
    const known = this.#installed.get(folder) ?? installedAt(folder);
    this.#installed.set(folder, known);
    const found = await known;
    return found !== undefined && (found.native || this.#external.has(found.folder));
  }

  /** The folder the package is found from. */
  async #folderFor(
    { name, pin }: PackageSpecifier,
    near: string | undefined,
    args: OnResolveArgs,
  ): Promise<string | undefined> {
    if (
      near !== undefined &&
      (pin === undefined || (await readPackageJson(near))?.version === pin)
    ) {
      return args.resolveDir;
    }
    const wanted = await this.#packages.wanted(name, pin, args.importer);
    const folder = this.#packages.folderOf(wanted);
    if (folder === undefined) this.#missing.set(args.path, wanted);
    return folder;
  }

  async #resolveExternal(
    { subpath }: PackageSpecifier,
    file: string,
    kind: ImportKind,
  ): Promise<OnResolveResult | undefined> {
    const owner = packageOf(file);
    if (owner === undefined || !(await this.#isExternal(owner.folder))) return undefined;
    const name = this.#names.get(owner.folder) ?? owner.name;
    this.#links.set(owner.folder, name);
    const path = name + subpath;
    const isImported = kind === 'import-statement' || kind === 'dynamic-import';
    return isImported && (await isCommonJs(file))
      ? { path, namespace: requireNamespace }
      : { path, external: true };
  }
}

/** Undefined for a link that leads out of every `node_modules`: a workspace's own package. */
async function installedAt(path: string): Promise<Installed | undefined> {
  const owner = packageOf(join(await realpath(path), 'package.json'));
  return owner && { folder: owner.folder, native: await isNative(owner.folder) };
}

/**
 * Inside the bundle, an import of an external CommonJS package leads to a module that requires it. Node
 * finds the names such a package exports by reading its text, and where it does not, `import { name }`
 * fails; through `require` every name is there, as if the package were bundled.
 */
const requireNamespace = 'weir-require';

function loadRequireModules(build: PluginBuild): void {
  build.onLoad({ filter: /.*/, namespace: requireNamespace }, ({ path }) => ({
    contents: `module.exports = require(${JSON.stringify(path)});`,
  }));
}

/**
 * The platform takes a component's `.js` for a module, and Node gives a module the whole of what a CommonJS package
 * exports as its default. esbuild does so for importers that are modules by their name or `package.json`, and for
 * others takes the property `default` of what was compiled from a module. Between those and the package stands one
 * with the right name.
 */
const wholeNamespace = 'weir-whole';

function loadWholeModules(build: PluginBuild): void {
  build.onLoad({ filter: /.*/, namespace: wholeNamespace }, () => ({
    contents: "import whole from 'package'; export default whole; export * from 'package';",
  }));
}

/** Whether a file is CommonJS by its name and by its text. */
async function isScript(file: string): Promise<boolean> {
  if (!(await isCommonJs(file))) return false;
  const text = await readFile(file, 'utf8').catch(() => '');
  return !/^\s*(?:import\b(?!\s*[(.])|export\b)/m.test(text);
}
