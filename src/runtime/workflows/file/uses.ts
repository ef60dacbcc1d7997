/** Resolves the `uses` of a step (pure). */
import { parseReference, type Reference } from '../../../protocol/reference.ts';

export type StepLanguage = 'node' | 'python' | 'bash';

export type StepCode =
  /** A file beside `workflow.yaml`, or elsewhere in the workspace. */
  | { readonly kind: 'file'; readonly path: string; readonly language: StepLanguage }
  /** A published component. */
  | { readonly kind: 'published'; readonly key: string; readonly version: string }
  /** A component of an npm package or a repository (P27.1). */
  | {
      readonly kind: 'foreign';
      readonly reference: Exclude<Reference, { readonly kind: 'file' | 'key' }>;
    };

const languages: Readonly<Record<string, StepLanguage>> = {
  js: 'node',
  mjs: 'node',
  ts: 'node',
  mts: 'node',
  py: 'python',
  sh: 'bash',
};

const published =
  /^((?:@[\w-]+\/)?[a-z0-9_]+(?:-[a-z0-9_]+)*)@(\d{1,9}\.\d{1,9}\.\d{1,9}(?:-[\w.-]{1,50})?)$/i;

/** @returns what is wrong as the end of a sentence when nothing is named that can run */
export function stepCodeOf(uses: string): StepCode | { readonly wrong: string } {
  if (/^\.\.?[/\\]/.test(uses)) return fileOf(uses);
  if (/^(?:npm|github|git):|^https?:\/\//i.test(uses)) {
    const reference = parseReference(uses);
    if ('wrong' in reference) return reference;
    if (reference.kind !== 'file' && reference.kind !== 'key')
      return { kind: 'foreign', reference };
  }
  const [, key, version] = published.exec(uses) ?? [];
  if (key !== undefined && version !== undefined) return { kind: 'published', key, version };
  if (/^(?:@[\w-]+\/)?[\w-]+$/.test(uses)) {
    return {
      wrong: `needs a version behind the component's key, as in "${uses.slice(0, 60)}@0.0.1"`,
    };
  }
  if (/\.[a-z]{2,3}$/.test(uses) && !uses.includes('@') && !/^(?:[\\/]|[a-z]:)/i.test(uses)) {
    return { wrong: `must begin with "./" to be a file: "./${uses.slice(0, 60)}"` };
  }
  return {
    wrong:
      'must be a file beside this one ("./name/entry.ts"), the file of a component ("../components/name.mjs"), a published component ("key@0.0.1") or one of a package or repository ("npm:package@1.0.0#key")',
  };
}

function fileOf(path: string): StepCode | { readonly wrong: string } {
  if (path.includes('\\')) return { wrong: 'must have "/" between folders' };
  const ending = /\.(\w+)$/.exec(path)?.[1] ?? '';
  if (ending === 'go') {
    return {
      wrong:
        'is a step in Go, which Weir does not run: write it in JavaScript, TypeScript, Python or Bash',
    };
  }
  const language = Object.hasOwn(languages, ending) ? languages[ending] : undefined;
  if (language !== undefined) return { kind: 'file', path, language };
  return {
    wrong: `must end in ${Object.keys(languages)
      .map((name) => `.${name}`)
      .join(', ')}`,
  };
}
