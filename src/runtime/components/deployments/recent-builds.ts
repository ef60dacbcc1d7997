import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Components, Deployment } from './deployment.ts';

interface RecentBuild {
  readonly deployment: Deployment;
  readonly builtAt: number;
  readonly stamp: string;
}

/** How long a build is reused without looking into installed packages again. */
const keepMs = 60_000;
const most = 32;

/**
 * The same components for callers that build the same file again and again, as a form does for each call. A file is
 * built again only if it, a file it imports or an installed package has changed, or a minute has passed.
 */
export function withRecentBuilds(components: Components, now: () => number): Components {
  const recent = new Map<string, RecentBuild>();
  return {
    ...components,
    learnExternal(error) {
      const learned = components.learnExternal(error);
      // Earlier builds have that package inside.
      if (learned) recent.clear();
      return learned;
    },
    async build(path, options) {
      const found = recent.get(path);
      if (found !== undefined && now() - found.builtAt < keepMs) {
        const stamp = await stampOf(found.deployment);
        if (stamp.text === found.stamp) return found.deployment;
      }
      recent.delete(path);
      const builtAt = now();
      const deployment = await components.build(path, options);
      const stamp = await stampOf(deployment);
      // A change made while it was built may or may not be in it.
      if (stamp.newestMs < builtAt) recent.set(path, { deployment, builtAt, stamp: stamp.text });
      const [oldest] = recent.keys();
      if (recent.size > most && oldest !== undefined) recent.delete(oldest);
      return deployment;
    },
  };
}

/** In a `node_modules`: itself, and what npm, pnpm and yarn write there whenever they change a package. */
const installMarks = [
  '',
  '.package-lock.json',
  '.modules.yaml',
  '.yarn-state.yml',
  '.yarn-integrity',
];

/** Marks of every `node_modules` that these files may import from. */
function marksFor(inputs: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const input of inputs) {
    let folder = dirname(input);
    while (!folders.has(folder)) {
      folders.add(folder);
      folder = dirname(folder);
    }
  }
  return [...folders].flatMap((folder) =>
    installMarks.map((mark) => join(folder, 'node_modules', mark)),
  );
}

/**
 * Changes whenever a local file does, or what is installed; the bundle is among them, because its folder
 * may be removed.
 */
async function stampOf({
  inputs,
  bundle,
}: Deployment): Promise<{ readonly text: string; readonly newestMs: number }> {
  const of = async (file: string) => {
    try {
      const { mtimeMs, ctimeMs, size } = await stat(file);
      return { text: `${mtimeMs} ${ctimeMs} ${size}`, newestMs: Math.max(mtimeMs, ctimeMs) };
    } catch {
      return { text: 'gone', newestMs: 0 };
    }
  };
  const files = await Promise.all([...inputs, ...marksFor(inputs)].map(of));
  const texts = [...files, await of(bundle)].map(({ text }) => text);
  return { text: texts.join('\n'), newestMs: Math.max(0, ...files.map((file) => file.newestMs)) };
}
