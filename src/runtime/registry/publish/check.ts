/**
 * Checks a package of components before others can use it, and reports everything that is missing at once (pure,
 * P28.1).
 */
import { valid } from 'semver';
import { companionEnding, definitionBeside, slugOfCompanion } from '../../../protocol/app-files.ts';
import type { ErrorDetail } from '../../../protocol/errors.ts';
import type { Defined } from '../defined.ts';
import type { EvaluatedComponent } from './candidates.ts';

/** `package.json` as its author wrote it. */
export interface AuthoredManifest {
  readonly name?: unknown;
  readonly version?: unknown;
  readonly private?: unknown;
  readonly license?: unknown;
  readonly keywords?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly publishConfig?: Readonly<Record<string, unknown>>;
  readonly weir?: Readonly<Record<string, unknown>>;
  readonly [key: string]: unknown;
}

const packageName = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;
/** Slugs of apps have no "-", so that the first one ends them (P21). */
const appSlug = /^[a-z0-9_]+$/;
const plainKey = /^[a-z0-9_]+-[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** @param paths of the package, which begin at its folder */
export function manifestProblems(
  manifest: AuthoredManifest,
  paths: ReadonlySet<string>,
): ErrorDetail[] {
  const problems: ErrorDetail[] = [];
  const say = (message: string): void => void problems.push({ message, file: 'package.json' });
  const { name, version, license } = manifest;
  if (typeof name !== 'string' || name.length > 214 || !packageName.test(name)) {
    say(
      'package.json has no usable "name": give it one of small letters, such as "@acme/orders", the scope being yours in the registry.',
    );
  }
  if (typeof version !== 'string' || valid(version) !== version) {
    say('package.json has no "version" of three numbers; begin with "version": "0.1.0".');
  }
  if (manifest.private === true) {
    say('package.json says "private": true, with which npm publishes nothing; take it out.');
  }
  const top = [...paths].filter((path) => !path.includes('/'));
  if ((typeof license !== 'string' || license === '') && !top.some((one) => isLicense.test(one))) {
    say(
      'package.json names no license, so that nobody may use it: add "license" with an SPDX name such as "MIT", or a file LICENSE.',
    );
  }
  if (!top.some((one) => isReadme.test(one))) {
    problems.push({
      message: 'There is no README.md beside package.json: write what the components are for.',
      file: 'README.md',
    });
  }
  return problems;
}

/** Beside `package.json`, or beside a component. */
export const isReadme = /^readme(?:\.(?:md|markdown|txt))?$/i;
export const isLicense = /^(?:licen[cs]e|copying|notice)(?:\.(?:md|txt))?$/i;

export function componentProblems(
  components: readonly EvaluatedComponent[],
  name: unknown,
): ErrorDetail[] {
  const problems: ErrorDetail[] = [];
  const files = new Map<string, string>();
  const scope = typeof name === 'string' ? /^@[^/]+(?=\/)/.exec(name)?.[0] : undefined;
  for (const { path, definition } of components) {
    const say = (message: string): void =>
      void problems.push({ message: `${path}: ${message}`, file: path });
    const { key, version } = definition;
    if (key === null) {
      say('it has no key; give it one of its app and its name, such as key: "acme-new-order".');
    } else {
      const wrong = keyProblem(key, scope);
      if (wrong !== undefined) say(wrong);
      const other = files.get(key);
      if (other !== undefined) say(`${other} has the key "${key}" as well; change one of them.`);
      files.set(key, path);
    }
    if (version === null) say('it has no version; begin with version: "0.0.1".');
    else if (valid(version) !== version) {
      say(`its version "${version}" is not of three numbers; write one like "0.1.0".`);
    }
  }
  return problems;
}

function keyProblem(key: string, scope: string | undefined): string | undefined {
  const [, own, plain = ''] = /^(?:(@[^/]+)\/)?(.*)$/s.exec(key) ?? [];
  if (own !== undefined && own !== scope) {
    const right =
      scope === undefined ? 'the package has none' : `the scope of the package, ${scope}`;
    return `its key "${key}" has the scope ${own}, and ${right}: write it without, or with that.`;
  }
  if (plainKey.test(plain)) return undefined;
  return `its key "${key}" is not made of an app and a name, in small letters with "-" between the words: write it like "acme-new-order" (a slug of an app has "_" instead of "-").`;
}

/** Packages that the code imports and the manifest does not name. @param imports by file of a component */
export function dependencyProblems(
  manifest: AuthoredManifest,
  imports: ReadonlyMap<string, readonly string[]>,
): ErrorDetail[] {
  const named = new Set(
    [manifest.dependencies, manifest.optionalDependencies, manifest.peerDependencies].flatMap(
      (some) => Object.keys(some ?? {}),
    ),
  );
  return [...imports].flatMap(([path, packages]) =>
    packages
      .filter((one) => !named.has(one) && !answered.has(one) && one !== manifest.name)
      .map((one) => ({
        message: `${path} imports ${one}, which "dependencies" of package.json does not name: npm install ${one}`,
        file: path,
      })),
  );
}

/** The definitions of apps that its author names, by slug; the others are found. */
export function namedApps({ weir }: AuthoredManifest): Readonly<Record<string, string>> {
  const { apps } = weir ?? {};
  const named = typeof apps === 'object' && apps !== null ? Object.entries(apps) : [];
  return Object.fromEntries(named.map(([slug, file]) => [slug, String(file)]));
}

export function namedProblems(
  manifest: AuthoredManifest,
  paths: ReadonlySet<string>,
): ErrorDetail[] {
  const beside = new Set([...paths].flatMap((path) => definitionBeside(path) ?? []));
  return Object.entries(namedApps(manifest)).flatMap(([slug, file]) => {
    if (beside.has(file) && paths.has(file) && slugOfCompanion(file) === slug) return [];
    const where = `${slug}${companionEnding} beside ${slug}.app.mjs`;
    return {
      message: `"weir.apps" of package.json names ${file} as the definition of ${slug}, which has to be ${where}: put it there, and take "apps" out.`,
      file: 'package.json',
    };
  });
}

/** Problems of definitions: of several apps in one, or of one app in several places. */
export function definedProblems(defines: readonly Defined[]): ErrorDetail[] {
  const problems: ErrorDetail[] = [];
  const found = new Map<string, Defined>();
  for (const one of defines) {
    const { app, file } = one;
    const other = found.get(app) ?? one;
    found.set(app, other);
    if (!appSlug.test(app)) {
      problems.push({
        message: `${file}: a slug of an app has "_" instead of "-": name the app ${app.replaceAll('-', '_')}, here and in its files.`,
        file,
      });
    }
    if (other.digest !== one.digest) {
      problems.push({
        message: `${other.file} and ${file} define ${app} in different ways: keep one of them.`,
        file,
      });
    }
  }
  return problems;
}

/** Packages that a component may import without having them: see bundle/platform-modules.ts. */
const answered = new Set(['weir', 'weir-cli', '@pipedream/types']);
