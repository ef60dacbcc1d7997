import type { BundleName } from '../bundles.mts';

/**
 * The name on npm of the package of the command line. `weir` is a stranger's there; docs/architecture.md says
 * why it is this one.
 */
export const cliName = 'weir-cli';

/** What the program loads; agents (`mcp`), traces (`tracing`) and PostgreSQL (`postgres`) are reached by it alone. */
export const cliBundles: readonly BundleName[] = [
  'cli',
  'runtime',
  'tracing',
  'postgres',
  'component-host',
  'script-step',
  'component',
  'mcp',
];

/** Every file in the tarball, this and nothing else. */
export const cliFiles: readonly string[] = [
  'LICENSE',
  'README.md',
  'ThirdPartyNotices.txt',
  ...cliBundles.map((name) => `dist/${name}.js`),
  ...['component', 'instance', 'props', 'services'].map((name) => `dist/component/${name}.d.ts`),
  'dist/sql-wasm-debug.js',
  'dist/sql-wasm-debug.wasm',
  'package.json',
  // An error about the file of an app names it.
  'schemas/app.schema.json',
  'schemas/workflow.schema.json',
].sort();

/** What of the checkout's package.json is true of the command line too. */
export interface Checkout {
  readonly version: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly license: string;
  readonly bin: object;
  readonly exports: object;
  readonly dependencies: object;
  readonly engines: { readonly node: string };
}

/** The manifest of the package. The checkout's own is that of the extension, whose id has its name. */
export function cliManifest(checkout: Checkout): object {
  const { version, description, keywords, license, bin, exports, dependencies, engines } = checkout;
  return {
    name: cliName,
    version,
    description,
    keywords,
    license,
    bin,
    exports,
    dependencies,
    engines: { node: engines.node },
  };
}
