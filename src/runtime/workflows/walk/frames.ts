/** The state of an execution: segments of steps that run one after the other, and the blocks between them. */
import type { BlockStep, StepDefinition } from '../../../protocol/workflow.ts';
import { exportsText, nothing, type Outcome } from './outcome.ts';
import { elseBranch, formatBlock } from '../../../protocol/step-path.ts';

/** The result of a block's start: which branches run, or the list, each item as JSON text. */
export type Opening =
  | { readonly chosen: readonly string[] }
  | { readonly items: readonly string[] };

/** The steps of the file, of one branch, or of one item. It is let go of when its last step has ended. */
export class Segment {
  /** The one it is inside of. */
  readonly block: OpenBlock | undefined;
  /** Which of its block's segments: of `each` the item's index. */
  readonly number: number;
  /** Before the names of its steps. */
  readonly prefix: string;
  /** By name, of the steps that have ended: what later ones see. */
  readonly exports = new Map<string, string>();
  /** The result of the last step that ran. */
  last = nothing;
  readonly #steps: readonly StepDefinition[];
  #at = 0;

  constructor(
    steps: readonly StepDefinition[],
    prefix: string,
    block: OpenBlock | undefined,
    number: number,
  ) {
    this.#steps = steps;
    this.prefix = prefix;
    this.block = block;
    this.number = number;
    this.#skip();
  }

  /** Undefined after the last one. */
  get current(): StepDefinition | undefined {
    return this.#steps[this.#at];
  }

  /** The current step has ended. */
  advance(namespace: string, outcome: Outcome): void {
    this.exports.set(namespace, exportsText(outcome));
    this.last = outcome;
    this.#at++;
    this.#skip();
  }

  /** Disabled steps are as if they were not there (W6). */
  #skip(): void {
    while (this.#steps[this.#at]?.disabled === true) this.#at++;
  }
}

/** A block between its start and its end. */
export class OpenBlock {
  readonly step: BlockStep;
  readonly path: string;
  /** The segment that contains it. */
  readonly segment: Segment;
  hasFailed = false;
  readonly #branches: readonly Way[];
  readonly #items: readonly string[] | undefined;
  /** The return values of its segments, in order; null if there is none. Only the last step's counts. */
  readonly #returnValues: string[];
  #last = nothing;
  #next = 0;
  #open = 0;

  constructor(step: BlockStep, path: string, segment: Segment, opening: Opening) {
    this.step = step;
    this.path = path;
    this.segment = segment;
    this.#items = 'items' in opening ? opening.items : undefined;
    this.#branches = 'items' in opening ? step.branches : waysOf(step, opening.chosen);
    this.#returnValues = Array.from<string>({ length: this.#count }).fill('null');
  }

  get #count(): number {
    return this.#items?.length ?? this.#branches.length;
  }

  /** Branches run side by side, items so many as the file says. */
  get #width(): number {
    return this.#items === undefined ? Infinity : this.step.concurrency;
  }

  get isEnded(): boolean {
    return this.#open === 0 && (this.hasFailed || this.#next === this.#count);
  }

  /** The next segment that may start now, if there is one; after a failure none does. */
  nextSegment(): Segment | undefined {
    while (!this.hasFailed && this.#next < this.#count && this.#open < this.#width) {
      const segment = this.#segment(this.#next++);
      if (segment.current !== undefined) {
        this.#open++;
        return segment;
      }
    }
    return undefined;
  }

  /** @param failed a step of it did, and nothing comes after that */
  leave(segment: Segment, failed: boolean): void {
    this.#open--;
    this.hasFailed ||= failed;
    this.#last = segment.last;
    this.#returnValues[segment.number] = segment.last.returnValue ?? 'null';
  }

  /** The result that later steps see. */
  get outcome(): Outcome {
    switch (this.step.control) {
      case 'ifelse':
      case 'switch':
        return this.#last;
      // Ours: branches that did not run are absent, one that ran and has nothing to say is null.
      case 'parallel': {
        const values = this.#branches.map(
          ({ name }, number) => `${JSON.stringify(name)}:${this.#returnValues[number]}`,
        );
        return { exports: '{}', returnValue: `{${values.join(',')}}` };
      }
      case 'each':
        return { exports: '{}', returnValue: `[${this.#returnValues.join(',')}]` };
    }
  }

  /** The value that steps inside see under the block's own name; nothing unless it is a loop (W47). */
  own(segment: Segment): string | undefined {
    const item = this.#items?.[segment.number];
    return item === undefined ? undefined : `{"item":${item},"index":${segment.number}}`;
  }

  #segment(number: number): Segment {
    const { namespace } = this.step;
    const way = this.#branches[this.#items === undefined ? number : 0];
    const part =
      this.#items === undefined
        ? { namespace, branch: way?.name ?? '' }
        : { namespace, index: number };
    const prefix = this.segment.prefix + formatBlock(part);
    return new Segment(way?.steps ?? [], prefix, this, number);
  }
}

interface Way {
  readonly name: string;
  readonly steps: readonly StepDefinition[];
}

/** For `ifelse` and `switch` only the first (W46). A branch that the block does not have is ignored. */
function waysOf(step: BlockStep, chosen: readonly string[]): readonly Way[] {
  const ways: Way[] = step.branches.filter(({ name }) => chosen.includes(name));
  if (step.control === 'parallel') return ways;
  const { otherwise } = step;
  if (chosen.includes(elseBranch) && otherwise?.disabled === false)
    ways.push({ name: elseBranch, steps: otherwise.steps });
  return ways.slice(0, 1);
}
