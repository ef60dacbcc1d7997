/** A component of a registry as its text describes it, for people who look before deploying; nothing is run. */
import { createHash } from 'node:crypto';
import { WeirError } from '../../protocol/errors.ts';
import { closureOf } from './closure.ts';
import { placedIn } from './layout.ts';
import type { ReadProp } from '../components/read-text.ts';
import type { Offer } from './offer.ts';
import { nearest, readmeNames, textOf } from './tree.ts';

export interface Described {
  readonly code: string;
  /** SHA-256 of the text, hex. */
  readonly codeHash: string;
  readonly props: readonly ReadProp[];
  readonly readme: string | undefined;
  /** Keys of the other components of its package, or of its app. */
  readonly others: readonly string[];
  readonly files: readonly string[];
}

const mostReadme = 200_000;

export async function describeOffer(offer: Offer, signal: AbortSignal): Promise<Described> {
  const tree = await offer.tree(signal);
  const closure = await closureOf(tree, offer.path, signal);
  const data = closure.files.get(offer.path);
  if (data === undefined) throw new WeirError('bad_component', `${offer.path} is missing.`);
  const code = new TextDecoder().decode(data);
  const readme = nearest(tree, offer.path, readmeNames);
  const text = readme === undefined ? undefined : await textOf(tree, readme, signal);
  const app = offer.key.replace(/^@[\w-]+\//, '').split('-')[0];
  const placed = placedIn(tree.paths, offer.package === undefined ? undefined : app);
  const others = placed.flatMap(({ key }) =>
    key !== undefined && key !== offer.key && key.startsWith(`${app}-`) ? [key] : [],
  );
  return {
    code,
    codeHash: createHash('sha256').update(data).digest('hex'),
    props: closure.texts.get(offer.path)?.props ?? [],
    readme: text?.slice(0, mostReadme),
    others: others.sort(),
    files: [...closure.files.keys()],
  };
}
