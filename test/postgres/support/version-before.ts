/** A build that differs from the one that was just made by what it says to other nodes. */
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import manifest from '../../../package.json' with { type: 'json' };
import { nodeProtocol } from '../../../src/runtime/cluster/node-protocol.ts';
import { distFolder } from '../../support/cli.ts';
import { temporaryFolder } from '../../support/folder.ts';

/** How the nodes of it call themselves. */
export const versionBefore = '0.0.0';

/** @returns its folder, until the end of the test */
export async function buildVersionBefore(): Promise<string> {
  const folder = temporaryFolder();
  const dist = join(folder, 'dist');
  await cp(distFolder, dist, {
    recursive: true,
    filter: (path) => !path.endsWith('.map') && basename(path) !== 'webview',
  });
  // A build is loaded with what stays outside of it.
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  const file = join(dist, 'runtime.js');
  const changes = [
    [`nodeProtocol = ${nodeProtocol};`, `nodeProtocol = ${nodeProtocol - 1};`],
    [`var version = "${manifest.version}";`, `var version = "${versionBefore}";`],
    // All that a call says, but of the one that has to stay as it is, is where this version does not look for it.
    [', call, params });', ', call, params: call === "meet" ? params : [params] });'],
    ['await handle(params, this)', 'await handle(call === "meet" ? params : params[0], this)'],
  ] as const;
  const text = await readFile(file, 'utf8');
  await writeFile(
    file,
    changes.reduce((changed, [from, to]) => replaceOnce(changed, from, to), text),
  );
  return dist;
}

function replaceOnce(text: string, from: string, to: string): string {
  const [before, after, ...more] = text.split(from);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(`The build does not have \`${from}\` once.`);
  }
  return before + to + after;
}
