import { describe, expect, test } from 'vitest';
import { createSealer } from '../../../../src/runtime/accounts/seal.ts';
import { isSealed, openProps, sealProps } from '../../../../src/runtime/accounts/secret-props.ts';

const key = (fill: number, origin = '/home/u/.config/weir/key') => ({
  bytes: Buffer.alloc(32, fill),
  origin,
});
const sealer = createSealer(key(1));

describe('sealer', () => {
  test.each(['', 'secret', 'ünïcødé 🔑', 'x'.repeat(100_000)])(
    '%# opens to what was sealed',
    (text) => {
      expect(sealer.open(sealer.seal(text))).toBe(text);
    },
  );

  test('shows nothing of the text and is never the same twice', () => {
    const [one, two] = [sealer.seal('hunter2'), sealer.seal('hunter2')];
    expect(one).not.toBe(two);
    expect(one).toMatch(/^weir1:[0-9a-f]{8}:[A-Za-z0-9+/=]+$/);
    expect(Buffer.from(one.split(':')[2]!, 'base64').toString('latin1')).not.toContain('hunter2');
  });

  test('another key is refused with the name of the key that is there', () => {
    const other = createSealer(key(2, '/somewhere/key'));
    expect(() => other.open(sealer.seal('a'))).toThrow(
      'A stored secret was sealed with another key than that of /somewhere/key.',
    );
  });

  test('any changed bit is noticed', () => {
    const sealed = sealer.seal('a');
    const at = sealed.lastIndexOf(':') + 1;
    const bytes = Buffer.from(sealed.slice(at), 'base64');
    for (let i = 0; i < bytes.length; i++) {
      const changed = Buffer.from(bytes);
      changed[i]! ^= 1;
      expect(() => sealer.open(sealed.slice(0, at) + changed.toString('base64'))).toThrow(
        'damaged',
      );
    }
    expect(() => sealer.open(sealed.slice(0, at + 20))).toThrow('damaged');
    expect(() => sealer.open('plain')).toThrow(/another key/);
  });
});

describe('secret props', () => {
  const definition = {
    props: [
      { name: 'token', type: 'string', secret: true },
      { name: 'url', type: 'string' },
      { name: 'extra', type: 'any' },
    ],
  };

  test('only secrets are sealed, and all of them come back', () => {
    const values = { token: 'hunter2', url: 'https://a', extra: { n: 1 } };
    const stored = sealProps(definition, values, sealer);
    expect(JSON.stringify(stored)).not.toContain('hunter2');
    expect(stored['url']).toBe('https://a');
    expect(openProps(stored, sealer)).toEqual(values);
  });

  test.each([{ __lv: { label: 'L', value: 'v' } }, 7, '', false])(
    'a secret %j keeps its form',
    (token) => {
      const stored = sealProps(definition, { token }, sealer);
      expect(isSealed(stored['token'])).toBe(true);
      expect(openProps(stored, sealer)).toEqual({ token });
    },
  );

  test.each([null, undefined])('an unset secret (%s) stays unset', (token) => {
    expect(sealProps(definition, { token }, sealer)).toEqual({ token });
  });

  test('a user value that looks like a sealed one is none', () => {
    const forged = { __sealed: sealer.seal('"stolen"') };
    const stored = sealProps(definition, { token: forged, extra: forged }, sealer);
    expect(openProps(stored, sealer)).toEqual({ token: forged, extra: forged });
  });

  test('an update that makes a prop no longer secret leaves its value readable', () => {
    const stored = sealProps(definition, { token: 'hunter2' }, sealer);
    const merged = {
      ...stored,
      ...sealProps({ props: [{ name: 'token', type: 'string' }] }, { url: 'b' }, sealer),
    };
    expect(openProps(merged, sealer)).toEqual({ token: 'hunter2', url: 'b' });
  });
});
