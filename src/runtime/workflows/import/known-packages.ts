/** Which npm packages a report may name: those in the user's npm registry. */
import { WeirError } from '../../../protocol/errors.ts';
import { eachOf } from '../../base/each-of.ts';
import { type ImportedWorkflow, packagesIn } from './report.ts';

/** @throws WeirError `registry_failed` where the registry does not answer, `cancelled` */
export type HasPackage = (name: string, signal: AbortSignal) => Promise<boolean>;

/** A report does not wait longer for a registry. */
const patienceMs = 10_000;

/**
 * Takes the names of packages out of questions that the registry does not have, or does not answer for.
 * @throws WeirError `cancelled`
 */
export async function withKnownPackages(
  workflows: readonly ImportedWorkflow[],
  hasPackage: HasPackage,
  signal: AbortSignal,
): Promise<ImportedWorkflow[]> {
  const known = new Set<string>();
  // A registry that fails for one package is not asked for the others.
  const failed = new AbortController();
  const patience = AbortSignal.any([signal, failed.signal, AbortSignal.timeout(patienceMs)]);
  await eachOf(packagesIn(workflows), async (name) => {
    if (patience.aborted) return;
    try {
      if (await hasPackage(name, patience)) known.add(name);
    } catch (error) {
      if (!WeirError.is(error)) throw error;
      failed.abort();
    }
  });
  if (signal.aborted) throw new WeirError('cancelled', 'Cancelled.');
  return workflows.map((workflow) => ({
    ...workflow,
    findings: workflow.findings.map((finding) => {
      const { question } = finding;
      if (question?.kind !== 'component' || question.package === null) return finding;
      if (known.has(question.package)) return finding;
      return { ...finding, question: { ...question, package: null } };
    }),
  }));
}

/** Remembers packages that exist; one that does not may be published later. */
export function remembering(hasPackage: HasPackage): HasPackage {
  const existing = new Set<string>();
  return async (name, signal) => {
    if (!existing.has(name) && (await hasPackage(name, signal))) existing.add(name);
    return existing.has(name);
  };
}
