/** The carry-overs of a data folder: writes steps, takes what they hand over, and says what is missing. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { blockPattern } from '../../../protocol/carry-over-blocks.ts';
import { WeirError } from '../../../protocol/errors.ts';
import type { Sealer } from '../../accounts/seal.ts';
import { KeyedMutex } from '../../base/keyed-mutex.ts';
import type { SettingsTable } from '../../store/configuration/settings.ts';
import { headerOf, newCarryKey, openBlock } from './open-block.ts';
import { type CarryPlan, isEmptyPlan } from './plan.ts';
import type { CarryCursor } from './records.ts';
import {
  type CarryState,
  forgedText,
  holesOf,
  refusalOf,
  repetitionOf,
  withBlock,
} from './state.ts';
import { type CarryStatus, statusOf } from './status.ts';
import { type CarryWay, stepCode } from './step-code.ts';
import { type Counts, noCounts, type TakeOptions, takeRecords } from './take-records.ts';

export interface CarryOversOptions extends TakeOptions {
  readonly settings: SettingsTable;
  readonly sealer: Sealer;
  readonly now: () => number;
  /** Random text, base64url. */
  readonly random: (bytes: number) => string;
  /** Absolute path of the data folder. */
  readonly dataFolder: string;
}

export interface Taken extends Counts {
  readonly blocks: number;
  readonly fingerprints: readonly string[];
  /** One sentence for each block and record that was not taken. */
  readonly refused: readonly string[];
  /** Where a pull continues; null at the end, undefined if no run has ended. */
  readonly next: CarryCursor | null | undefined;
  /** Carry-overs that this completed. */
  readonly completed: readonly string[];
}

const setting = 'carryOvers';
const dayMs = 86_400_000;

export class CarryOvers {
  readonly #options: CarryOversOptions;
  /** Blocks that two callers pass at the same time are processed one after the other. */
  readonly #turn = new KeyedMutex();

  constructor(options: CarryOversOptions) {
    this.#options = options;
  }

  /**
   * Makes a key and writes the step that asks for what a plan names.
   * @throws WeirError `bad_input` where nothing is missing
   */
  async begin(
    plan: CarryPlan,
    way: CarryWay,
    days: number,
  ): Promise<{ state: CarryState; code: string }> {
    const { now, random } = this.#options;
    if (isEmptyPlan(plan)) {
      const [first] = plan.notAsked;
      throw new WeirError(
        'bad_input',
        first === undefined
          ? 'The imported workflows of this folder miss nothing that a step could hand over. Import workflows first, or run "weir carry-over status".'
          : `A step can ask for nothing yet, because the app of account ${first.id} (used by ${first.usedBy}) is unknown. Fetch the components of that workflow with "weir import", then write the step.`,
      );
    }
    const state: CarryState = {
      id: random(9),
      token: random(18),
      ...newCarryKey(),
      createdAt: now(),
      until: now() + days * dayMs,
      way,
      plan,
      runs: [],
      bridges: [],
      unread: [],
      totals: [],
      files: { total: null, done: [], open: [] },
      cursors: [],
    };
    await this.#turn.run('', async () => this.#save([...this.#load(), state]));
    return { state, code: stepCode(state) };
  }

  /** @param source where a pull got the text, so that the next one continues there */
  take(text: string, source: string | undefined): Promise<Taken> {
    return this.#turn.run('', () => this.#take(text, source));
  }

  /** The newest last. */
  async list(): Promise<{ state: CarryState; status: CarryStatus }[]> {
    const all = this.#load();
    return Promise.all(all.map(async (state) => ({ state, status: await this.#statusOf(state) })));
  }

  /** Deletes the key: nothing more can be taken. @throws WeirError `not_found` */
  end(id: string): Promise<void> {
    return this.#turn.run('', async () => {
      const all = this.#load();
      if (!all.some((one) => one.id === id)) {
        throw new WeirError(
          'not_found',
          `There is no carry-over ${id}. "weir carry-over status" lists them.`,
        );
      }
      await this.#save(all.map((one) => (one.id === id ? { ...one, privateKey: null } : one)));
      await rm(this.#partsDir(id), { recursive: true, force: true });
    });
  }

  async #take(text: string, source: string | undefined): Promise<Taken> {
    const counts = noCounts();
    const refused: string[] = [];
    const completed: string[] = [];
    const fingerprints = new Set<string>();
    let blocks = 0;
    let next: CarryCursor | null | undefined;
    for (const block of text.match(blockPattern) ?? []) {
      const all = this.#load();
      const header = headerOf(block);
      const refusal = refusalOf(header, all, this.#options.now());
      const state = all.find(({ id }) => id === header?.carryOver);
      if (
        refusal !== undefined ||
        header === undefined ||
        state === undefined ||
        state.privateKey === null
      ) {
        refused.push(refusal ?? 'A block cannot be read.');
        continue;
      }
      const key = { publicKey: state.publicKey, privateKey: state.privateKey };
      const records = openBlock(block, header, key);
      const reason = records === undefined ? forgedText(header) : repetitionOf(header, state);
      if (records === undefined || reason !== undefined) {
        refused.push(reason ?? forgedText(header));
        continue;
      }
      const options = { ...this.#options, partsDir: this.#partsDir(state.id) };
      const taken = await takeRecords(options, state, records, counts);
      refused.push(...taken.refused);
      const end = records.find((one) => one.t === 'end');
      let after = withBlock(taken.state, header, end);
      if (end !== undefined) {
        next = end.next;
        if (source !== undefined) {
          const others = after.cursors.filter(([one]) => one !== source);
          after = { ...after, cursors: [...others, [source, end.next]] };
        }
      }
      const isWhole = holesOf(after.runs.filter(({ run }) => run === header.run)).length === 0;
      if (isWhole && (await this.#statusOf(after)).isComplete) {
        // Recorded traffic can no longer be decrypted by anybody who gets this folder.
        after = { ...after, privateKey: null };
        completed.push(after.id);
      }
      await this.#save(all.map((one) => (one.id === after.id ? after : one)));
      fingerprints.add(header.fingerprint);
      blocks += 1;
    }
    return { ...counts, blocks, fingerprints: [...fingerprints], refused, next, completed };
  }

  async #statusOf(state: CarryState): Promise<CarryStatus> {
    const { accounts, environment, stores, now } = this.#options;
    const variables = new Set(environment.list().map(({ name }) => name));
    const counts = new Map<string, number>();
    for (const { id } of state.plan.stores) {
      const here = stores.find(id);
      counts.set(id, here === undefined ? 0 : await stores.count(here.id, now()));
    }
    return statusOf(state, {
      hasAccount: (id) => accounts.find(id) !== undefined,
      hasVariable: (name) => variables.has(name),
      records: (id) => counts.get(id) ?? 0,
    });
  }

  #partsDir(id: string): string {
    return join(this.#options.dataFolder, 'carry-over', id);
  }

  /** @throws WeirError `store_failed` where they were sealed with the key of another machine */
  #load(): CarryState[] {
    const sealed = this.#options.settings.get(setting) ?? '';
    return sealed === '' ? [] : (JSON.parse(this.#options.sealer.open(sealed)) as CarryState[]);
  }

  async #save(states: readonly CarryState[]): Promise<void> {
    await this.#options.settings.set(setting, this.#options.sealer.seal(JSON.stringify(states)));
  }
}
