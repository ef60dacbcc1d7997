import { expect, test } from 'vitest';
import { leadsToHostIn } from '../../../../src/runtime/accounts/apps/address-host.ts';
import { fieldsOf } from '../../../../src/runtime/accounts/oauth/fields.ts';
import { searchPatterns } from '../../../../src/runtime/base/patterns.ts';
import { differences } from '../../../../src/runtime/workflows/tests/compare.ts';

const many = `${'a'.repeat(40)}!`;

/** How long this thread stood still at most while something ran, in ms. */
async function longestStop(work: () => Promise<unknown>): Promise<number> {
  let last = performance.now();
  let longest = 0;
  const look = () => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  };
  const timer = setInterval(look, 20);
  await work();
  clearInterval(timer);
  look();
  return longest;
}

test('patterns keep the syntax of JavaScript', async () => {
  const searches = [
    { pattern: '^(?=.*\\d)\\p{L}', flags: 'u', text: 'ä1' },
    { pattern: '(.)\\1', text: 'abba' },
    { pattern: '^b', text: 'ab' },
  ];
  expect(await searchPatterns(searches)).toEqual([true, true, false]);
  expect(await searchPatterns([])).toEqual([]);
});

test.each([
  ['a repetition in a repetition', '^(a+)+$', many],
  ['alternatives that overlap', '^(a|aa)+$', 'a'.repeat(100) + '!'],
  ['a back reference', '^(a*)*\\1b$', many],
  ['a large text', '^(.*?,){25}x', 'a,'.repeat(200_000)],
])('%s is ended, and this thread goes on meanwhile', async (_, pattern, text) => {
  const stopped = await longestStop(() =>
    expect(
      searchPatterns([
        { pattern: 'a', text },
        { pattern, text },
      ]),
    ).rejects.toThrow(`The pattern ${JSON.stringify(pattern)} takes too long`),
  );
  expect(stopped).toBeLessThan(1500);
});

test('what a test expects is searched for there', async () => {
  await expect(differences({ x: [{ $match: '^(a+)+$' }] }, { x: [many] })).rejects.toMatchObject({
    code: 'bad_input',
  });
});

test('so is the pattern of a field, which the definition of an app brings', async () => {
  const field = { name: 'shop', pattern: '(a+)+' };
  await expect(fieldsOf({ fields: [field] }, { shop: many })).rejects.toThrow('takes too long');
  expect(await fieldsOf({ fields: [field] }, { shop: 'aaa' })).toEqual({ shop: 'aaa' });
});

test('an address with many fields is compared with its host at once', () => {
  const address = `https://${'{x}a'.repeat(30)}.acme.test/`;
  const filled = `https://${'a'.repeat(200)}.evil.test/`;
  const begun = performance.now();
  expect(leadsToHostIn(address, filled)).toBe(false);
  expect(leadsToHostIn('https://{x}-{y}.acme.test/', 'https://a-b-c.acme.test/')).toBe(true);
  expect(leadsToHostIn('https://{x}.acme.test/', 'https://acme.test/')).toBe(false);
  expect(performance.now() - begun).toBeLessThan(1000);
});
