/** The components that imported workflows name and that are not here, each once (pure). */
import type { Result } from './catalogue.ts';

const licenseUrl = 'https://github.com/PipedreamHQ/pipedream/blob/master/LICENSE';

/**
 * The place of the platform's public components, and their terms: the license has the name that the repository gives
 * it.
 */
export const publicComponents = {
  place: 'github:PipedreamHQ/pipedream',
  license: `Its license is the "Pipedream Source Available License Version 1.0", which excludes commercial use: ${licenseUrl}`,
  /** The meaning of the license, for a reader of its name. */
  licenseNote: `It excludes commercial use: ${licenseUrl}`,
} as const;

/**
 * Says where missing components may be, in one line for each way to get them.
 * @param code marks a command, as the medium of the report does it
 */
export function waysToGet(
  { offers_public_components: isOffered, packages }: Offers,
  code: (command: string) => string,
): string[] {
  const { place, license } = publicComponents;
  return [
    ...(isOffered
      ? [
          `Missing components may be in Pipedream's public repository: run ${code(`weir registry add ${place}`)}, and import again. ${license}`,
        ]
      : []),
    ...(packages.length > 0
      ? [
          `npm has packages with components of these apps, in the versions of each package: ${code(`npm install ${packages.join(' ')}`)}`,
        ]
      : []),
  ];
}

type Offers = Pick<Result<'imports.run'>, 'offers_public_components' | 'packages'>;

/** As the steps name them, in the order of the report. */
export function missingComponents({
  workflows,
}: Pick<Result<'imports.run'>, 'workflows'>): string[] {
  const references = workflows.flatMap(({ findings }) =>
    findings.flatMap(({ question }) =>
      question?.kind === 'component' ? [question.reference] : [],
    ),
  );
  return [...new Set(references)];
}

/** The sentence for a person before the registries are asked. */
export function missingSentence(references: readonly string[]): string {
  const [first, ...others] = references;
  return others.length === 0
    ? `The component ${first ?? ''} is not here`
    : `${references.length} components are not here`;
}
