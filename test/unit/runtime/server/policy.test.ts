import { describe, expect, test } from 'vitest';
import { isLoopbackHost } from '../../../../src/runtime/server/loopback.ts';
import { isLoopbackOrigin, listenAddress } from '../../../../src/runtime/server/policy.ts';

describe('Host', () => {
  test.each([
    ['localhost', true],
    ['LOCALHOST:80', true],
    ['127.0.0.1', true],
    ['127.0.0.1:4711', true],
    ['127.9.9.9:1', true],
    ['[::1]', true],
    ['[::1]:4711', true],
    [undefined, false],
    ['', false],
    ['example.com', false],
    ['localhost.example.com', false],
    ['127.0.0.1.example.com', false],
    ['127.0.0.1:4711.example.com', false],
    ['localhost:4711:80', false],
    ['192.168.1.4:4711', false],
    ['0.0.0.0', false],
    ['user@localhost', false],
  ])('%s → %s', (host, passes) => expect(isLoopbackHost(host)).toBe(passes));
});

describe('Origin', () => {
  test.each([
    ['http://localhost:5173', true],
    ['https://127.0.0.1', true],
    ['http://[::1]:80', true],
    ['null', false],
    ['https://example.com', false],
    ['http://localhost.example.com', false],
    ['vscode-webview://abc', false],
    ['file://', false],
  ])('%s → %s', (origin, passes) => expect(isLoopbackOrigin(origin)).toBe(passes));
});

describe('the address to listen on', () => {
  test.each([
    ['127.0.0.1', '127.0.0.1', true],
    ['localhost', 'localhost', true],
    ['[::1]', '::1', true],
    ['::1', '::1', true],
    ['0.0.0.0', '0.0.0.0', false],
    ['::', '::', false],
    ['192.168.1.4', '192.168.1.4', false],
  ])('%s', (host, address, isLoopback) =>
    expect(listenAddress(host)).toEqual({ address, isLoopback }),
  );

  test.each(['example.com', '', '127.0.0.1:80'])('%s is refused', (host) => {
    expect(() => listenAddress(host)).toThrow(/not an address to listen on/);
  });
});
