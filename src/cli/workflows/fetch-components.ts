/** The components that imported workflows lack, from the registries: asked about once, all together (P27.13). */
import { messageOf, WeirError } from '../../protocol/errors.ts';
import type { Result } from '../../protocol/catalogue.ts';
import { missingComponents, missingSentence } from '../../protocol/missing-components.ts';
import type { ConnectedTools } from '../cli.ts';
import { asking } from '../trust.ts';

export interface FetchFlags {
  /** Whether a person may be asked. */
  readonly mayAsk: boolean;
  /** Publishers whose components are allowed. */
  readonly trust: readonly string[];
}

/** @returns whether any was fetched; what was not stands in the report, and why in a note */
export async function fetchComponents(
  tools: ConnectedTools,
  report: Result<'imports.run'>,
  { mayAsk, trust }: FetchFlags,
): Promise<boolean> {
  const { out } = tools;
  const references = missingComponents(report);
  if (references.length === 0) return false;
  const { data: registries } = await tools.call('registries.list', {});
  // Others are found without one.
  if (registries.length === 0 && !references.some((one) => one.includes(':'))) return false;
  out.note(`${missingSentence(references)}; the registries are asked.`);
  try {
    const { call } = asking(tools, { trust }, mayAsk);
    const { added, problems } = await call('components.add_all', { references });
    for (const { reference, message } of problems) out.note(`${reference}: ${message}`);
    for (const { reference } of added) out.note(`Fetched, and locked: ${reference}`);
    return added.length > 0;
  } catch (error) {
    if (!WeirError.is(error, 'trust_needed')) throw error;
    const how = '"weir deploy" of a workflow asks again, and --trust PUBLISHER says yes.';
    out.note(mayAsk ? `They were not fetched: ${how}` : `${messageOf(error)} ${how}`);
    return false;
  }
}
