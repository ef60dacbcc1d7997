import type { ApiServices } from './api-services.ts';
import { WeirError } from '../../../protocol/errors.ts';
import { askAll } from '../../registry/ask-all.ts';
import { versionHere } from '../../registry/cached-offer.ts';
import { describeOffer } from '../../registry/describe.ts';
import { entryReference } from '../../registry/lock.ts';
import { obtainAll } from '../../registry/obtain-all.ts';
import type { Offer, OfferedPackage } from '../../registry/offer.ts';
import { type ConfiguredRegistry, requireFolder } from '../../registry/registry-sources.ts';
import type { Obtained } from '../../registry/registry.ts';
import { resolveOffer } from '../../registry/resolve.ts';
import type { Handlers } from './operations.ts';
import { foreignReference, presentEntry, presentOffer } from './present-registries.ts';

type RegistryHandlers = Pick<
  Handlers,
  | 'components.search'
  | 'components.registry'
  | 'components.add'
  | 'components.add_all'
  | 'registries.list'
  | 'registries.add'
  | 'registries.remove'
  | 'registries.trust'
  | 'registries.trusted'
  | 'registries.forget'
>;

export interface RegistryHandlerParts extends Pick<
  ApiServices,
  'places' | 'registries' | 'registry'
> {}

const searchMs = 5000;

export function registryHandlers({
  places,
  registries,
  registry,
}: RegistryHandlerParts): RegistryHandlers {
  return {
    'components.search': async ({ query = '', app, type, registry: name, limit = 50 }, context) => {
      const asked = name === undefined ? registries.all() : [registries.named(name)];
      const words = query.toLowerCase().split(/\s+/).filter(Boolean);
      const { answers, problems } = await askAll(asked, searchMs, context.signal, (one, signal) =>
        one.search({ words, app, type, limit }, signal),
      );
      const offers = answers.flatMap((one) => one.offers).slice(0, limit);
      const packages = answers.flatMap((one) => one.packages).slice(0, limit - offers.length);
      const keys = (of: Offer['type']): string[] => [
        ...new Set(offers.filter((one) => one.type === of).map(({ key }) => key)),
      ];
      return {
        sources: keys('source'),
        actions: keys('action'),
        components: [...offers.map(presentOffer), ...packages.map(presentPackage)],
        problems: [...problems],
      };
    },
    'components.registry': async ({ key }, { signal, adHoc = 'none' }) => {
      const reference = foreignReference(key);
      let isHere = false;
      const offer = await resolveOffer(registries, reference, signal, adHoc).catch(
        async (error: unknown) => {
          const isGone = WeirError.is(error, 'not_found') || WeirError.is(error, 'registry_failed');
          const here = isGone ? await registry.offerHere(reference) : undefined;
          if (here === undefined) throw error;
          isHere = true;
          return here;
        },
      );
      const described = await describeOffer(offer, signal);
      const versions = isHere ? [versionHere(offer)] : await registry.versions(offer, signal);
      return {
        ...presentOffer(offer),
        code: described.code,
        code_hash: described.codeHash,
        configurable_props: described.props.map((prop) => ({ ...prop })),
        readme: described.readme ?? null,
        versions: versions.map((one) => ({
          version: one.version,
          package_version: one.packageVersion ?? null,
          commit: one.commit ?? null,
          published_at: one.publishedAt ?? null,
        })),
        others: [...described.others],
        files: [...described.files],
        trust: (await registry.questionAbout(offer, signal)) ?? null,
      };
    },
    'components.add': async ({ reference }, context) =>
      presentObtained(await registry.obtain(foreignReference(reference), context)),
    'components.add_all': async ({ references }, context) => {
      const { obtained, problems } = await obtainAll(
        registry,
        references,
        foreignReference,
        context,
      );
      return { added: obtained.map(presentObtained), problems: [...problems] };
    },
    'registries.list': () => ({ data: places.all().map(presentRegistry) }),
    'registries.add': async ({ place, name, user = false }, context) => {
      const added = places.check(place, name);
      context.progress(`Looking at ${added.text}`);
      if (added.place.kind === 'folder') await requireFolder(added.place.path);
      if (added.place.kind === 'git') {
        await registries
          .repository(added.place.url)
          .refresh(context.signal, { mayBeOld: false, mayBeMinutesOld: false });
      }
      return presentRegistry(await places.add(added, user));
    },
    'registries.remove': async ({ name }) => {
      await places.remove(name);
      return {};
    },
    'registries.trust': async ({ token }) => {
      await registry.say(token);
      return {};
    },
    'registries.trusted': async () => ({
      data: (await registry.trusted()).map(({ registry: of, publisher, subjects }) => ({
        registry: of,
        publisher,
        subjects: Object.keys(subjects).sort(),
      })),
    }),
    'registries.forget': async ({ publisher, registry: of }) => {
      await registry.forget(publisher, of);
      return {};
    },
  };
}

function presentRegistry({ name, text, place, from }: ConfiguredRegistry) {
  const problem = place.kind === 'unusable' ? { problem: place.why } : {};
  return { name, place: text, kind: place.kind, ...problem, from };
}

function presentPackage({
  registry,
  place,
  publisher,
  description,
  publishedAt,
  ...one
}: OfferedPackage) {
  return {
    reference: `npm:${one.package.name}@${one.package.version}`,
    key: null,
    version: null,
    type: null,
    name: null,
    app: null,
    commit: null,
    registry,
    place,
    publisher,
    license: null,
    deprecated: null,
    description: description ?? null,
    package: one.package.name,
    package_version: one.package.version,
    published_at: publishedAt ?? null,
  };
}

function presentObtained({ path, facts, entry }: Obtained) {
  return {
    key: entry.key,
    version: entry.version,
    type: facts.type,
    path,
    reference: entryReference(entry),
    locked: presentEntry(entry),
  };
}
