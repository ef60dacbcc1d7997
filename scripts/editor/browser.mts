import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Browser as RunningBrowser } from 'playwright-core';
import { cacheFolder, makeOnce } from '../cache.mts';

export interface Browser {
  readonly executablePath: string;
  readonly args: readonly string[];
  /** Environment variables that it needs on this machine. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Quiet, and runnable as root in a container. The flags that the package recommends for serverless functions are left out: they
 * turn the web's security off, which users have on, and cost as much.
 */
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Returns the browser of tests and pictures: one version from npm for everybody, whatever is installed. `WEIR_BROWSER` names
 * the executable of another Chromium, for systems that the package is not built for.
 */
export async function findBrowser(env: NodeJS.ProcessEnv = process.env): Promise<Browser> {
  const own = env['WEIR_BROWSER'];
  if (own !== undefined && own !== '') return { executablePath: own, args: quiet, env: {} };
  const folder = await unpackBrowser();
  const executablePath = path.join(folder, 'chromium');
  return { executablePath, args: quiet, env: await brought(folder, executablePath) };
}

/** Starts the browser without a profile. */
export async function launchBrowser(): Promise<RunningBrowser> {
  const { executablePath, args, env } = await findBrowser();
  return chromium.launch({ executablePath, args: [...args], env: { ...process.env, ...env } });
}

/**
 * Unpacks the browser into the cache, once for each version.
 * @returns the folder with `chromium`, `fonts` and `al2023/lib`
 */
async function unpackBrowser(): Promise<string> {
  const folder = path.join(cacheFolder, `chromium-${packageVersion()}`);
  await makeOnce(folder, async (building) => {
    // It unpacks into the temporary folder, and keeps whatever is there. A process of its own has no other children: one that
    // inherits the executable while it is open for writing would make it busy.
    const script = `import chromium from '@sparticuz/chromium'; await chromium.executablePath();`;
    const args = ['--input-type=module', '--eval', script];
    await promisify(execFile)(process.execPath, args, {
      cwd: import.meta.dirname,
      // As on Amazon Linux, for which the package has libraries.
      env: { ...process.env, TMPDIR: building, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' },
    });
    await writeFile(path.join(building, 'fonts', 'fonts.conf'), fontSettings);
  });
  return folder;
}

/** A minimal system has no NSS and no fonts: the package brings both. */
async function brought(folder: string, executable: string): Promise<Record<string, string>> {
  const runs = await promisify(execFile)(executable, ['--version']).then(
    () => true,
    () => false,
  );
  return {
    ...(!runs && { LD_LIBRARY_PATH: path.join(folder, 'al2023', 'lib') }),
    ...(!existsSync('/etc/fonts/fonts.conf') && { FONTCONFIG_PATH: path.join(folder, 'fonts') }),
  };
}

const fontSettings = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
</fontconfig>
`;

function packageVersion(): string {
  const main = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const file = path.resolve(main, '..', '..', '..', 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
