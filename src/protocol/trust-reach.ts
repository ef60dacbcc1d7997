/** How far a yes to a component of others goes (P27.6; pure). */
import type { TrustQuestion } from './catalogue.ts';

/**
 * A sentence for the person who is asked: the yes is for the publisher, although the question shows only one component.
 */
export function reachOfTrust({
  source,
  publisher,
  registry,
}: Pick<TrustQuestion, 'source' | 'publisher' | 'registry'>): string {
  const whose =
    source === 'npm'
      ? `what ${publisher} publishes in ${registry}`
      : `what is in ${source === 'git' ? 'the repository' : 'the folder'} ${registry}, whoever wrote it`;
  return `A yes counts for ${whose}: its other components run without a question, and so do versions that come later, until one changes what is shown here. "weir registry forget ${publisher}" takes it back.`;
}
