import { expect, test } from 'vitest';
import { pageHtml } from '../../../src/extension/webview-page.ts';

const html = pageHtml({
  cspSource: 'https://file+.vscode-resource.example',
  nonce: 'abc',
  script: 'https://x/prop-form.js',
  style: 'https://x/prop-form.css',
});

test('the page reaches nothing but its own bundle', () => {
  const policy = /Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1] ?? '';
  const directives = Object.fromEntries(
    policy.split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources];
    }),
  );
  expect(directives['default-src']).toEqual(["'none'"]);
  expect(directives['script-src']).toEqual(["'nonce-abc'"]);
  expect(directives['connect-src']).toBeUndefined();
  expect(policy).not.toMatch(/unsafe/);
});

test('every script has the nonce and none is inline', () => {
  const scripts = [...html.matchAll(/<script([^>]*)>(.*?)<\/script>/gs)];
  expect(scripts.map(([, attributes]) => attributes?.trim())).toEqual([
    'nonce="abc" src="https://x/prop-form.js"',
  ]);
  expect(scripts[0]?.[2]).toBe('');
});
