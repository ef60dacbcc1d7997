import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createVisitorOf, parseTrust } from '../../../../src/runtime/server/visitor.ts';

function request(remoteAddress: string, headers: Record<string, string>, encrypted?: boolean) {
  const socket = encrypted === undefined ? { remoteAddress } : { remoteAddress, encrypted };
  return { socket, headers: { host: '127.0.0.1:80', ...headers } } as unknown as IncomingMessage;
}

describe('who asks', () => {
  const trusting = '10.0.0.0/8, ::1, loopback';
  test.each([
    ['itself', '127.0.0.1', {}, '127.0.0.1', true],
    ['itself over IPv6', '::1', {}, '::1', true],
    ['itself, mapped', '::ffff:127.0.0.1', {}, '127.0.0.1', true],
    ['another machine', '192.0.2.7', {}, '192.0.2.7', false],
    ['a liar', '192.0.2.7', { 'x-forwarded-for': '127.0.0.1' }, '192.0.2.7', false],
    ['a proxy', '10.1.2.3', { 'x-forwarded-for': '192.0.2.7' }, '192.0.2.7', false],
    ['a local proxy', '127.0.0.1', { 'x-forwarded-for': '192.0.2.7' }, '192.0.2.7', false],
    [
      'a liar through a proxy',
      '10.1.2.3',
      { 'x-forwarded-for': '127.0.0.1, 192.0.2.7' },
      '192.0.2.7',
      false,
    ],
    [
      'two proxies',
      '10.1.2.3',
      { 'x-forwarded-for': '1.1.1.1, 192.0.2.7, 10.9.9.9' },
      '192.0.2.7',
      false,
    ],
    ['proxies only', '10.1.2.3', { 'x-forwarded-for': '10.4.4.4' }, '10.4.4.4', false],
    ['a proxy that says nothing', '10.1.2.3', {}, '10.1.2.3', false],
    ['one that hides', '10.1.2.3', { 'x-forwarded-for': 'unknown' }, '10.1.2.3', false],
    [
      'one that hides, and a liar',
      '10.1.2.3',
      { 'x-forwarded-for': '1.2.3.4, _gazonk' },
      '10.1.2.3',
      false,
    ],
    ['a port', '10.1.2.3', { 'x-forwarded-for': '1.2.3.4:51008' }, '1.2.3.4', false],
    [
      'brackets and a port',
      '10.1.2.3',
      { 'x-forwarded-for': '[2001:db8::1]:443' },
      '2001:db8::1',
      false,
    ],
    ['quotes', '10.1.2.3', { 'x-forwarded-for': '"2001:db8::1"' }, '2001:db8::1', false],
    ['mapped to IPv6', '10.1.2.3', { 'x-forwarded-for': '::ffff:1.2.3.4' }, '1.2.3.4', false],
    [
      'RFC 7239',
      '10.1.2.3',
      { forwarded: 'For="[2001:db8::1]:443";proto=https, for=10.9.9.9' },
      '2001:db8::1',
      false,
    ],
    [
      'a liar in RFC 7239',
      '10.1.2.3',
      { forwarded: 'for=127.0.0.1, for=192.0.2.7' },
      '192.0.2.7',
      false,
    ],
    ['an empty list', '10.1.2.3', { 'x-forwarded-for': ' , ' }, '10.1.2.3', false],
    ['a tunnel', '127.0.0.1', { forwarded: 'for=192.0.2.7' }, '192.0.2.7', false],
    ['a local name of others', '127.0.0.1', { host: 'weir.example' }, '127.0.0.1', false],
  ])('%s', (_name, peer, headers, address, isLocal) => {
    const visitor = createVisitorOf(parseTrust(trusting))(request(peer, headers));
    expect(visitor).toMatchObject({ address, isLocal });
  });

  test.each([
    ['nobody', '10.1.1.1', {}, undefined],
    ['a liar', '192.0.2.7', { 'x-forwarded-host': 't.example' }, undefined],
    ['a proxy', '10.1.1.1', { 'x-forwarded-host': 't.example:8443' }, 't.example:8443'],
    ['RFC 7239', '10.1.1.1', { forwarded: 'host="t.example:80"' }, 't.example:80'],
    ['nonsense', '10.1.1.1', { 'x-forwarded-host': 't.example/x?' }, undefined],
  ])('the host that %s names', (_name, peer, headers, host) => {
    const visitor = createVisitorOf(parseTrust(trusting))(request(peer, headers));
    expect(visitor.host).toBe(host);
  });

  test.each([
    ['plain', '192.0.2.7', {}, undefined, 'http'],
    ['TLS', '192.0.2.7', {}, true, 'https'],
    ['a liar', '192.0.2.7', { 'x-forwarded-proto': 'https' }, undefined, 'http'],
    ['a proxy', '10.1.1.1', { 'x-forwarded-proto': 'https' }, undefined, 'https'],
    ['the first proxy', '10.1.1.1', { 'x-forwarded-proto': 'https, http' }, undefined, 'https'],
    ['upper case', '10.1.1.1', { 'x-forwarded-proto': 'HTTPS' }, undefined, 'https'],
    ['RFC 7239', '10.1.1.1', { forwarded: 'for=1.2.3.4;proto=https' }, undefined, 'https'],
    [
      'a liar, and a proxy that adds',
      '10.1.1.1',
      { 'x-forwarded-for': '9.9.9.9, 192.0.2.7', 'x-forwarded-proto': 'https, http' },
      undefined,
      'http',
    ],
  ])('over %s', (_name, peer, headers, encrypted, protocol) => {
    const visitor = createVisitorOf(parseTrust(trusting))(request(peer, headers, encrypted));
    expect(visitor.protocol).toBe(protocol);
  });
});

test.each([
  '',
  'nginx',
  '10.0.0.0/33',
  '10.0.0.0/-1',
  '10.0.0.0/8/8',
  '::1/129',
  '10.0.0.1,',
  '10.0.0.0/',
])('--trust-proxy %j is refused', (text) =>
  expect(() => parseTrust(text)).toThrow(/not an address of a proxy/),
);
