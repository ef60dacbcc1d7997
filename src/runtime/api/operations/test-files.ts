/** Files of tests, and the archives beside them: read and written. */
import { readFile, rm, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import type { Result } from '../../../protocol/catalogue.ts';
import { WeirError } from '../../../protocol/errors.ts';
import { placeInside, writeInside } from '../../../protocol/write-inside.ts';
import { harOf, type RecordedRequest } from '../../components/recordings/har.ts';
import type { ReadTest } from '../../workflows/tests/test-text.ts';
import { archiveOf } from './recorded-requests.ts';

export interface RanTest {
  /** Name of the folder of its workflow, or of the file of its source. */
  readonly subject: string;
  /** As its file has it. */
  readonly name: string | undefined;
  readonly differences: Result<'tests.run'>['differences'];
  /** The text with what came, where that was asked for and something differed; else as it was. */
  readonly brought: string;
  readonly executionId: string | null;
}

export interface TestToWrite {
  readonly file: string;
  readonly text: string;
  /** Places where a secret was removed. */
  readonly hidden: readonly string[];
  /** The recorded answers for its requests. */
  readonly recorded: readonly RecordedRequest[];
}

/** @throws WeirError `bad_input` for a file that is not there, or is no test */
export async function readTestFile(file: string): Promise<string> {
  if (!isAbsolute(file) || !/\.test\.ya?ml$/.test(file)) {
    throw new WeirError('bad_input', `${file} must be the absolute path of a .test.yaml file.`);
  }
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw new WeirError('bad_input', `There is no file ${file}.`, undefined, error);
  });
}

/** @throws WeirError `bad_input` with a detail for each mistake of the text, at its line */
export function testIn<T>(file: string, found: ReadTest<T>): T {
  if ('test' in found) return found.test;
  throw new WeirError(
    'bad_input',
    found.wrong.map(({ message, line }) => `${file}:${line}: ${message}`).join('\n'),
    found.wrong.map(({ message, line, column }) => ({ file, message, line, column })),
  );
}

/**
 * Path of a new test file.
 *
 * @param folder of the workflow or source
 * @throws WeirError `bad_input` for a name without letters and digits
 */
export function testFileIn(folder: string, name: string): string {
  const clean = name
    .trim()
    .replaceAll(/[^\w.-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '');
  if (clean !== '') return join(folder, 'tests', `${clean.slice(0, 100)}.test.yaml`);
  throw new WeirError('bad_input', `"${name}" has no letters or digits to name a file after.`);
}

/**
 * Writes a test and, beside it, the archive of the requests that its run sent.
 *
 * @param replace of a test that is replaced goes, too, the archive that answered it; another file with such a name
 * is somebody's and stays
 * @throws WeirError `conflict` for a file that is there and is not to be replaced
 */
export async function writeTest(
  { file, text, recorded }: TestToWrite,
  version: string,
  replace: boolean,
): Promise<void> {
  const archive = archiveOf(file);
  const folder = dirname(dirname(file));
  if (!replace && recorded.length > 0) await refuseExisting(archive);
  try {
    await writeInside(folder, file, text, { replace });
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? isThere(file) : error;
  }
  if (recorded.length > 0) await writeInside(folder, archive, harOf(recorded, version));
  else if (replace) {
    await rm(await placeInside(folder, archive, { followsLast: false }), { force: true });
  }
}

/** @throws WeirError `conflict` for a file that is there */
export async function refuseExisting(file: string): Promise<void> {
  if (await stat(file).catch(() => undefined)) throw isThere(file);
}

function isThere(file: string): WeirError {
  return new WeirError('conflict', `${file} is there already: give another name, or replace it.`);
}
