import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { inputSchema, whyNotOffered } from '../../../src/mcp/actions/schema.ts';
import { holds } from '../../support/holds.ts';

test('accounts, secrets and what the runtime provides are not in a schema', () => {
  const schema = inputSchema(
    [
      { name: 'shop', type: 'app', app: 'shop' },
      { name: 'pass', type: 'string', secret: true },
      { name: 'db', type: '$.service.db' },
      { name: 'http', type: '$.interface.http' },
      { name: 'note', type: 'alert', content: 'Read this.' },
      { name: 'gone', type: 'string', hidden: true },
      { name: 'rows', type: 'integer[]', default: [1] },
      { name: 'who', type: 'string', remoteOptions: true },
    ],
    false,
  );
  expect(schema).toEqual({
    type: 'object',
    properties: {
      rows: { type: 'array', items: { type: 'integer' }, default: [1] },
      who: {
        type: 'string',
        description: 'configure_action lists its options (prop_name: "who").',
      },
    },
    required: ['who'],
    additionalProperties: false,
  });
});

test('an action that needs a secret is not offered, one that may have one is', () => {
  const secret = { name: 'pass', type: 'string', secret: true };
  expect(whyNotOffered([secret])).toMatch(/^its prop pass is a secret/);
  expect(whyNotOffered([{ ...secret, optional: true }])).toBeUndefined();
});

test('whatever the props are, their schema is valid', async () => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
  const types = ['string', 'integer', 'boolean', 'object', 'any', 'sql', 'data_store'];
  const prop = fc.record(
    {
      name: fc.string({ minLength: 1 }),
      type: fc.constantFrom(...types, ...types.map((type) => `${type}[]`)),
      label: fc.string(),
      description: fc.string(),
      optional: fc.boolean(),
      default: fc.jsonValue(),
      options: fc.array(fc.oneof(scalar, fc.record({ label: fc.string(), value: scalar }))),
      min: fc.integer(),
      remoteOptions: fc.boolean(),
    },
    { requiredKeys: ['name', 'type'] },
  );
  const props = fc.uniqueArray(prop, { selector: ({ name }) => name, maxLength: 6 });
  await holds(
    fc.property(props, fc.boolean(), (given, more) => {
      const schema = inputSchema(given, more);
      expect(ajv.validateSchema(schema)).toBe(true);
      ajv.compile(schema);
    }),
    300,
  );
});
