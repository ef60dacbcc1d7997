import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatReference,
  parseReference,
  type Reference,
} from '../../../src/protocol/reference.ts';
import { holds } from '../../support/holds.ts';

const commit = '0123456789abcdef0123456789abcdef01234567';

describe('what a component is called (P27.1)', () => {
  test.each<[string, Reference]>([
    ['slack-send-message', { kind: 'key', key: 'slack-send-message' }],
    [
      'slack_v2-send-message@0.1.2',
      { kind: 'key', key: 'slack_v2-send-message', version: '0.1.2' },
    ],
    ['acme-orders@^1.2', { kind: 'key', key: 'acme-orders', version: '^1.2' }],
    ['acme-orders@1.x', { kind: 'key', key: 'acme-orders', version: '1.x' }],
    ['@acme/shop-orders', { kind: 'key', key: '@acme/shop-orders' }],
    [
      '@acme/shop-orders@2.0.0-beta.1',
      { kind: 'key', key: '@acme/shop-orders', version: '2.0.0-beta.1' },
    ],
    [
      'npm:@acme/orders@1.4.0#shop-new',
      { kind: 'npm', package: '@acme/orders', version: '1.4.0', key: 'shop-new' },
    ],
    ['npm:orders#shop-new', { kind: 'npm', package: 'orders', key: 'shop-new' }],
    [
      'npm:@pipedream/slack@latest',
      { kind: 'npm', package: '@pipedream/slack', version: 'latest' },
    ],
    [
      `github:acme/parts/shop/sources/new/new.mjs#${commit}`,
      {
        kind: 'git',
        url: 'https://github.com/acme/parts.git',
        ref: commit,
        path: 'shop/sources/new/new.mjs',
      },
    ],
    [
      'git:https://host.test/a/b.git#main:x/y.ts',
      { kind: 'git', url: 'https://host.test/a/b.git', ref: 'main', path: 'x/y.ts' },
    ],
    [
      'git:git@host.test:a/b.git#:x.mjs',
      { kind: 'git', url: 'git@host.test:a/b.git', path: 'x.mjs' },
    ],
    [
      'git:file:///srv/parts.git#feature/one:x.mjs',
      { kind: 'git', url: 'file:///srv/parts.git', ref: 'feature/one', path: 'x.mjs' },
    ],
    [
      'https://github.com/acme/parts/blob/main/shop/x.mjs#L10',
      { kind: 'page', url: 'https://github.com/acme/parts.git', refAndPath: 'main/shop/x.mjs' },
    ],
    [
      'https://gitlab.example.test/group/sub/parts/-/blob/feature/one/x.mjs?ref_type=heads',
      {
        kind: 'page',
        url: 'https://gitlab.example.test/group/sub/parts.git',
        refAndPath: 'feature/one/x.mjs',
      },
    ],
    ['./hello.ts', { kind: 'file', path: './hello.ts' }],
    ['../components/post.mjs', { kind: 'file', path: '../components/post.mjs' }],
    ['/srv/hello', { kind: 'file', path: '/srv/hello' }],
    ['C:\\work\\hello.js', { kind: 'file', path: 'C:\\work\\hello.js' }],
    ['sources/hello.mjs', { kind: 'file', path: 'sources/hello.mjs' }],
  ])('%s', (text, reference) => {
    expect(parseReference(text)).toEqual(reference);
  });

  test.each([
    ['', 'is empty'],
    [' slack-send', 'has spaces around'],
    ['slack-send-message@', 'version'],
    ['slack-send-message@newest one', 'version'],
    ['a\nb', 'control characters'],
    ['npm:', 'names no npm package'],
    ['npm:@acme', 'names no npm package'],
    ['npm:orders@--registry=x', 'version of an npm package'],
    ['npm:orders#../x', 'behind "#"'],
    ['github:acme/parts', 'github:owner/repo/path'],
    ['github:acme/parts/../../x.mjs', 'github:owner/repo/path'],
    ['github:acme/parts/x.mjs#--upload-pack=x', 'branch, tag or commit'],
    ['git:ext::sh -c x#main:x.mjs', 'names no repository'],
    ['git:--upload-pack=x#main:x.mjs', 'names no repository'],
    ['git:https://host.test/a.git#main', 'names no file'],
    ['git:https://host.test/a.git#-x:y.mjs', 'branch, tag or commit'],
    ['git:https://ann:secret@host.test/a.git#main:x.mjs', 'password'],
    ['https://ann:secret@github.com/acme/parts/blob/main/x.mjs', 'password'],
    ['https://example.test/x.mjs', 'is not the page'],
    ['one two', 'is not a reference'],
    ['x'.repeat(3000), 'longer than'],
  ])('%s is refused', (text, why) => {
    expect(parseReference(text)).toEqual({ wrong: expect.stringContaining(why) });
  });

  test('no password is repeated in what is wrong', () => {
    const said = JSON.stringify(
      parseReference('git:https://ann:secret@host.test/a.git#main:x.mjs'),
    );
    expect(said).not.toContain('secret');
  });

  test('whatever is read is written so that it is read again; nothing throws', async () => {
    const parts = [
      'npm:',
      'github:',
      'git:',
      'https://h.test/',
      '@',
      '#',
      ':',
      '/',
      '..',
      '.git',
      'blob/',
      '-/blob/',
      'key-a',
      '1.0',
      '.mjs',
      '-',
      ' ',
    ];
    const text = fc.oneof(
      fc.string(),
      fc
        .array(fc.oneof(fc.constantFrom(...parts), fc.string({ maxLength: 4 })), { maxLength: 12 })
        .map((all) => all.join('')),
    );
    await holds(
      fc.property(text, (written) => {
        const reference = parseReference(written);
        if ('wrong' in reference) return;
        expect(parseReference(formatReference(reference))).toEqual(reference);
      }),
      2000,
    );
  });
});
