/** A ZIP in memory: its files, none of which can lie outside of the folder that it is unpacked to. */
import { unzip } from 'fflate';
import { messageOf, WeirError } from '../../../protocol/errors.ts';

const mostBytes = 512 * 1024 * 1024;
const mostFiles = 50_000;

/**
 * @returns what each file holds, by its path with "/"
 * @throws WeirError `bad_input` for what is no ZIP, is too large, or has paths that lead elsewhere
 */
export function readZip(bytes: Uint8Array, name: string): Promise<Map<string, Uint8Array>> {
  let total = 0;
  let count = 0;
  return new Promise((resolve, reject) => {
    const refuse = (why: string): void =>
      reject(new WeirError('bad_input', `${name} cannot be imported: ${why}`));
    unzip(
      bytes,
      {
        filter: ({ name: path, originalSize }) => {
          if (path.endsWith('/') || isAside(path)) return false;
          total += originalSize;
          count += 1;
          return total <= mostBytes && count <= mostFiles;
        },
      },
      (error, files) => {
        if (error !== null) return refuse(`it is no whole ZIP file (${messageOf(error)}).`);
        if (total > mostBytes || count > mostFiles) {
          return refuse(`more than ${mostFiles} files or ${mostBytes / 1024 / 1024} MB are in it.`);
        }
        const all = Object.entries(files).map(
          ([path, data]) => [path.replaceAll('\\', '/'), data] as const,
        );
        const bad = all.find(([path]) => leadsElsewhere(path));
        if (bad !== undefined) return refuse(`the path "${bad[0]}" in it leads elsewhere.`);
        resolve(new Map(all));
      },
    );
  });
}

function leadsElsewhere(path: string): boolean {
  return path.startsWith('/') || /^[A-Za-z]:/.test(path) || path.split('/').includes('..');
}

/** What macOS puts into archives, and what nobody wrote. */
function isAside(path: string): boolean {
  return /(?:^|\/)(?:__MACOSX|node_modules|\.git)\//.test(path) || path.endsWith('.DS_Store');
}
