import { type ComponentType, componentKeys } from '../../protocol/vocabulary.ts';
import { findComponent, findDefinition } from '../component-files/find-component.ts';
import { type LooseObject, readLooseObject } from './loose-object.ts';

/** A component's definition as far as it is typed. */
export interface Definition {
  readonly root: LooseObject;
  /** Undefined as long as nothing says it. */
  readonly kind: ComponentType | undefined;
}

/**
 * The definition in a text, source, action or app. As long as nothing tells its kind, a default export
 * counts whose members could all be those of a component: somebody may be starting one.
 */
export function definitionIn(text: string): Definition | undefined {
  const found = findDefinition(text);
  if (found === undefined) return undefined;
  const root = readLooseObject(text, found.offset);
  const kind = kindOf(text, root, found.define);
  const isSaid = kind !== undefined || isDefine(found.define);
  return isSaid || mayBecomeOne(root) ? { root, kind } : undefined;
}

/** The package whose `define…` function, and so whose types, a text's definition has. */
export function typesOf(text: string): 'weir/component' | '@pipedream/types' | undefined {
  if (!isDefine(findDefinition(text)?.define)) return undefined;
  const found = /['"](weir\/component|@pipedream\/types)['"]/.exec(text)?.[1];
  return found as ReturnType<typeof typesOf>;
}

/** The text that a member is, by its name; undefined when it is anything else. */
export function textOf(text: string, object: LooseObject, name: string): string | undefined {
  const member = object.members.find((one) => one.name === name && one.kind === 'value');
  if (member === undefined) return undefined;
  return /^(["'`])([^"'`\\$\n]*|\$\.[\w.]*)\1$/.exec(
    text.slice(member.valueStart, member.end),
  )?.[2];
}

function isDefine(name: string | undefined): boolean {
  return /^define(?:Component|Source|Action|App)$/.test(name ?? '');
}

function kindOf(
  text: string,
  root: LooseObject,
  define: string | undefined,
): ComponentType | undefined {
  const said = textOf(text, root, 'type') ?? /^define(\w+)/.exec(define ?? '')?.[1]?.toLowerCase();
  if (said === 'app' || said === 'source' || said === 'action') return said;
  return findComponent(text)?.kind;
}

function mayBecomeOne({ members }: LooseObject): boolean {
  return members.every(
    // A name alone is one that is being typed.
    ({ name, kind }) => kind === 'name' || kind === 'other' || Object.hasOwn(componentKeys, name),
  );
}
