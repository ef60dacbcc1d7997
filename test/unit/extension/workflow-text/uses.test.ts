/** Components of registries behind `uses`: what is asked for, what is offered, and who waits how long. */
import { describe, expect, test } from 'vitest';
import type { Result } from '../../../../src/protocol/catalogue.ts';
import { RegistryAnswers } from '../../../../src/extension/workflow-text/registry-answers.ts';
import { hoverText } from '../../../../src/extension/workflow-text/uses-components.ts';
import {
  ofPackage,
  ofReleases,
  ofSearch,
  ofVersions,
  usesQuestion,
} from '../../../../src/extension/workflow-text/uses-question.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

type Shown = Result<'components.registry'>;

const day = 86_400_000;
const now = Date.UTC(2026, 10, 25);

const offered = {
  reference: 'npm:@acme/orders@1.4.0#acme-ship-order',
  key: 'acme-ship-order',
  version: '0.2.0',
  type: 'action' as const,
  name: 'Ship Order',
  description: 'Ships <b>it</b>',
  app: 'acme',
  registry: 'npm',
  place: 'https://npm.acme.test/',
  package: '@acme/orders',
  package_version: '1.4.0',
  commit: null,
  publisher: 'ann',
  published_at: now - 40 * day,
  license: 'MIT',
  deprecated: null,
};

const shown: Shown = {
  ...offered,
  code: '',
  code_hash: '',
  configurable_props: [],
  readme: null,
  versions: [
    { version: '0.3.0', package_version: '1.5.0', commit: null, published_at: now - 3 * day },
    { version: '0.2.0', package_version: '1.4.0', commit: null, published_at: null },
  ],
  others: ['acme-new-order'],
  files: [],
  trust: null,
};

test.each([
  ['', { kind: 'search', query: '', isPackage: false }],
  ['acme-ship', { kind: 'search', query: 'acme ship', isPackage: false }],
  ['@acme/ship', { kind: 'search', query: 'acme ship', isPackage: false }],
  ['acme-ship-order@', { kind: 'versions', key: 'acme-ship-order' }],
  ['@acme/ship-order@0.', { kind: 'versions', key: '@acme/ship-order' }],
  ['npm:@acme/or', { kind: 'search', query: 'acme or', isPackage: true }],
  ['npm:@acme/orders@1', { kind: 'releases', package: '@acme/orders' }],
  ['npm:@acme/orders@1.4.0#', { kind: 'keys', package: '@acme/orders@1.4.0' }],
  ['npm:orders#ac', { kind: 'keys', package: 'orders' }],
  ['./ship/entry.ts', undefined],
  ['github:acme/components/', undefined],
  ['https://git.acme.test/', undefined],
])('what "%s" asks for', (word, question) => {
  expect(usesQuestion(word)).toEqual(question);
});

describe('what is offered', () => {
  const names = (found: readonly { readonly name: string }[]): string[] =>
    found.map(({ name }) => name);

  test('actions by key and version, with what they are and their license', () => {
    const source = { ...offered, type: 'source' as const, key: 'acme-new-order' };
    expect(ofSearch([offered, source], false)).toEqual([
      {
        name: 'acme-ship-order@0.2.0',
        about: 'Ship Order',
        description: String.raw`Ships &lt;b\>it&lt;/b\>` + '\n\nnpm · MIT',
      },
    ]);
  });

  test('a key that two have by where it is, but not by a path of this machine', () => {
    const folder = { ...offered, package: null, reference: '/home/ann/ship-order.mjs' };
    expect(names(ofSearch([offered, folder], false))).toEqual([offered.reference]);
  });

  test('a package that does not say what is in it leads to what is in it', () => {
    const bare = { ...offered, key: null, version: null, type: null, reference: 'npm:slack@1.0.0' };
    expect(names(ofSearch([bare], true))).toEqual(['npm:slack@1.0.0#']);
    expect(names(ofPackage('slack@1.0.0', { ...shown, key: 'slack-send' }))).toEqual([
      'npm:slack@1.0.0#slack-send',
      'npm:slack@1.0.0#acme-new-order',
    ]);
  });

  test('versions of a component, releases of a package', () => {
    expect(ofVersions('@acme/ship-order', shown)).toEqual([
      { name: '@acme/ship-order@0.3.0', about: 'published 2026-11-22' },
      { name: '@acme/ship-order@0.2.0', about: 'Ship Order' },
    ]);
    expect(names(ofReleases(shown))).toEqual([
      'npm:@acme/orders@1.5.0#acme-ship-order',
      'npm:@acme/orders@1.4.0#acme-ship-order',
    ]);
  });
});

test('a hover has license, age, publisher and the newest version, all of it as text', () => {
  const text = hoverText({ ...shown, deprecated: 'Use *acme*' }, now);
  expect(text).toBe(
    [
      String.raw`**Ship Order** acme-ship-order 0.2.0`,
      String.raw`Ships &lt;b\>it&lt;/b\>`,
      'MIT · published 1 month ago · ann · npm · 0.3.0 is the newest',
      String.raw`Deprecated: Use \*acme\*`,
    ].join('\n\n'),
  );
});

test('a repository is named once, and not by its URL', () => {
  const url = 'https://git.acme.test/acme/components.git';
  const text = hoverText({ ...shown, place: url, publisher: url, registry: 'components' }, now);
  expect(text).toContain('MIT · published 1 month ago · components · 0.3.0');
  expect(text).not.toContain(url);
});

describe('while somebody types', () => {
  const unexpected = (): void => expect.unreachable('nothing is late');

  test('an answer is waited for no longer than a moment, told of when it comes, and kept for a minute', async () => {
    const clock = new FakeClock();
    const answers = new RegistryAnswers(clock);
    let answer = (_: string[]): void => undefined;
    const asked = new Promise<string[]>((resolve) => (answer = resolve));
    let tell = (): void => undefined;
    const late = new Promise<void>((resolve) => (tell = resolve));
    let count = 0;
    const ask = (): Promise<string[]> => {
      count += 1;
      return asked;
    };
    const first = answers.get('a', ask, () => tell());
    clock.pass(400);
    expect(await first).toBeUndefined();
    answer(['found']);
    await late;
    expect(await answers.get('a', ask, unexpected)).toEqual(['found']);
    expect(count).toBe(1);
    clock.pass(60_000);
    expect(await answers.get('a', ask, unexpected)).toEqual(['found']);
    expect(count).toBe(2);
  });

  test('offline says nothing, and is not asked at each letter', async () => {
    const clock = new FakeClock();
    const answers = new RegistryAnswers(clock);
    let count = 0;
    const ask = (): Promise<string[]> => {
      count += 1;
      return Promise.reject(new Error('offline'));
    };
    expect(await answers.get('a', ask, unexpected)).toBeUndefined();
    expect(await answers.get('a', ask, unexpected)).toBeUndefined();
    expect(count).toBe(1);
    clock.pass(5000);
    await answers.get('a', ask, unexpected);
    expect(count).toBe(2);
  });

  test('the next question gives the one before it up, which is asked again', async () => {
    const answers = new RegistryAnswers(new FakeClock());
    const until = (signal: AbortSignal): Promise<string[]> =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')));
      });
    const first = answers.get('a', until, unexpected);
    expect(await answers.get('ab', () => Promise.resolve(['ab']), unexpected)).toEqual(['ab']);
    expect(await first).toBeUndefined();
    expect(await answers.get('a', () => Promise.resolve(['a']), unexpected)).toEqual(['a']);
  });
});
