import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Prop, PropType } from '../../../src/component/props.ts';
import type { DedupeStrategy } from '../../../src/component/instance.ts';
import * as vocabulary from '../../../src/protocol/vocabulary.ts';

const { componentKeys, hookDocs, propKeys, propTypeDocs, scheduleDocs, strategyDocs } = vocabulary;

/** The keys that the types of `weir/component` have for a prop type. */
type KeysInTypes<Type> = Prop extends infer Each
  ? Each extends { type: infer Types }
    ? Type extends Types
      ? keyof Each
      : never
    : never
  : never;
type Words = typeof propKeys;
type KeysInWords<Type> = {
  [Key in keyof Words]: Type extends Words[Key]['types'][number] ? Key : never;
}[keyof Words];
type Difference = {
  [Type in PropType]:
    | Exclude<KeysInTypes<Type>, KeysInWords<Type>>
    | Exclude<KeysInWords<Type>, KeysInTypes<Type>>;
}[PropType];

test('has the prop types, their keys and the strategies that the types for authors have', () => {
  // `npm run check` fails here when one has a word that the other does not.
  const isSame: [Difference] extends [never] ? true : Difference = true;
  const types: Record<PropType, string> = propTypeDocs;
  const strategies: Record<DedupeStrategy, string> = strategyDocs;
  expect(isSame).toBe(true);
  // Pickers have no type for authors: their value is a text.
  const pickers = Object.keys(propTypeDocs).filter((type) =>
    /^\$\.(?:discord|airtable)/.test(type),
  );
  expect(Object.keys(types).length - pickers.length).toBe(20);
  expect(Object.keys(strategies)).toEqual(vocabulary.strategies);
});

/** By key, as in `/** … *\/ key?:`; of an interface, by the type that follows. */
function comments(file: string): [word: string, sentence: string][] {
  const text = readFileSync(file, 'utf8');
  const pattern = /\/\*\* (.*) \*\/\n\s*(?:interface \w+ \{\n\s*type: '([^']+)'|(\w+)\??[:(])/g;
  return [...text.matchAll(pattern)].map(([, doc = '', type, key]) => [type ?? key ?? '', doc]);
}

describe('says what the types say', () => {
  const inComponent = { ...componentKeys, ...hookDocs };
  test.each(comments('src/component/component.ts').filter(([word]) => word in inComponent))(
    '%s',
    (word, sentence) => {
      const found = inComponent[word as keyof typeof inComponent];
      expect(typeof found === 'string' ? found : found.doc).toBe(sentence);
    },
  );
  const ofProps = { ...propKeys, ...propTypeDocs };
  test.each(
    comments('src/component/props.ts').filter(([word]) => word in ofProps && word !== 'app'),
  )('%s', (word, sentence) => {
    const found = ofProps[word as keyof typeof ofProps];
    expect(typeof found === 'string' ? found : found.doc).toBe(sentence);
  });
});

test('every word is in the page for authors', () => {
  const page = readFileSync('docs/component-api.md', 'utf8');
  const words = [componentKeys, propKeys, propTypeDocs, scheduleDocs].flatMap(Object.keys);
  const missing = words.filter((word) => {
    const isPicker = word.startsWith('$.airtable.');
    return !isPicker && !word.endsWith('[]') && !page.includes(word);
  });
  expect(missing).toEqual([]);
});
