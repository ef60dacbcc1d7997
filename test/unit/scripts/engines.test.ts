import { subset } from 'semver';
import { expect, test } from 'vitest';
import lock from '../../../package-lock.json' with { type: 'json' };
import manifest from '../../../package.json' with { type: 'json' };

interface Locked {
  readonly optional?: boolean;
  readonly engines?: { readonly node?: string };
}

test('npm ci has no package to warn about, on any Node that package.json says is supported', () => {
  const others = Object.entries(lock.packages as Record<string, Locked>)
    // npm leaves out what is optional and does not fit.
    .filter(([, { optional }]) => optional !== true)
    .map(([name, { engines }]) => ({ name, node: engines?.node ?? '*' }))
    .filter(({ node }) => !subset(manifest.engines.node, node));
  expect(others).toEqual([]);
});
