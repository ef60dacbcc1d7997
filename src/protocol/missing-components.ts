/** The components that imported workflows name and that are not here, each once (pure). */
import type { Result } from './catalogue.ts';

/** Where the platform's public components are, and under which terms. */
export const publicComponents = {
  place: 'github:PipedreamHQ/pipedream',
  licence:
    "Those components are under Pipedream's Source Available License 1.0, which excludes commercial use.",
} as const;

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

/** What a person is told before the registries are asked. */
export function missingSentence(references: readonly string[]): string {
  const [first, ...others] = references;
  return others.length === 0
    ? `The component ${first ?? ''} is not here`
    : `${references.length} components are not here`;
}
