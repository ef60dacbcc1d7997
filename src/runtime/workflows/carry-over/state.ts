/** The state of a carry-over: its key, its requests, and what has arrived (pure). */
import type { CarryKey, BlockHeader } from './open-block.ts';
import type { CarryPlan } from './plan.ts';
import type { CarryCursor } from './records.ts';
import type { CarryWay } from './step-code.ts';

/** A run of the step. */
export interface CarryRun {
  /** Its public key. */
  readonly run: string;
  readonly fingerprint: string;
  readonly at: number;
  /** Numbers of the blocks that have arrived. */
  readonly seen: readonly number[];
  /** How many there are; null until the last one has arrived. */
  readonly blocks: number | null;
  /** Where a next run continues; null at the end, and until the last block has arrived. */
  readonly next: CarryCursor | null;
}

export interface OpenFile {
  readonly path: string;
  readonly size: number;
  /** Numbers of the pieces that have arrived. */
  readonly pieces: readonly number[];
}

/** Times in epoch ms. */
export interface CarryState {
  readonly id: string;
  readonly token: string;
  readonly publicKey: string;
  /** Null when the carry-over has ended: then nothing more can be opened. */
  readonly privateKey: CarryKey['privateKey'] | null;
  readonly createdAt: number;
  readonly until: number;
  readonly way: CarryWay;
  readonly plan: CarryPlan;
  readonly runs: readonly CarryRun[];
  /** Ids of received accounts whose token expires and has no refresh token. */
  readonly bridges: readonly string[];
  /** Ids and names that the step could not read. */
  readonly unread: readonly string[];
  /** How many records the stores had there, by id. */
  readonly totals: readonly (readonly [id: string, records: number])[];
  readonly files: {
    readonly total: number | null;
    readonly done: readonly string[];
    readonly open: readonly OpenFile[];
  };
  /** Where a pull of an address continues. */
  readonly cursors: readonly (readonly [source: string, next: CarryCursor | null])[];
}

/** Why a block is not opened; undefined for one that may be. @param now epoch ms */
export function refusalOf(
  header: BlockHeader | undefined,
  states: readonly CarryState[],
  now: number,
): string | undefined {
  if (header === undefined) {
    return 'A block cannot be read, because it was cut or changed. Hand it over again.';
  }
  const block = nameOf(header);
  const state = states.find(({ id }) => id === header.carryOver);
  if (state === undefined) {
    return `${block} was made for another carry-over (${header.carryOver.slice(0, 20)}). Paste the step that "weir carry-over step" wrote here.`;
  }
  if (state.privateKey === null) {
    return `${block} is late: carry-over ${state.id} has ended and its key is deleted. Write a new step with "weir carry-over step".`;
  }
  if (now > state.until || header.at > state.until) {
    const day = new Date(state.until).toISOString().slice(0, 10);
    return `${block} is late: carry-over ${state.id} ended on ${day}. Write a new step with "weir carry-over step".`;
  }
  return undefined;
}

/** Why an opened block is not taken; undefined for one that is. */
export function repetitionOf(header: BlockHeader, state: CarryState): string | undefined {
  const run = state.runs.find((one) => one.run === header.run);
  if (run?.seen.includes(header.number) === true) {
    return `${nameOf(header)} has come before. Nothing of it was taken again.`;
  }
  if (run !== undefined && run.blocks !== null && header.number >= run.blocks) {
    return `${nameOf(header)} does not belong to its run, which has ${run.blocks}. Nothing of it was taken.`;
  }
  return undefined;
}

export function forgedText(header: BlockHeader): string {
  return `${nameOf(header)} cannot be opened: it was cut or changed, or made for another key. Hand it over again.`;
}

/** Notes that a block has arrived. @param end the content of its last record, for a run's last block */
export function withBlock(
  state: CarryState,
  { run, fingerprint, number, at }: BlockHeader,
  end: { readonly blocks: number; readonly next: CarryCursor | null } | undefined,
): CarryState {
  const known = state.runs.find((one) => one.run === run);
  const before = known ?? { run, fingerprint, at, seen: [], blocks: null, next: null };
  const after = { ...before, seen: [...before.seen, number], ...end };
  return { ...state, runs: [...state.runs.filter((one) => one.run !== run), after] };
}

/** The missing parts of runs, as sentences. */
export function holesOf(runs: readonly CarryRun[]): string[] {
  return runs.flatMap(({ fingerprint, seen, blocks }) => {
    if (blocks === null) return [`The last block of run ${fingerprint} is missing.`];
    const missing = Array.from({ length: blocks }, (_, n) => n).filter((n) => !seen.includes(n));
    return missing.map((n) => `Block ${n + 1} of ${blocks} of run ${fingerprint} is missing.`);
  });
}

function nameOf({ number, fingerprint }: BlockHeader): string {
  return `Block ${number + 1} of run ${fingerprint.slice(0, 20)}`;
}
