/** The registries' components for the `uses` of a step. Starts no runtime, and returns nothing if none answers. */
import type { Result } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { Folder } from '../connection/folder.ts';
import type { RuntimeClient } from '../model/runtime-client.ts';
import { plain } from '../registry/page-text.ts';
import { ageText } from '../registry/search-text.ts';
import type { Suggestion } from './format.ts';
import type { RegistryAnswers } from './registry-answers.ts';
import {
  ofPackage,
  ofReleases,
  ofSearch,
  ofVersions,
  usesQuestion,
  type UsesQuestion,
} from './uses-question.ts';

/** @param late is called when there is more to say than what was returned */
export async function componentsFor(
  { link, root = '' }: Folder,
  answers: RegistryAnswers,
  word: string,
  late: () => void,
): Promise<Suggestion[]> {
  const { client } = link;
  const question = usesQuestion(word);
  if (client === undefined || question === undefined) return [];
  const name = JSON.stringify([root, question]);
  const found = await answers.get(name, (signal) => ask(client, question, signal), late);
  return found ?? [];
}

type Client = Pick<RuntimeClient, 'call'>;

async function ask(
  client: Client,
  question: UsesQuestion,
  signal: AbortSignal,
): Promise<Suggestion[]> {
  const read = (key: string): Promise<Result<'components.registry'>> =>
    client.call('components.registry', { key }, { signal });
  switch (question.kind) {
    case 'search': {
      const { query, isPackage } = question;
      // A package without a map is neither source nor action.
      const found = await client.call('components.search', { query }, { signal });
      const [problem] = found.problems;
      if (problem !== undefined && found.components.length === 0) {
        throw new WeirError('registry_failed', problem.message);
      }
      return ofSearch(found.components, isPackage);
    }
    case 'versions':
      return ofVersions(question.key, await read(question.key));
    case 'keys':
      try {
        return ofPackage(question.package, await read(`npm:${question.package}`));
      } catch (error) {
        return referencesIn(error).map((name) => ({ name }));
      }
    case 'releases':
      try {
        return ofReleases(await read(`npm:${question.package}`));
      } catch (error) {
        const [first] = referencesIn(error);
        return first === undefined ? [] : ofReleases(await read(first));
      }
  }
}

/** Several components fit: the error has them. */
function referencesIn(error: unknown): string[] {
  if (!WeirError.is(error, 'conflict')) throw error;
  return (error.details ?? []).map(({ message }) => message);
}

/** @returns Markdown; undefined where nothing is known of it */
export async function aboutComponent(
  { link }: Folder,
  uses: string,
  now: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (link.client === undefined || /^[./\\]|^$/.test(uses)) return undefined;
  const shown = await link.client
    .call('components.registry', { key: uses }, { signal })
    // The check of the file reports a reference that cannot be resolved.
    .catch(() => undefined);
  return shown && hoverText(shown, now);
}

/** @param now epoch milliseconds */
export function hoverText(shown: Result<'components.registry'>, now: number): string {
  const { name, key, version, versions, published_at: published } = shown;
  const newest = versions[0]?.version;
  const facts = [
    shown.license ?? 'no license',
    ...(published === null ? [] : [`published ${ageText(now - published)}`]),
    // A repository answers for itself: its URL says no more than its name here.
    ...(shown.publisher === shown.place ? [] : [shown.publisher]),
    ...(shown.publisher === shown.registry ? [] : [shown.registry]),
    ...(newest === undefined || newest === version ? [] : [`${newest} is the newest`]),
  ];
  return [
    `**${plain(name ?? key ?? shown.reference)}** ${plain([key, version].filter(Boolean).join(' '))}`,
    ...(shown.description === null ? [] : [plain(shown.description)]),
    facts.map(plain).join(' · '),
    ...(shown.deprecated === null ? [] : [`Deprecated: ${plain(shown.deprecated)}`]),
  ].join('\n\n');
}
