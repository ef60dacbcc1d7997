import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SerializedError } from 'vitest';
import type {
  Reporter,
  TestCase,
  TestModule,
  TestSpecification,
  TestSuite,
  Vitest,
} from 'vitest/node';
import { ledgerAt, type Entry } from './ledger.mts';

/** Files that take less are not worth an order. */
const longSeconds = 10;

/**
 * A vitest reporter that writes the layer's ledger to `--outputFile.ledger=FILE`, and beside it, in `FILE-seconds.json`, how long
 * the long files took: scripts/test/seconds.json is made of that.
 */
export default class VitestLedger implements Reporter {
  #write: (entry: Entry) => void = () => {};
  #file = '';
  /** With `-t`, a person asks for some tests of a file: the others are not missed. */
  #isFiltered = false;

  onInit({ config }: Vitest): void {
    const { outputFile, testNamePattern } = config;
    const file = typeof outputFile === 'object' ? outputFile['ledger'] : undefined;
    if (file === undefined) throw new Error('--outputFile.ledger names no file.');
    this.#write = ledgerAt(file);
    this.#file = file;
    this.#isFiltered = testNamePattern !== undefined;
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    for (const { moduleId } of specifications) this.#write({ t: 'suite', suite: fileOf(moduleId) });
  }

  onTestModuleCollected(module: TestModule): void {
    const suite = fileOf(module.moduleId);
    for (const test of module.children.allTests()) {
      if (this.#isFiltered && test.options.mode === 'skip') continue;
      this.#write({ t: 'planned', title: titleOf(suite, test), suite });
    }
  }

  onTestCaseResult(test: TestCase): void {
    const suite = fileOf(test.module.moduleId);
    const title = titleOf(suite, test);
    const result = test.result();
    if (result.state === 'failed') {
      this.#write({ t: 'failed', title, suite, text: textOf(result.errors) });
    } else if (result.state === 'passed') {
      this.#write({ t: 'passed', title, suite });
    } else if (result.state === 'skipped') {
      if (this.#isFiltered && test.options.mode === 'skip') return;
      const reason = test.meta().notRun ?? result.note;
      if (reason !== undefined) this.#write({ t: 'not run', title, suite, text: reason });
      else this.#write({ t: 'missing', title, suite, text: 'It did not run, and gave no reason.' });
    }
  }

  /** Its own errors are those of hooks. */
  onTestSuiteResult(group: TestSuite): void {
    const suite = fileOf(group.module.moduleId);
    const errors = group.errors();
    if (errors.length === 0) return;
    this.#write({ t: 'failed', title: titleOf(suite, group), suite, text: textOf(errors) });
  }

  /** Its own errors are those of hooks, or why it does not load. */
  onTestModuleEnd(module: TestModule): void {
    const suite = fileOf(module.moduleId);
    const errors = module.errors();
    if (errors.length > 0) this.#write({ t: 'failed', title: suite, suite, text: textOf(errors) });
  }

  onTestRunEnd(
    modules: readonly TestModule[],
    unhandled: readonly SerializedError[],
    reason: 'passed' | 'interrupted' | 'failed',
  ): void {
    for (const error of unhandled) {
      this.#write({ t: 'failed', title: 'an unhandled error', suite: '', text: textOf([error]) });
    }
    if (reason !== 'interrupted') this.#write({ t: 'ended' });
    writeFileSync(
      this.#file.replace(/(?:\.jsonl)?$/, '-seconds.json'),
      `${JSON.stringify(secondsOf(modules), null, 2)}\n`,
    );
  }
}

/** The longest first. */
function secondsOf(modules: readonly TestModule[]): Record<string, number> {
  const times = modules.map((module): [string, number] => {
    const { collectDuration, duration } = module.diagnostic();
    return [fileOf(module.moduleId), Math.round((collectDuration + duration) / 1000)];
  });
  const long = times.filter(([, seconds]) => seconds >= longSeconds);
  return Object.fromEntries(long.toSorted(([, a], [, b]) => b - a));
}

function fileOf(moduleId: string): string {
  return path.relative('.', moduleId);
}

function titleOf(suite: string, { fullName }: TestCase | TestSuite): string {
  return `${suite}: ${fullName}`;
}

function textOf(
  errors: readonly { readonly message: string; readonly stack?: string | undefined }[],
): string {
  return errors
    .map(({ message, stack }) => (stack?.includes(message) ? stack : `${message}\n${stack ?? ''}`))
    .join('\n');
}
