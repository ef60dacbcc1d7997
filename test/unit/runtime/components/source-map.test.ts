import { expect, test } from 'vitest';
import { withPlainSources } from '../../../../src/runtime/components/source-map.ts';

const sourcesOf = (sources: string[]): string[] => {
  const map = Buffer.from(JSON.stringify({ version: 3, sources, mappings: 'A' }));
  const plain = JSON.parse(Buffer.from(withPlainSources(map)).toString('utf8')) as {
    sources: string[];
    mappings: string;
  };
  expect(plain.mappings).toBe('A');
  return plain.sources;
};

test.for([
  ['../a b/c.ts', '../a b/c.ts'],
  ['../%C3%9Cbungen %E6%97%A5/c.ts', '../Übungen 日/c.ts'],
  ['../%5Ba%5D (b)/c.ts', '../[a] (b)/c.ts'],
  ['../100%25 %231 why%3F/c.ts', '../100%25 %231 why%3F/c.ts'],
])('%s is read as %s', ([encoded, plain]) => {
  expect(sourcesOf([encoded ?? ''])).toEqual([plain]);
});
