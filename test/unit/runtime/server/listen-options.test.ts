import { expect, test } from 'vitest';
import {
  resolveListenOptions,
  type ListenFlags,
} from '../../../../src/runtime/server/listen-options.ts';

const tls = { tlsCert: 'c.pem', tlsKey: 'k.pem' };

test.each<[string, ListenFlags, boolean, RegExp]>([
  ['no key', { host: '0.0.0.0', ...tls }, false, /weir keys add NAME --scope deploy/],
  ['no TLS', { host: '0.0.0.0' }, true, /in clear/],
  ['a key without a certificate', { host: '::', tlsKey: 'k.pem' }, true, /--tls-cert is missing/],
  ['TLS for nobody', tls, true, /--host/],
  ['names for nobody', { allowHosts: ['x.example'] }, true, /--allow-host is for/],
  ['a name to listen on', { host: 'weir.example', ...tls }, true, /not an address to listen on/],
])('is refused: %s', (_name, options, hasKeys, sentence) => {
  expect(() => resolveListenOptions(options, hasKeys)).toThrow(sentence);
});

test('a tunnel to this machine opens the endpoints, and not the API', () => {
  const reach = resolveListenOptions({ publicUrl: 'https://tunnel.example' }, false);
  expect(reach).toMatchObject({ isOpen: false, outside: undefined, warnings: [] });
  expect([...reach.names.hosts]).toEqual([]);
});

test('a proxy on this machine needs no listener of its own', () => {
  const reach = resolveListenOptions(
    {
      publicUrl: 'https://Weir.Example:444/base',
      trustProxy: 'loopback',
      allowHosts: ['b.example:1'],
    },
    false,
  );
  expect(reach).toMatchObject({ isOpen: true, outside: undefined });
  expect([...reach.names.hosts]).toEqual(['weir.example', 'b.example']);
});

test('what is not encrypted by anybody is told', () => {
  const [url, clear] = resolveListenOptions({ host: '0.0.0.0', plainHttp: true }, true).warnings;
  expect(url).toContain('--public-url');
  expect(clear).toContain('in clear');
  expect(resolveListenOptions({ host: '192.0.2.1', ...tls }, true).warnings).toEqual([]);
});
