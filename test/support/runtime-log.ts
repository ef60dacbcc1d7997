/** What runtimes write into their own logs (src/runtime/base/log.ts): a line of level error fails the test. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Watched {
  /** How many errors were looked at. */
  seen: number;
  expected: RegExp[];
  allowed: RegExp[];
}

const mostTold = 10;

/** By data folder. */
const watched = new Map<string, Watched>();

/** From now on, the errors of whatever runtime this data folder has are looked at after each test. */
export function watchLog(data: string): Watched {
  const known = watched.get(data);
  if (known !== undefined) return known;
  const log = { seen: 0, expected: [], allowed: [] };
  watched.set(data, log);
  return log;
}

/** Errors that the running test brings about: each of these has to be logged, and no other. */
export function expectErrors(data: string, ...patterns: readonly RegExp[]): void {
  watchLog(data).expected.push(...patterns);
}

/** Errors that the running test may bring about, by chance. */
export function allowErrors(data: string, ...patterns: readonly RegExp[]): void {
  watchLog(data).allowed.push(...patterns);
}

/** Throws unless the errors since the last check are those that were expected. */
export function checkLogs(): void {
  const wrong = [...watched].flatMap(([data, log]) => {
    const [expected, allowed] = [log.expected.splice(0), log.allowed.splice(0)];
    const all = errorsIn(data);
    const fresh = all.slice(log.seen);
    log.seen = all.length;
    return [
      ...fresh
        .filter((error) => ![...expected, ...allowed].some((pattern) => pattern.test(error)))
        .map((error) => `The runtime logged an error: ${error}`),
      ...expected
        .filter((pattern) => !fresh.some((error) => pattern.test(error)))
        .map((pattern) => `The runtime logged no error like ${String(pattern)}`),
    ];
  });
  if (wrong.length > 0) throw new Error(told(wrong));
}

/**
 * The first of them, so that no line looks like one of a stack: for each of those vitest reads the bundle and its source map,
 * which takes it minutes for a hundred errors.
 */
function told(wrong: readonly string[]): string {
  const more = wrong.length > mostTold ? [`… and ${wrong.length - mostTold} more`] : [];
  return [...wrong.slice(0, mostTold), ...more].join('\n').replaceAll(/^ +at /gm, '    | at ');
}

/** With the lines that belong to each, as those of a stack. */
function errorsIn(data: string): string[] {
  const file = join(data, 'logs', 'runtime.log');
  // A start moves a log that has become large out of its way.
  return (read(`${file}.1`) + read(file))
    .split(/^(?=\S+Z (?:debug|info|warn|error) )/m)
    .filter((entry) => /^\S+ error /.test(entry));
}

/** Nothing when no runtime has been there, or when the folder is gone. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}
