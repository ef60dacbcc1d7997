/** HTTP requests of tests: taken from what an execution made, and answered from the archive beside the test. */
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Result, WholeExecution } from '../../../protocol/catalogue.ts';
import { messageOf, WeirError } from '../../../protocol/errors.ts';
import { joinedMask, type Mask } from '../../../protocol/mask.ts';
import type { RunMode } from '../../../protocol/run-mode.ts';
import type { Store } from '../../store/store.ts';
import { type RecordedRequest, requestsOfHar } from '../../components/recordings/har.ts';
import { isSameUrl, RecordedAnswers } from '../../components/recordings/recorded-answers.ts';
import {
  type RecordingServer,
  recordingServer,
} from '../../components/recordings/recording-server.ts';
import { shareableRequest } from '../../components/recordings/shareable-request.ts';

/** The archive of a test that is saved. @param file of the test */
export function archiveOf(file: string): string {
  return file.replace(/\.test\.ya?ml$/, '.har');
}

/**
 * The HTTP requests of an execution's steps, in a form that may be in a file for others.
 * @param pinned names of steps that do not run in the test
 */
export async function recordedOf(
  store: Pick<Store, 'executions'>,
  n: number,
  pinned: readonly string[],
  mask: Mask,
): Promise<RecordedRequest[]> {
  const rows = new Map((await store.executions.steps(n)).map((row) => [row.seq, row.namespace]));
  const records = await store.executions.requests(n);
  return records.flatMap(({ seq, requests }) => {
    const step = rows.get(seq);
    if (step !== undefined && pinned.includes(step)) return [];
    return requests.map((request) => ({ step, request: shareableRequest(request, mask) }));
  });
}

export interface OpenRecording {
  /** Resolves with where the requests of the test go. */
  readonly start: () => Promise<string>;
  /** @param accounts hides the values of the accounts that the code gets; called before it runs */
  hide(accounts: Mask): void;
  /**
   * @param made by the test
   * @param held sentences about what was held back beside requests without an answer
   */
  differences(
    made: WholeExecution['requests'],
    held: readonly string[],
  ): Result<'tests.run'>['differences'];
  close(): Promise<void>;
}

export interface RecordingParts {
  readonly environment: { readonly mask: Mask };
}

/**
 * @param file of the test; one without an archive has no request recorded
 * @param mode of the test
 * @returns undefined for a test whose requests are real
 * @throws WeirError `bad_input` for an archive that is not there or cannot be read
 */
export async function openRecording(
  { environment }: RecordingParts,
  file: string,
  { requests }: { readonly requests?: string | undefined },
  mode: RunMode = 'dry',
): Promise<OpenRecording | undefined> {
  if (mode === 'real') return undefined;
  const archive = requests === undefined ? undefined : join(dirname(file), requests);
  const recorded = archive === undefined ? [] : await read(archive);
  let server: RecordingServer | undefined;
  let mask = environment.mask;
  return {
    async start() {
      server = await recordingServer(
        new RecordedAnswers(recorded.map(({ request }) => request)),
        (asked) => shareableRequest(asked, mask),
      );
      return server.url;
    },
    hide(accounts) {
      mask = joinedMask([accounts, environment.mask]);
    },
    differences: (made, held) => [
      ...held.map((got) => ({ path: 'held_back', expected: 'nothing', got })),
      ...(server?.missing ?? []).map(({ message, asked }) => {
        const by = made.find(({ method, url, status }) => {
          return status === 501 && method === asked?.method && isSameUrl(url, asked.url);
        });
        const step = by === undefined ? '' : ` The step is ${by.path}.`;
        return {
          path: 'requests',
          expected:
            archive === undefined
              ? 'no request: none is recorded'
              : `an answer from ${basename(archive)}`,
          got: `${message}${step}`,
        };
      }),
    ],
    close: async () => server?.close(),
  };
}

async function read(archive: string): Promise<RecordedRequest[]> {
  try {
    return requestsOfHar(await readFile(archive, 'utf8'));
  } catch (error) {
    const why =
      (error as NodeJS.ErrnoException).code === 'ENOENT'
        ? 'there is no such file'
        : messageOf(error);
    throw new WeirError(
      'bad_input',
      `${archive} cannot be read: ${why}. Save the test again, or remove "requests" from it.`,
      undefined,
      error,
    );
  }
}
