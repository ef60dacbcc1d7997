import path from 'node:path';
import { buildSync } from 'esbuild';
import { expect, test } from 'vitest';
import { withPlainSources } from '../../../../../src/runtime/components/bundle/source-map.ts';

/** Of a deployment. */
const folder = path.resolve('/data/deployments/hash');

const sourcesOf = (sources: string[]): string[] => {
  const sourcesContent = ['"sources": ["%41"],'];
  const map = Buffer.from(
    JSON.stringify({ version: 3, sources, sourcesContent, mappings: 'A' }, null, 2),
  );
  const plain = JSON.parse(Buffer.from(withPlainSources(map, folder)).toString('utf8')) as {
    sources: string[];
    sourcesContent: string[];
    mappings: string;
  };
  expect(plain).toMatchObject({ sourcesContent, mappings: 'A' });
  return plain.sources;
};

test.for([
  ['../a b/c.ts', '../a b/c.ts'],
  ['../%C3%9Cbungen %E6%97%A5/c.ts', '../Übungen 日/c.ts'],
  ['../%5Ba%5D (b)/c.ts', '../[a] (b)/c.ts'],
  ['../100%25 %231 why%3F/%C3%9C.ts', 'file:///data/deployments/100%25%20%231%20why%3F/%C3%9C.ts'],
])('%s is read as %s', ([encoded, plain]) => {
  expect(sourcesOf([encoded ?? ''])).toEqual([plain]);
});

test('a map that names nothing to decode is the very same, as esbuild writes it', () => {
  const stdin = { contents: 'export default 1', sourcefile: 'plain.js' };
  const outputs = buildSync({ stdin, sourcemap: 'linked', outfile: 'out.js', write: false });
  const map = outputs.outputFiles[0]?.contents ?? new Uint8Array();
  expect(withPlainSources(map, folder)).toBe(map);
});

test('a map of another form is refused, not misread', () => {
  expect(() => withPlainSources(Buffer.from('{"version":3,"mappings":"A"}'), folder)).toThrow(
    /form/,
  );
});
