/**
 * Where a step run stands in its execution, as text: `post`, `if_1.yes.post` (block, branch, step),
 * `each_1[3].post` (the item with index 3). It is shown, is a part of tokens, and is the key of the step's rows.
 */

/** The name of the branch that runs when none matched, in paths and in what a block's start chose. */
export const elseBranch = '$else';

/** The way to a step: each block on it and which branch or item, outermost first. */
export interface StepPath {
  readonly blocks: readonly BlockPart[];
  readonly namespace: string;
}

export type BlockPart =
  | { readonly namespace: string; readonly branch: string }
  /** For `each`; the first item is 0. */
  | { readonly namespace: string; readonly index: number };

export function formatPath({ blocks, namespace }: StepPath): string {
  return blocks.map(formatBlock).join('') + formatName(namespace);
}

/** The prefix of the names of the steps inside, including the dot. */
export function formatBlock(part: BlockPart): string {
  const name = formatName(part.namespace);
  return 'index' in part ? `${name}[${part.index}].` : `${name}.${formatName(part.branch)}.`;
}

/** A name in a path: the four characters with a meaning there are escaped as in URLs. */
export function formatName(name: string): string {
  return name.replaceAll(/[%.[\]]/g, (character) => escapes[character] ?? character);
}

/** Undefined when the text is not a path of a step, or not as `formatPath` writes it. */
export function parsePath(text: string): StepPath | undefined {
  const match = whole.exec(text)?.groups;
  if (match === undefined) return undefined;
  const blocks = [...(match['blocks'] ?? '').matchAll(block)].map(({ groups = {} }): BlockPart => {
    const namespace = parseName(groups['name'] ?? '');
    return groups['index'] === undefined
      ? { namespace, branch: parseName(groups['branch'] ?? '') }
      : { namespace, index: Number(groups['index']) };
  });
  return { blocks, namespace: parseName(match['step'] ?? '') };
}

function parseName(text: string): string {
  return text.replaceAll(/%(?:25|2E|5B|5D)/g, (escape) =>
    String.fromCodePoint(Number.parseInt(escape.slice(1), 16)),
  );
}

const escapes: Readonly<Record<string, string>> = {
  '%': '%25',
  '.': '%2E',
  '[': '%5B',
  ']': '%5D',
};

const name = String.raw`(?:[^%.[\]]|%(?:25|2E|5B|5D))+`;
const index = String.raw`(?:0|[1-9][0-9]{0,8})`;
const whole = new RegExp(
  String.raw`^(?<blocks>(?:${name}(?:\[${index}\]|\.${name})\.)*)(?<step>${name})$`,
);
const block = new RegExp(
  String.raw`(?<name>${name})(?:\[(?<index>${index})\]|\.(?<branch>${name}))\.`,
  'g',
);

/** The path without the items of loops: what a step is at every item, such as its db, it is once. */
export function withoutItems(path: string): string {
  return path.replaceAll(/\[\d+\]/g, '');
}
