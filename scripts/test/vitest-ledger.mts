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

/** A vitest reporter that writes the layer's ledger to `--outputFile.ledger=FILE`. */
export default class VitestLedger implements Reporter {
  #write: (entry: Entry) => void = () => {};
  /** With `-t`, a person asks for some tests of a file: the others are not missed. */
  #isFiltered = false;

  onInit({ config }: Vitest): void {
    const { outputFile, testNamePattern } = config;
    const file = typeof outputFile === 'object' ? outputFile['ledger'] : undefined;
    if (file === undefined) throw new Error('--outputFile.ledger names no file.');
    this.#write = ledgerAt(file);
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
    _modules: readonly TestModule[],
    unhandled: readonly SerializedError[],
    reason: 'passed' | 'interrupted' | 'failed',
  ): void {
    for (const error of unhandled) {
      this.#write({ t: 'failed', title: 'an unhandled error', suite: '', text: textOf([error]) });
    }
    if (reason !== 'interrupted') this.#write({ t: 'ended' });
  }
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
