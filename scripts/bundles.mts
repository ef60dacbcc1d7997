import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { context, type BuildOptions, type Metafile, type Plugin } from 'esbuild';

const node = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  // esbuild ships unbundled (it has a binary); runtime.js is loaded by the CLI as a file; the optional
  // native helpers of ws are not used.
  external: ['vscode', 'esbuild', './runtime.js', 'bufferutil', 'utf-8-validate'],
} satisfies BuildOptions;

/** Of a webview: it runs in VS Code's Chromium. */
const page = {
  bundle: true,
  platform: 'browser',
  format: 'iife',
  target: 'chrome136',
  loader: { '.svg': 'text' },
} satisfies BuildOptions;

/** What `import()` loads of the extension when it is first needed, each a bundle of its own, by its name. */
const later = {
  agents: 'src/extension/agents/agents.ts',
  authoring: 'src/extension/authoring/authoring-providers.ts',
  // With YAML and forms.
  builder: 'src/extension/builder/session.ts',
  // With the SDK of the protocol that agents speak.
  'call-tool': 'src/extension/agents/call-tool.ts',
  // To a runtime: two fifths of the extension, and most windows never need it.
  connection: 'src/client/connection.ts',
  execution: 'src/extension/execution/session.ts',
  'rerun-commands': 'src/extension/workflows/rerun-commands.ts',
  'import-workflows': 'src/extension/workflows/import-workflows.ts',
  // With what reads the imports of code.
  remote: 'src/extension/remote/remote.ts',
  'request-commands': 'src/extension/commands/request-commands.ts',
  // With YAML.
  'run-tests': 'src/extension/tests/run-tests.ts',
  registry: 'src/extension/registry/registry.ts',
  'rare-commands': 'src/extension/commands/rare-commands.ts',
  'trust-question': 'src/extension/connection/trust-question.ts',
  'workflow-page': 'src/extension/workflow-page/session.ts',
  // With YAML.
  'workflow-text': 'src/extension/workflow-text/providers.ts',
} as const;

const tracing = 'src/runtime/api/tracing/tracing.ts';
const mcp = 'src/mcp/main.ts';
const postgres = 'src/runtime/store/postgres/open-store.ts';

/**
 * A module that is imported with `import()` is a bundle of its own beside the one that imports it, and
 * loaded when it is asked for.
 */
function loadedLater(name: string, entry: string): Plugin {
  return {
    name: 'loaded later',
    setup(build) {
      build.onResolve({ filter: /\.ts$/ }, ({ kind, path: imported, resolveDir }) =>
        kind === 'dynamic-import' && path.join(resolveDir, imported) === path.resolve(entry)
          ? { path: `./${name}.js`, external: true }
          : undefined,
      );
    },
  };
}

