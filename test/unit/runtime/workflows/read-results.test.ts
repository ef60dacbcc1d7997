import { describe, expect, test } from 'vitest';
import {
  readChoice,
  readRequests,
} from '../../../../src/runtime/workflows/executions/read-results.ts';

describe('what a step says that it asked for', () => {
  test.for([
    undefined,
    '{}',
    '{"exit":{"reason":null}}',
    '{"exit":{"reason":"x"},"sends":[{"kind":"http","method":"GET","url":"x","headers":{"a":"b"}}]}',
    '{"sends":[{"kind":"email","subject":"x","text":"y"},{"kind":"s3","bucket":"x","prefix":"","payload":"{}"}]}',
    '{"props":"{\\"to\\":1}"}',
    '{"sends":[{"kind":"sse","channel":"x","payload":"1"},{"kind":"trigger","workflow":"p_1","payload":"{}"}]}',
    '{"pause":{"kind":"delay","ms":0}}',
    '{"pause":{"kind":"suspend","ms":null}}',
    '{"pause":{"kind":"rerun","ms":5,"context":"{}"}}',
  ])('%s is understood', (text) => {
    expect(readRequests(text)).toEqual(JSON.parse(text ?? '{}'));
  });
  test.for([
    '',
    'null',
    '[]',
    '"x"',
    '{',
    '{"exit":null}',
    '{"exit":{}}',
    '{"exit":{"reason":5}}',
    '{"pause":{}}',
    '{"pause":{"kind":"retry","ms":5}}',
    '{"pause":{"kind":"delay"}}',
    '{"pause":{"kind":"delay","ms":-1}}',
    '{"pause":{"kind":"delay","ms":"5"}}',
    '{"pause":{"kind":"delay","ms":1e400}}',
    '{"pause":{"kind":"delay","ms":1e300}}',
    '{"pause":{"kind":"rerun","ms":5,"context":{}}}',
    '{"pause":{"kind":"rerun","ms":5,"context":"{"}}',
    '{"props":{}}',
    '{"props":"["}',
    '{"props":"5"}',
    '{"sends":{}}',
    '{"sends":[null]}',
    '{"sends":[{"kind":1}]}',
    '{"sends":[{"kind":"http","url":"x"}]}',
    '{"sends":[{"kind":"http","method":"GET","url":"x","headers":{"a":1}}]}',
    '{"sends":[{"kind":"email","text":"y"}]}',
    '{"sends":[{"kind":"s3","bucket":"x"}]}',
    '{"sends":[{"kind":"sse","channel":"x"}]}',
    '{"sends":[{"kind":"sse","channel":"x\\ny","payload":"1"}]}',
    '{"sends":[{"kind":"trigger","workflow":"p_1","payload":"{"}]}',
  ])('%s is not', (text) => {
    expect(readRequests(text)).toBeUndefined();
  });
});

describe('which way a block says that it goes', () => {
  const branches = [{ name: 'a', when: { is: 'always' }, steps: [] }] as const;
  const [ifelse, each] = [
    { control: 'ifelse', branches },
    { control: 'each', branches },
  ] as const;
  test.for([
    ['{"chosen":[]}', ifelse],
    ['{"chosen":["a"]}', ifelse],
    ['{"chosen":["$else"]}', ifelse],
    ['{"items":[]}', each],
    ['{"items":["1","{}"]}', each],
  ] as const)('%s is understood', ([text, block]) => {
    expect(readChoice(text, block)).toEqual(JSON.parse(text));
  });
  test.for([
    [undefined, ifelse],
    ['{', ifelse],
    ['null', ifelse],
    ['{"items":[]}', ifelse],
    ['{"chosen":["b"]}', ifelse],
    ['{"chosen":"a"}', ifelse],
    ['{"chosen":[1]}', ifelse],
    ['{"chosen":["a"]}', each],
    ['{"items":"1"}', each],
    ['{"items":[1]}', each],
    ['{"items":["{"]}', each],
  ] as const)('%s is not', ([text, block]) => {
    expect(readChoice(text, block)).toBeUndefined();
  });
});
