/** Resolves an argument of `--actions`: a file, a folder of actions, a published key, or an app. */
import { existsSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Caller } from '../../client/connection.ts';
import { allPages } from '../../client/pages.ts';
import { appOf } from '../../protocol/definition.ts';
import { WeirError } from '../../protocol/errors.ts';

/** The origin of an action's code. */
export type ActionOrigin = { readonly component_path: string } | { readonly key: string };

const codeFile = /\.[cm]?[jt]s$/;

/**
 * @param named a path relative to `cwd`, the key of a published action, or the slug of an app, of which
 *   all published actions are meant, and those of `@pipedream/<slug>` where that is installed
 * @throws WeirError `not_found` when there is nothing of that name
 */
export async function findActions(
  named: string,
  cwd: string,
  { call }: Caller,
): Promise<readonly ActionOrigin[]> {
  const path = resolve(cwd, named);
  const file = statSync(path, { throwIfNoEntry: false });
  if (file?.isFile() === true) return [{ component_path: path }];
  const isPath = /[\\/]/.test(named) || codeFile.test(named) || named === '.';
  if (isPath) {
    const found = file?.isDirectory() === true ? await actionFiles(path) : [];
    if (found.length > 0) return found;
    throw new WeirError('not_found', `There is no action at ${path}.`);
  }
  const published = (await allPages((page) => call('components.list', page))).filter(
    ({ type, key }) => type === 'action' && key !== null,
  );
  const exact = published.find(({ key }) => key === named);
  if (exact !== undefined) return [{ key: named }];
  const ofApp = published.filter(({ configurable_props: props }) =>
    props.some((prop) => prop.type === 'app' && appOf(prop) === named),
  );
  const installed = packageFolder(named, cwd);
  const found = [
    ...ofApp.flatMap(({ key }) => (key === null ? [] : [{ key }])),
    ...(installed === undefined ? [] : await actionFiles(installed)),
  ];
  if (found.length > 0) return found;
  throw new WeirError(
    'not_found',
    `"${named}" is not a file, no published action and no app with actions; publish one with "weir publish", or install @pipedream/${named} here.`,
  );
}

/** Actions of a package in the registry's layout: `actions/<name>/<name>.mjs`. */
async function actionFiles(folder: string): Promise<ActionOrigin[]> {
  const inside = join(folder, 'actions');
  const root = existsSync(inside) ? inside : folder;
  const entries = await readdir(root, { withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry) => {
      if (!entry.isDirectory()) return [];
      const names = await readdir(join(root, entry.name));
      return names
        .filter(
          (name) => basename(name).replace(codeFile, '') === entry.name && codeFile.test(name),
        )
        .map((name) => ({ component_path: join(root, entry.name, name) }));
    }),
  );
  return found.flat().toSorted((a, b) => (a.component_path < b.component_path ? -1 : 1));
}

function packageFolder(app: string, cwd: string): string | undefined {
  const found = join(cwd, 'node_modules', '@pipedream', app);
  if (existsSync(found)) return found;
  const above = dirname(cwd);
  return above === cwd ? undefined : packageFolder(app, above);
}
