import type { Plugin } from 'esbuild';
import { askedByPlugin } from '../packages/resolver.ts';

/** Functions that return what they are given: they exist for their types (src/component). */
const identities = `const identity = (definition) => definition;
export const defineSource = identity;
export const defineAction = identity;
export const defineApp = identity;
`;

/**
 * Answers `weir/component`, which no component has to install, and `weir-cli/component`, its name in the
 * npm package of the command line: deployed, neither needs that package. `@pipedream/types` exports the same
 * names and is answered too when it is not installed (304 published components import it, most
 * without declaring it; P15.11).
 */
export const platformModules: Plugin = {
  name: 'weir-platform-modules',
  setup(build) {
    build.onResolve({ filter: /^weir(?:-cli)?\/component$/ }, () => ({
      path: 'component',
      namespace,
    }));
    build.onResolve({ filter: /^@pipedream\/types$/ }, async (args) => {
      if (args.pluginData !== undefined) return undefined;
      const { path: specifier, importer, resolveDir, kind } = args;
      const installed = await build.resolve(specifier, {
        importer,
        resolveDir,
        kind,
        pluginData: askedByPlugin,
      });
      return installed.errors.length === 0 ? installed : { path: 'component', namespace };
    });
    build.onLoad({ filter: /.*/, namespace }, () => ({ contents: identities }));
  },
};

const namespace = 'weir';
