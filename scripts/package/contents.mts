/** The platforms a VSIX is made for, by VS Code's names, with npm's names of the esbuild for them. */
export const targets = {
  'linux-x64': { os: 'linux', cpu: 'x64' },
  'linux-arm64': { os: 'linux', cpu: 'arm64' },
  'darwin-x64': { os: 'darwin', cpu: 'x64' },
  'darwin-arm64': { os: 'darwin', cpu: 'arm64' },
  'win32-x64': { os: 'win32', cpu: 'x64' },
  // esbuild's binary is linked statically, so it does not care whose C library is there.
  'alpine-x64': { os: 'linux', cpu: 'x64' },
} as const;

export type Target = keyof typeof targets;

export function isTarget(name: string): name is Target {
  return Object.hasOwn(targets, name);
}

/** The target for this machine, if there is one. */
export function targetOf(platform: NodeJS.Platform, arch: string): Target | undefined {
  const name = `${platform}-${arch}`;
  return isTarget(name) ? name : undefined;
}

/** Steps of the walkthrough that have a picture. */
const walkthrough = ['debug', 'deploy', 'inspect', 'send', 'write'];

/**
 * Every file in the VSIX. What vsce lets in by .vscodeignore has to be this and nothing else.
 * The CLI is not in it: from inside an extension's folder no terminal would find it.
 */
export function contentsOf(target: Target): string[] {
  const { os, cpu } = targets[target];
  const binary = os === 'win32' ? 'esbuild.exe' : 'bin/esbuild';
  return [
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'ThirdPartyNotices.txt',
    ...[
      'agents',
      'authoring',
      'builder',
      'call-tool',
      'execution',
      'rerun-commands',
      'import-workflows',
      'registry',
      'remote',
      'request-commands',
      'run-tests',
      'rare-commands',
      'trust-question',
      'workflow-page',
      'workflow-text',
    ].map((name) => `dist/${name}.js`),
    'dist/component-host.js',
    'dist/script-step.js',
    'dist/connection.js',
    ...['component', 'instance', 'props', 'services'].map((name) => `dist/component/${name}.d.ts`),
    'dist/extension.js',
    'dist/mcp.js',
    'dist/runtime.js',
    'dist/sql-wasm-debug.js',
    'dist/sql-wasm-debug.wasm',
    'dist/webview/builder.css',
    'dist/webview/builder.js',
    'dist/webview/execution.css',
    'dist/webview/execution.js',
    'dist/webview/workflow.css',
    'dist/webview/workflow.js',
    'dist/webview/inspector.css',
    'dist/webview/inspector.js',
    'dist/webview/prop-form.css',
    'dist/webview/prop-form.js',
    'media/icon.png',
    ...walkthrough.map((step) => `media/walkthrough/${step}.svg`),
    'media/weir.svg',
    `node_modules/@esbuild/${os}-${cpu}/${binary}`,
    `node_modules/@esbuild/${os}-${cpu}/package.json`,
    'node_modules/esbuild/lib/main.js',
    'node_modules/esbuild/package.json',
    'package.json',
    'schemas/app.schema.json',
    'schemas/workflow.schema.json',
  ];
}

/** What only a checkout needs of package.json. */
const ofTheCheckout = ['private', 'bin', 'exports', 'scripts', 'devDependencies', 'allowScripts'];

/** The extension's manifest: package.json without what means nothing once it is installed. */
export function manifestFor(packageJson: Record<string, unknown>): object {
  const kept = Object.entries(packageJson).filter(([key]) => !ofTheCheckout.includes(key));
  return Object.fromEntries(kept);
}
