import { pathToFileURL } from 'node:url';
import { ComponentError, isDictionary } from '../values.ts';
import { readComponent, type LoadedComponent } from './component.ts';

/**
 * Imports a bundle and reads the component it exports. Rejects with whatever its code throws.
 * @param defaultType of one that does not say: a code step of a workflow is an action
 */
export async function loadComponent(
  bundle: string,
  defaultType: 'source' | 'action' = 'source',
): Promise<LoadedComponent> {
  // Wrappers are identity functions; this one is an ambient global, the others are imported (P1.12).
  Object.assign(globalThis, { defineComponent: (component: unknown) => component });
  const module: unknown = await import(pathToFileURL(bundle).href);
  const exported = defaultExport(module);
  if (exported === module && isDictionary(module) && !isComponentLike(module)) {
    throw new ComponentError(
      'The file has no default export. Write "export default { name, props, run… }".',
    );
  }
  return readComponent(exported, defaultType);
}

/** `export default`, `module.exports`, and the double wrapping compiled TypeScript leaves (P1.2, P1.3). */
function defaultExport(module: unknown): unknown {
  let exported = module;
  for (let depth = 0; depth < 3; depth += 1) {
    if (!isDictionary(exported) || !('default' in exported)) break;
    if (depth > 0 && isComponentLike(exported)) break;
    exported = exported['default'];
  }
  return exported;
}

/** A component may have a key `default` by accident; what has `run` or props is the component. */
function isComponentLike(exported: object): boolean {
  return 'run' in exported || 'props' in exported || 'methods' in exported;
}
