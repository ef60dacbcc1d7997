/** The components that imported workflows lack, from the registries: asked about once, all together (P27.13). */
import { messageOf, WeirError } from '../../protocol/errors.ts';
import type { Result } from '../../protocol/catalogue.ts';
import {
  missingComponents,
  missingSentence,
  publicComponents,
} from '../../protocol/missing-components.ts';
import type { ConnectedTools } from '../cli.ts';
import { createPrompt } from '../prompt.ts';
import { asking } from '../trust.ts';

export interface FetchFlags {
  /** Whether a person may be asked. */
  readonly mayAsk: boolean;
  /** Publishers whose components are allowed. */
  readonly trust: readonly string[];
  /** Take the nearest versions without asking. */
  readonly nearest: boolean;
}

type Problem = Result<'components.add_all'>['problems'][number];

export interface Fetched {
  /** Whether any was fetched, or a workflow uses another version now. */
  readonly changed: boolean;
  /** Components that were not fetched, and why, for the report. */
  readonly problems: readonly Problem[];
}

const nothing: Fetched = { changed: false, problems: [] };

/** Asks the registries for what is missing, and whether the nearest versions are taken where there is no such one. */
export async function fetchComponents(
  tools: ConnectedTools,
  report: Result<'imports.run'>,
  flags: FetchFlags,
): Promise<Fetched> {
  const references = missingComponents(report);
  if (references.length === 0) return nothing;
  const { data: registries } = await tools.call('registries.list', {});
  const isOffered = flags.mayAsk && registries.length === 0;
  const isAdded = isOffered && (await offerRegistry(tools, references));
  // Others are found without one.
  const isAskable = isAdded || registries.length > 0 || references.some((one) => one.includes(':'));
  if (!isAskable) return nothing;
  tools.out.note(`${missingSentence(references)}; the registries are asked.`);
  const first = await obtain(tools, references, flags);
  const nearest = new Map(
    first.problems.flatMap(({ reference, nearest: near }) =>
      near === null ? [] : [[reference, near] as const],
    ),
  );
  if (nearest.size === 0 || !(await takesNearest(tools, nearest, flags))) return first;
  for (const { folder, findings } of report.workflows) {
    const used = findings.flatMap(({ question }) =>
      question?.kind === 'component' && nearest.has(question.reference)
        ? [[question.reference, nearest.get(question.reference) ?? ''] as const]
        : [],
    );
    if (folder === null || used.length === 0) continue;
    const versions = Object.fromEntries(used);
    await tools.call('imports.take_versions', { workflow_path: folder, versions });
  }
  const second = await obtain(tools, [...new Set(nearest.values())], flags);
  const left = first.problems.filter(({ reference }) => !nearest.has(reference));
  return { changed: true, problems: [...left, ...second.problems] };
}

async function obtain(
  tools: ConnectedTools,
  references: readonly string[],
  { mayAsk, trust }: FetchFlags,
): Promise<Fetched> {
  const { out } = tools;
  try {
    const { call } = asking(tools, { trust }, mayAsk);
    const { added, problems } = await call('components.add_all', { references: [...references] });
    for (const { reference, message } of problems) out.note(`${reference}: ${message}`);
    for (const { reference } of added) out.note(`Fetched, and locked: ${reference}`);
    return { changed: added.length > 0, problems };
  } catch (error) {
    if (!WeirError.is(error, 'trust_needed')) throw error;
    const how = '"weir deploy" of a workflow asks again, and --trust PUBLISHER says yes.';
    out.note(mayAsk ? `They were not fetched: ${how}` : `${messageOf(error)} ${how}`);
    const message = `A registry has it, and nobody has allowed it: ${how}`;
    const asked = new Set(
      (error.details ?? []).map((detail) => String(detail['reference']).replace(/^.*#/, '')),
    );
    const refused = references.filter(
      (one) => asked.has(one) || asked.has(one.split('@')[0] ?? ''),
    );
    const named = refused.length > 0 ? refused : references;
    return {
      changed: false,
      problems: named.map((reference) => ({ reference, message, nearest: null })),
    };
  }
}

/** @returns whether it was added */
async function offerRegistry(
  { out, io, interrupted, call }: ConnectedTools,
  references: readonly string[],
): Promise<boolean> {
  const { place, license } = publicComponents;
  if (references.every((one) => one.includes(':'))) return false;
  out.note(
    `${missingSentence(references)}, and no registry is configured. Pipedream's public components are in ${place}. ${license}`,
  );
  const prompt = createPrompt(io, interrupted);
  const answer = await prompt.ask(`Add ${place} as a registry? (y/N) `);
  if (!/^y(?:es)?$/i.test(answer.trim())) return false;
  try {
    await call('registries.add', { place });
    return true;
  } catch (error) {
    if (!WeirError.is(error) || error.code === 'cancelled') throw error;
    out.note(messageOf(error));
    return false;
  }
}

async function takesNearest(
  { out, io, interrupted }: ConnectedTools,
  nearest: ReadonlyMap<string, string>,
  { mayAsk, nearest: isSaid }: FetchFlags,
): Promise<boolean> {
  if (isSaid) return true;
  if (!mayAsk) return false;
  for (const [wanted, near] of nearest) out.note(`  ${wanted}  →  ${near}`);
  const what = nearest.size === 1 ? 'this nearest version' : `the nearest of these ${nearest.size}`;
  const prompt = createPrompt(io, interrupted);
  const answer = await prompt.ask(`Take ${what}? It is written into "uses". (y/N) `);
  return /^y(?:es)?$/i.test(answer.trim());
}
