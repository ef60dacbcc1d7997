/** Which steps have changed between two versions of a workflow, themselves or before them (pure; P25.95). */
import { isDeepStrictEqual } from 'node:util';
import { elseBranch, formatBlock, formatName, withoutItems } from '../../../protocol/step-path.ts';
import type { BlockStep, Condition, StepDefinition } from '../../../protocol/workflow.ts';

export interface StepVersion {
  readonly steps: readonly StepDefinition[];
  /** The code behind `uses`: the same text for the same code; undefined where it cannot be built. */
  readonly codeOf: (uses: string) => string | undefined;
}

export interface Stale {
  readonly because: 'code' | 'props' | 'upstream';
  /** `upstream`: path, without items of loops, of the first step that is another one than before. */
  readonly of: string | null;
}

/**
 * @returns undefined for a step whose result would be made in the same way now, and for one that is not there any
 * more
 */
export function staleStep(before: StepVersion, now: StepVersion, path: string): Stale | undefined {
  const at = ofFirstItems(path);
  const was = placesOf(before).get(at);
  const is = placesOf(now).get(at);
  if (is === undefined || was === undefined) return undefined;
  if (!isDeepStrictEqual(is.code, was.code)) return { because: 'code', of: null };
  if (!isDeepStrictEqual(is.props, was.props)) return { because: 'props', of: null };
  const of = firstOther(was.upstream, is.upstream);
  return of === undefined ? undefined : { because: 'upstream', of: withoutItems(of) };
}

/** A step as the steps after it see it. */
interface Mark {
  readonly path: string;
  readonly is: unknown;
}

interface StepFacts {
  readonly code: unknown;
  /** For a block, the values that it branches or loops by. */
  readonly props: unknown;
  /** The steps that ran before it; for a block also its inner ones. */
  readonly upstream: readonly Mark[];
}

const known = new WeakMap<StepVersion, ReadonlyMap<string, StepFacts>>();

function placesOf(version: StepVersion): ReadonlyMap<string, StepFacts> {
  const found = known.get(version);
  if (found !== undefined) return found;
  const places = new Map<string, StepFacts>();
  place(version, version.steps, '', [], places);
  known.set(version, places);
  return places;
}

/** @returns the marks of these steps, for later steps */
function place(
  version: StepVersion,
  steps: readonly StepDefinition[],
  above: string,
  upstream: readonly Mark[],
  places: Map<string, StepFacts>,
): readonly Mark[] {
  const marks: Mark[] = [];
  for (const step of steps) {
    if (step.disabled) continue;
    const path = above + formatName(step.namespace);
    const before = [...upstream, ...marks];
    if (step.kind === 'action') {
      const { uses, props } = step;
      const own = { code: version.codeOf(uses) ?? null, props: asJson(props) };
      places.set(path, { ...own, upstream: before });
      marks.push({ path, is: own });
      continue;
    }
    const props = asJson([step.control, step.on]);
    const inside = branchesOf(step).flatMap(({ part, when, steps: inner }): readonly Mark[] => {
      const way: Mark = { path, is: [props, asJson(when)] };
      const own = place(version, inner, above + formatBlock(part), [...before, way], places);
      return [way, ...own];
    });
    places.set(path, { code: null, props, upstream: [...before, ...inside] });
    marks.push({ path, is: props }, ...inside);
  }
  return marks;
}

interface Way {
  readonly part: Parameters<typeof formatBlock>[0];
  readonly when: Condition | null;
  readonly steps: readonly StepDefinition[];
}

function branchesOf({ namespace, control, branches, otherwise }: BlockStep): Way[] {
  const ways = branches.map(({ name, when, steps }): Way => {
    const part = control === 'each' ? { namespace, index: 0 } : { namespace, branch: name };
    return { part, when, steps };
  });
  if (otherwise === undefined || otherwise.disabled) return ways;
  return [...ways, { part: { namespace, branch: elseBranch }, when: null, steps: otherwise.steps }];
}

function firstOther(was: readonly Mark[], is: readonly Mark[]): string | undefined {
  const at = is.findIndex((mark, index) => !isDeepStrictEqual(mark, was[index]));
  if (at !== -1) {
    // A step that was removed or inserted: the report names the step at fault.
    const here = is[at];
    const isNew = was.every(({ path }) => path !== here?.path);
    const gone = was[at];
    const isGone = gone !== undefined && is.every(({ path }) => path !== gone.path);
    return isGone && !isNew ? gone.path : here?.path;
  }
  return was[is.length]?.path;
}

/** As the store gives it back. */
function asJson(value: unknown): unknown {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as unknown);
}

function ofFirstItems(path: string): string {
  return path.replaceAll(/\[\d+\]/g, '[0]');
}
