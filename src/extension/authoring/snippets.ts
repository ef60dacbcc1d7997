import type { ComponentType } from '../../protocol/vocabulary.ts';

const texts = new Set(
  'name type app key description dedupe label content appProp alertType accessMode format cron timezone'.split(
    ' ',
  ),
);
const blocks = new Set(['props', 'propDefinitions', 'hooks', 'methods', 'annotations']);
const flags = new Set(
  'optional useQuery withLabel reloadProps hidden disabled secret customResponse sync remote'.split(
    ' ',
  ),
);
const others: Readonly<Record<string, string>> = {
  version: '"${1:0.0.1}"',
  propDefinition: '[${1:app}, "${2:name}"]',
  options: '[$1]',
  eventNames: '[$1]',
  auth: '{ app: "$1" }',
};
const parameters: Readonly<Record<string, string>> = {
  deploy: '',
  activate: '',
  deactivate: '',
  additionalProps: 'previousProps',
};

/**
 * The completion of a key, in the syntax of snippets: `$1` is where the user types next.
 * @param kind of the component, if it is known
 */
export function memberSnippet(key: string, kind: ComponentType | undefined): string {
  const taken = key === 'run' ? runParameters(kind) : parameters[key];
  if (taken !== undefined) return `async ${key}(${taken}) {\n\t$0\n}`;
  if (texts.has(key)) return `${key}: "$1"`;
  if (blocks.has(key)) return `${key}: {\n\t$0\n}`;
  if (flags.has(key)) return `${key}: true`;
  return `${key}: ${others[key] ?? '$1'}`;
}

function runParameters(kind: ComponentType | undefined): string {
  return kind === 'action' ? String.raw`{ steps, \$ }` : '${1:event}';
}

/** As it is, in a snippet. */
export function literally(text: string): string {
  return text.replaceAll(/[\\$}]/g, String.raw`\$&`);
}
