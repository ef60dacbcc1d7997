/**
 * Several components at once: one question covers all that need one, and a failed component does not hold up the others
 * (P27.6).
 */
import { type ErrorDetail, messageOf, WeirError } from '../../protocol/errors.ts';
import type { ForeignReference } from '../components/origin.ts';
import { eachOf } from '../base/each-of.ts';
import type { Obtained, ObtainContext, Registry } from './registry.ts';

export interface AllObtained {
  readonly obtained: readonly Obtained[];
  /** Components that were not found, or could not be fetched. */
  readonly problems: readonly {
    readonly reference: string;
    readonly message: string;
    /** The reference of the nearest version that there is. */
    readonly nearest: string | null;
  }[];
}

/**
 * Fetches and locks allowed components, even if others need a question.
 * @param read the reference that a text is; it may throw a WeirError
 * @throws WeirError `trust_needed` with the questions of all as its details, `cancelled`
 */
export async function obtainAll(
  registry: Pick<Registry, 'obtain'>,
  references: readonly string[],
  read: (text: string) => ForeignReference,
  context: ObtainContext,
): Promise<AllObtained> {
  const wanted = [...new Set(references)];
  const obtained = new Map<string, Obtained>();
  const problems = new Map<string, { message: string; nearest: string | null }>();
  const asked = new Map<string, ErrorDetail>();
  await eachOf(wanted, async (reference) => {
    try {
      obtained.set(reference, await registry.obtain(read(reference), context));
    } catch (error) {
      if (!WeirError.is(error) || error.code === 'cancelled') throw error;
      if (error.code !== 'trust_needed') {
        const nearest = error.details?.find((one) => typeof one['nearest'] === 'string')?.[
          'nearest'
        ];
        problems.set(reference, {
          message: messageOf(error),
          nearest: typeof nearest === 'string' ? nearest : null,
        });
      }
      for (const detail of error.code === 'trust_needed' ? (error.details ?? []) : []) {
        asked.set(String(detail['token']), detail);
      }
    }
  });
  if (asked.size > 0) {
    const named = [...asked.values()].map((detail) => String(detail['reference']));
    throw new WeirError(
      'trust_needed',
      `Nobody has allowed these components of others here: ${named.join(', ')}. Look at what they are, and say yes with "weir add", on a terminal or with --trust.`,
      [...asked.values()],
    );
  }
  return {
    obtained: wanted.flatMap((one) => obtained.get(one) ?? []),
    problems: wanted.flatMap((reference) => {
      const problem = problems.get(reference);
      return problem === undefined ? [] : [{ reference, ...problem }];
    }),
  };
}
