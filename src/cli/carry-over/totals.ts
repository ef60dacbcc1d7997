/** Counts what the blocks of one command brought, and shows the counts. */
import type { Result } from '../../protocol/catalogue.ts';
import type { ConnectedTools, ExitCode } from '../cli.ts';
import { carryOverText, counted } from '../views/carry-over.ts';

type Taken = Result<'carry_over.take'>;
type Sums = Pick<Taken, 'blocks' | 'accounts' | 'variables' | 'records' | 'files' | 'already'>;

/** Refusals that are shown: a wrong file may have thousands. */
const mostShown = 10;

export class Totals {
  #sums: Sums = { blocks: 0, accounts: 0, variables: 0, records: 0, files: 0, already: 0 };
  /** Whether the last received run stopped before its end. */
  #isPart = false;
  readonly #fingerprints = new Set<string>();
  readonly #refused: string[] = [];

  /** Whether no block was found at all. */
  get isEmpty(): boolean {
    return this.#sums.blocks === 0 && this.#refused.length === 0;
  }

  add(taken: Taken): void {
    const sums = this.#sums;
    this.#sums = {
      blocks: sums.blocks + taken.blocks,
      accounts: sums.accounts + taken.accounts,
      variables: sums.variables + taken.variables,
      records: sums.records + taken.records,
      files: sums.files + taken.files,
      already: sums.already + taken.already,
    };
    if (taken.next !== undefined) this.#isPart = taken.next !== null;
    for (const one of taken.fingerprints) this.#fingerprints.add(one);
    this.#refused.push(...taken.refused);
  }

  refuse(sentence: string): void {
    this.#refused.push(sentence);
  }

  text(): string {
    const { accounts, variables, records, files } = this.#sums;
    return [
      counted(accounts, 'account'),
      counted(variables, 'variable'),
      counted(records, 'record'),
      counted(files, 'file'),
    ].join(', ');
  }

  /** 1 where something was refused or is missing. */
  async show({ call, out }: ConnectedTools): Promise<ExitCode> {
    const { data } = await call('carry_over.status', {});
    const touched = data.filter(({ fingerprints }) =>
      fingerprints.some((one) => this.#fingerprints.has(one)),
    );
    const fingerprints = [...this.#fingerprints];
    const value = { ...this.#sums, fingerprints, refused: this.#refused, carry_overs: touched };
    out.answer(value, () =>
      [
        `Took ${this.text()}.${this.#already()}`,
        ...(fingerprints.length > 0
          ? [`Fingerprint ${fingerprints.join(', ')}: compare it with the $summary of the step.`]
          : []),
        ...touched.map(carryOverText),
      ].join('\n'),
    );
    for (const sentence of this.#refused.slice(0, mostShown)) out.note(sentence);
    if (this.#refused.length > mostShown)
      out.note(`${this.#refused.length - mostShown} more were refused.`);
    return this.#refused.length > 0 || this.#isPart ? 1 : 0;
  }

  #already(): string {
    const { already } = this.#sums;
    return already === 0
      ? ''
      : ` ${already.toLocaleString('en-US')} were here already and stayed as they are.`;
  }
}
