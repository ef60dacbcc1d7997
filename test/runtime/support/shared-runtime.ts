import { beforeAll } from 'vitest';
import { type AtEnd, atEndOfSuite } from './at-end.ts';
import { temporaryFolder } from './folder.ts';
import { startRuntime, type TestRuntime } from './runtime.ts';
import { sourceFile } from './source-file.ts';

export interface SharedRuntime extends TestRuntime {
  /** Holds its data folder and its key, and what the tests write. */
  readonly folder: string;
  /** For what else the tests of the file share. */
  readonly atEnd: AtEnd;
  /** Writes a component's code into the folder and returns its path. */
  file(name: string, code: string): Promise<string>;
}

/**
 * One runtime for all tests of a file: call it at the top. There is nothing in it before `beforeAll`.
 * @param args more arguments of `weir serve`, such as `--set NAME=VALUE`
 */
export function useRuntime(args: readonly string[] = []): SharedRuntime {
  const atEnd = atEndOfSuite();
  const shared = { atEnd } as SharedRuntime;
  beforeAll(async () => {
    const folder = await temporaryFolder(atEnd);
    const file = (name: string, code: string) => sourceFile(folder, name, code);
    Object.assign(shared, await startRuntime({ folder, args, atEnd }), { folder, file });
  });
  return shared;
}
