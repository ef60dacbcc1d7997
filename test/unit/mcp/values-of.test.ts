/** Which values of an agent are refused because only the user gives them. */
import { expect, test } from 'vitest';
import { valuesOf } from '../../../src/mcp/actions/offered.ts';

const props = [
  { name: 'size', type: 'string' },
  { name: 'app', type: 'app', app: 'acme' },
];
const picked = (value: unknown) => ({ __lv: { label: 'Shown', value } });

test.each([['xl'], [picked('xl')], [picked(4)], [{ __lv: [{ label: 'L', value: 'l' }] }]])(
  'an option is a value: %j',
  (size) => {
    expect(valuesOf(props as never, { size })).toEqual({ size });
  },
);

test.each([['apn_1'], [picked('apn_1')], [{ authProvisionId: 'apn_1' }]])(
  'an account is none, whatever prop it is given for: %j',
  (size) => {
    expect(() => valuesOf(props as never, { size })).toThrow('is not for you to give');
  },
);