/** One list of bundles, one place for their options. */
const bundles = {
  extension: {
    ...node,
    entryPoints: { extension: 'src/extension/extension.ts' },
    plugins: Object.entries(later).map(([name, entry]) => loadedLater(name, entry)),
    // As `require`: how an extension host deals with `import()` differs between editors.
    supported: { 'dynamic-import': false },
  },
  agents: { ...node, entryPoints: { agents: later.agents } },
  authoring: { ...node, entryPoints: { authoring: later.authoring } },
  builder: { ...node, entryPoints: { builder: later.builder } },
  'call-tool': { ...node, entryPoints: { 'call-tool': later['call-tool'] } },
  connection: { ...node, entryPoints: { connection: later.connection } },
  execution: { ...node, entryPoints: { execution: later.execution } },
  'rerun-commands': { ...node, entryPoints: { 'rerun-commands': later['rerun-commands'] } },
  'import-workflows': { ...node, entryPoints: { 'import-workflows': later['import-workflows'] } },
  remote: {
    ...node,
    entryPoints: { remote: later.remote },
    plugins: [loadedLater('connection', later.connection)],
    supported: { 'dynamic-import': false },
  },
  'request-commands': { ...node, entryPoints: { 'request-commands': later['request-commands'] } },
  'run-tests': { ...node, entryPoints: { 'run-tests': later['run-tests'] } },
  registry: { ...node, entryPoints: { registry: later.registry } },
  'rare-commands': { ...node, entryPoints: { 'rare-commands': later['rare-commands'] } },
  'trust-question': { ...node, entryPoints: { 'trust-question': later['trust-question'] } },
  'workflow-page': { ...node, entryPoints: { 'workflow-page': later['workflow-page'] } },
  'workflow-text': { ...node, entryPoints: { 'workflow-text': later['workflow-text'] } },
  runtime: {
    ...node,
    entryPoints: { runtime: 'src/runtime/main.ts' },
    plugins: [
      loadedLater('tracing', tracing),
      loadedLater('mcp', mcp),
      loadedLater('postgres', postgres),
    ],
  },
  // With PostgreSQL's driver; `weir serve --store` alone.
  postgres: { ...node, entryPoints: { postgres }, external: [...node.external, 'pg-native'] },
  // With OpenTelemetry; `weir serve --traces` alone.
  tracing: { ...node, entryPoints: { tracing } },
  'component-host': { ...node, entryPoints: { 'component-host': 'src/component/host/main.ts' } },
  // Bundled into the component of a step in Python or Bash.
  'script-step': {
    ...node,
    format: 'esm',
    entryPoints: { 'script-step': 'src/component/script/script-step.ts' },
  },
  component: { ...node, entryPoints: { component: 'src/component/component.ts' } },
  cli: {
    ...node,
    entryPoints: { cli: 'src/cli/main.ts' },
    banner: { js: '#!/usr/bin/env node' },
  },
  // Agents only: with the SDK of the protocol and every schema.
  mcp: { ...node, entryPoints: { mcp } },
  'builder-page': { ...page, entryPoints: { 'webview/builder': 'src/webview/builder/main.ts' } },
  'execution-page': {
    ...page,
    entryPoints: { 'webview/execution': 'src/webview/execution/main.ts' },
  },
  'workflow-webview': {
    ...page,
    entryPoints: { 'webview/workflow': 'src/webview/workflow/main.ts' },
  },
  inspector: { ...page, entryPoints: { 'webview/inspector': 'src/webview/inspector/main.ts' } },
  'prop-form': { ...page, entryPoints: { 'webview/prop-form': 'src/webview/prop-form/main.ts' } },
} satisfies Record<string, BuildOptions>;

export type BundleName = keyof typeof bundles;
export const allBundles = Object.keys(bundles) as BundleName[];

/** The package whose files are copied: the runtime reads its wasm, and its glue as text. */
export const copiedPackage = 'sql.js';
/** The debug build has readable import names and is as fast (docs/performance.md). */
const copied = ['sql-wasm-debug.js', 'sql-wasm-debug.wasm'];

export interface BuildRequest {
  readonly names: readonly BundleName[];
  readonly outdir: string;
  /** Minified and without source maps. */
  readonly production: boolean;
  /** Goes on rebuilding on change. */
  readonly watch: boolean;
}

/**
 * Builds bundles into an emptied folder, with what is loaded beside them.
 *
 * @returns what went into each
 */
export async function build(request: BuildRequest): Promise<Metafile[]> {
  const { names, outdir, production, watch } = request;
  await rm(outdir, { recursive: true, force: true });
  await mkdir(outdir, { recursive: true });
  for (const file of copied) {
    await cp(path.join('node_modules', copiedPackage, 'dist', file), path.join(outdir, file));
  }
  await writeDeclarations(path.join(outdir, 'component'));
  const metafiles: Metafile[] = [];
  for (const name of names) {
    const built = await context({
      ...bundles[name],
      outdir,
      sourcemap: production ? false : 'linked',
      minify: production,
      metafile: true,
      logLevel: 'warning',
    });
    metafiles.push((await built.rebuild()).metafile);
    // npx runs it as a program.
    if (name === 'cli') await chmod(path.join(outdir, 'cli.js'), 0o755);
    if (watch) await built.watch();
    else await built.dispose();
  }
  return metafiles;
}

/** What an author's editor reads of `weir/component` (src/client/author-types.ts). */
export async function writeDeclarations(outdir: string): Promise<void> {
  const tsc = path.resolve('node_modules/typescript/bin/tsc');
  const entry = path.resolve('src/component/component.ts');
  const emit = ['--declaration', '--emitDeclarationOnly', '--outDir', outdir];
  const options =
    '--ignoreConfig --strict --target es2023 --module preserve --allowImportingTsExtensions';
  await promisify(execFile)(process.execPath, [tsc, ...options.split(' '), ...emit, entry]);
  for (const name of await readdir(outdir)) {
    const file = path.join(outdir, name);
    const text = await readFile(file, 'utf8');
    // Older versions of TypeScript do not find `./props.d.ts` as `./props.ts`.
    await writeFile(file, text.replaceAll(/(?<=from '\.\/\w+)\.ts(?=';)/g, '.js'));
  }
}
