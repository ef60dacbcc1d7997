import { access, constants } from 'node:fs/promises';
import path from 'node:path';

export interface Browser {
  readonly executablePath: string;
  readonly args: readonly string[];
}

/** Quiet, and runnable as root in a container. */
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const commands = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
];

const usualPlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  String.raw`C:\Program Files\Google\Chrome\Application\chrome.exe`,
  String.raw`C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe`,
];

/** An installed Chrome or Chromium (CHROME_PATH, CHROMIUM, the PATH), else the one that npm brings. */
export async function findBrowser(env: NodeJS.ProcessEnv = process.env): Promise<Browser> {
  const folders = (env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  const candidates = [
    env['CHROME_PATH'],
    env['CHROMIUM'],
    ...folders.flatMap((folder) => commands.map((command) => path.join(folder, command))),
    ...usualPlaces,
  ];
  for (const candidate of candidates) {
    if (candidate !== undefined && (await isExecutable(candidate))) {
      return { executablePath: candidate, args: quiet };
    }
  }
  const { default: chromium } = await import('@sparticuz/chromium');
  const args = new Set([...quiet, ...chromium.args]);
  // As one process it dies with its second page.
  args.delete('--single-process');
  return { executablePath: await chromium.executablePath(), args: [...args] };
}

function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
