import type { OnResolveResult, PluginBuild } from 'esbuild';

const namespace = 'weir-outside';

/**
 * What an import of a CommonJS package that stays outside of the bundle leads to: a module inside
 * that requires it. Node finds the names such a package exports by reading its text, and where it
 * does not, `import { name }` fails; through `require` every name is there, as if it were bundled.
 */
export function outsideModule(specifier: string): OnResolveResult {
  return { path: specifier, namespace };
}

export function outsideModules(build: PluginBuild): void {
  build.onLoad({ filter: /.*/, namespace }, ({ path }) => ({
    contents: `module.exports = require(${JSON.stringify(path)});`,
  }));
}

/** True for the one `require` in such a module: it is Node's to answer. */
export function isOutsideModule(importerNamespace: string): boolean {
  return importerNamespace === namespace;
}
