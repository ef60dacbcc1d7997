/** Regular expressions that somebody else wrote: searched for in a thread of their own, for a limited time. */
import { Worker } from 'node:worker_threads';
import { WeirError } from '../../protocol/errors.ts';

export interface PatternSearch {
  /** The source of a regular expression. */
  readonly pattern: string;
  readonly flags?: string;
  readonly text: string;
}

/** Far longer than any useful pattern needs for the largest value of a run. */
const limitMs = 2000;

/**
 * A pattern with a repetition inside a repetition can take years for a short text, and nothing interrupts a search in
 * the thread that began it. V8's engine is kept, because authors know its syntax (lookarounds, back references).
 */
const searchInThread = `
  const { parentPort, workerData } = require('node:worker_threads');
  for (const { pattern, flags, text } of workerData) {
    let found;
    try { found = new RegExp(pattern, flags).test(text); } catch (error) { found = String(error.message); }
    parentPort.postMessage(found);
  }`;

/**
 * Returns for each search whether its pattern matches a part of its text.
 * @throws WeirError `bad_input` naming the pattern that is invalid, or needs more than 2 seconds or 128 MB
 */
export async function searchPatterns(searches: readonly PatternSearch[]): Promise<boolean[]> {
  if (searches.length === 0) return [];
  const found: boolean[] = [];
  const refused = (why: string): WeirError => {
    const shown = JSON.stringify(searches[found.length]?.pattern.slice(0, 100) ?? '');
    return new WeirError('bad_input', `The pattern ${shown} ${why}.`);
  };
  const tooSlow = 'takes too long to search its text: avoid a repetition within a repetition';
  const thread = new Worker(searchInThread, {
    eval: true,
    execArgv: [],
    env: {},
    workerData: searches,
    resourceLimits: { maxOldGenerationSizeMb: 128, stackSizeMb: 4 },
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve, reject) => {
      // A busy machine takes its time to start the thread.
      thread.once('online', () => {
        timer = setTimeout(() => reject(refused(tooSlow)), limitMs);
      });
      thread.on('message', (answer: boolean | string) => {
        if (typeof answer === 'string') return reject(refused(`cannot be used (${answer})`));
        found.push(answer);
        if (found.length === searches.length) resolve(found);
      });
      thread.on('error', () => reject(refused(tooSlow)));
    });
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}
