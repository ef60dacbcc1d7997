/** The question about a foreign component, in the words of a person and in those of a program (pure; P27.6). */
import type { ManifestFacts } from './manifest-facts.ts';

/** Who defines an app, before any component of others. */
export type Definer = 'user' | 'built in' | 'workspace' | 'companion';

export interface TrustPromptParts {
  readonly token: string;
  readonly isYoung: boolean;
  readonly reasons: readonly string[];
  /** By app: what this component says of these does not count. */
  readonly definers: ReadonlyMap<string, Definer>;
}

export function presentTrustPrompt(
  facts: ManifestFacts,
  { token, isYoung, reasons, definers }: TrustPromptParts,
) {
  return {
    token,
    reference: referenceText(facts),
    key: facts.key,
    component_version: facts.componentVersion,
    type: facts.type,
    name: facts.name ?? null,
    source: facts.source,
    registry: facts.registry,
    publisher: facts.publisher,
    package: facts.package ?? null,
    version: facts.version,
    published_at: facts.publishedAt ?? null,
    is_too_new: isYoung,
    license: facts.license ?? null,
    license_note: facts.licenseNote ?? null,
    provenance: facts.provenance,
    deprecated: facts.deprecated ?? null,
    dependencies: { ...facts.dependencies },
    install_scripts: [...facts.installScripts],
    apps: [...facts.apps],
    hosts: [...facts.hosts],
    defines: facts.defines.map(({ app, file, hosts }) => ({
      app,
      file,
      hosts: [...hosts],
      defined_by: definers.get(app) ?? null,
    })),
    files: facts.files,
    bytes: facts.bytes,
    reasons: [...reasons],
  };
}

export type TrustPrompt = ReturnType<typeof presentTrustPrompt>;

export function formatTrustPrompt(question: TrustPrompt): string {
  const { reference, publisher, registry, reasons } = question;
  return `${reference} comes from ${publisher === registry ? registry : `${publisher} in ${registry}`}, and nobody has allowed it here. ${reasons.join(' ')} It would run with your rights: your files and the network. Look at what it is, and say yes with "weir add ${question.key}".`;
}

function referenceText({ package: name, version, key, componentVersion }: ManifestFacts): string {
  return name === undefined ? `${key}@${componentVersion}` : `npm:${name}@${version}#${key}`;
}
