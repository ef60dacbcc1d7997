import { describe, expect, test } from 'vitest';
import { createStable } from '../../../scripts/docs/stable.mts';

const now = Date.UTC(2026, 10, 22, 18, 27, 31, 250);
const hour = 3_600_000;
const noon = Date.UTC(2026, 0, 15, 12);
const stable = () => createStable({ now, names: [['/tmp/x', '/home/you']] });

describe('what an example shows', () => {
  test('is the same for answers of another time, with other ids', () => {
    const answer = (at: number, id: string, hash: string) => ({
      id,
      created_at: Math.floor(at / 1000),
      indexed_at_ms: at,
      iso: new Date(at + 120).toISOString(),
      next_tick_at: at + hour,
      text: `${id} emitted ${at}-0 at ${at}`,
      start_cursor: Buffer.from(id).toString('base64').replace(/=+$/, ''),
      code_hash: hash.repeat(64),
    });
    const one = stable()(answer(now - 5000, 'dc_aaaaaaa', 'a'));
    const later = now + 3 * 86_400_000;
    const other = createStable({ now: later, names: [] })(answer(later - 9000, 'dc_bbbbbbb', 'b'));
    expect(other).toEqual(one);
    expect(one).toMatchObject({
      id: expect.stringMatching(/^dc_\w{7}$/),
      created_at: noon / 1000,
      indexed_at_ms: noon,
      iso: '2026-01-15T12:00:00.000Z',
      next_tick_at: noon + hour,
      text: `${one.id} emitted ${noon}-0 at ${noon}`,
    });
    expect(Buffer.from(one.start_cursor, 'base64').toString()).toBe(one.id);
  });

  test('keeps apart what is not the same, over several answers', () => {
    const one = stable();
    const [a, b] = [one('wh_aaaaaaa'), one('wh_bbbbbbb')];
    expect(a).not.toBe(b);
    expect(one({ listener_id: 'wh_aaaaaaa' })).toEqual({ listener_id: a });
    expect(one(`${now}-0`)).not.toBe(one(`${now}-1`));
  });

  test('has no signing secret, signature, folder or port of this machine', () => {
    const signed = 't=1795371851,v1='.concat('0f'.repeat(32));
    expect(stable()({ signing_secret: 'whsec_c2VjcmV0c2VjcmV0c2VjcmV0', port: 45_231 })).toEqual({
      signing_secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      port: 9229,
    });
    expect(stable()(signed)).toMatch(/^t=1768478400,v1=(?!0f0f)[0-9a-f]{64}$/);
    expect(stable()({ path: '/tmp/x/a.ts' })).toEqual({ path: '/home/you/a.ts' });
  });

  test('does not count down what a record still has', () => {
    expect(stable()({ key: 'o-1', ttl: 3598 })).toEqual(stable()({ key: 'o-1', ttl: 3600 }));
  });

  test('leaves everything else alone', () => {
    const value = { n: 3, at: 1.5, big: 12_345_678_901_234, ok: true, no: null, list: ['a', 1] };
    expect(stable()(value)).toEqual(value);
  });
});
