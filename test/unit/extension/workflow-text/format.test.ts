/** Keys and values of `workflow.yaml`, at places of texts that are half written. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keyAt, keysAt, valuesAt } from '../../../../src/extension/workflow-text/format.ts';
import { placeInText } from '../../../../src/workflow-file/place-in-text.ts';
import { yamlValues } from '../../../../src/workflow-file/yaml-values.ts';

/** `|` is the cursor. */
function at(text: string) {
  return placeInText(text.replace('|', ''), text.indexOf('|'));
}

function keys(text: string): string[] {
  const place = at(text);
  return place?.kind === 'key' ? keysAt(place.root, place.path).map(({ name }) => name) : [];
}

function values(text: string): string[] {
  const place = at(text);
  return place?.kind === 'value' ? valuesAt(place.root, place.path).map(({ name }) => name) : [];
}

const head = 'schema: workflow/2022.04\nname: Orders\n';
const http = 'triggers:\n  - uses: $.interface.http\n';
const timer = 'triggers:\n  - uses: $.interface.timer\n';

describe('keys', () => {
  test('of the file, those that are there left out', () => {
    expect(keys(`${head}|`)).toEqual(['inactive', 'settings', 'triggers', 'steps']);
    expect(keys('|')).toContain('schema');
    expect(keys(`${head}set|`)).toContain('settings');
    expect(keys(`${head}st|\n${http}`)).not.toContain('triggers');
  });

  test('of a trigger, and of its props by its kind', () => {
    expect(keys(`${head}triggers:\n  - |`)).toEqual(['id', 'uses', 'props']);
    expect(keys(`${head}${http}    |`)).toEqual(['id', 'props']);
    expect(keys(`${head}${http}    props:\n      |`)).toEqual([
      'response',
      'status',
      'headers',
      'body',
      'auth',
    ]);
    expect(keys(`${head}${timer}    props:\n      cr|`)).toEqual([
      'cron',
      'timezone',
      'intervalSeconds',
    ]);
    expect(keys(`${head}${http}    props:\n      auth:\n        |`)).toEqual(['type', 'token']);
  });

  test('of a step and of a block, at any depth, also where items stand below their key', () => {
    const block = 'steps:\n- namespace: size\n  control: ifelse\n  ';
    expect(keys(`${head}${block}|`)).toEqual(expect.arrayContaining(['branches', 'else']));
    expect(keys(`${head}${block}|`)).not.toContain('uses');
    const inner = `${block}branches:\n  - name: large\n    steps:\n    - namespace: call\n      uses: ./call/entry.ts\n      |`;
    expect(keys(`${head}${inner}`)).toEqual(expect.arrayContaining(['props', 'retry', 'on_error']));
    expect(keys(`${head}${inner}`)).not.toContain('control');
    expect(keys(`${head}${inner}`)).not.toContain('_props_cursor');
    expect(keys(`${head}${inner.replace('|', '')}retry:\n        ma|\n      notes: x\n`)).toEqual([
      'max',
      'backoff_ms',
    ]);
    expect(keys(`${head}steps:\n  - name|`)).toEqual(expect.arrayContaining(['uses', 'control']));
  });

  test('of settings, with more of the file behind', () => {
    expect(keys(`${head}settings:\n  concurrency:\n    wo|\n${http}`)).toEqual(['workers', 'key']);
  });

  test.each([
    ['a comment', `${head}# set|`],
    ['a text of several lines', `${head}steps:\n  - namespace: a\n    notes: |-\n      na§`],
    [
      'props that a component names',
      `${head}steps:\n  - namespace: a\n    uses: a@1\n    props:\n      |`,
    ],
    ['behind a value', `${head}inactive: true |`],
  ])('none in %s', (_, text) => {
    const place = text.includes('§')
      ? placeInText(text.replace('§', ''), text.indexOf('§'))
      : at(text);
    expect(place?.kind === 'key' ? keysAt(place.root, place.path) : []).toEqual([]);
  });
});

describe('values', () => {
  test('are those of the format', () => {
    expect(values(`${head}inactive: |`)).toEqual(['true', 'false']);
    expect(values('schema: wo|')).toEqual(['workflow/2022.04']);
    expect(values(`${head}triggers:\n  - uses: $.int|`)).toContain('$.interface.http');
    expect(values(`${head}${http}    props:\n      response: "st|"`)).toEqual([
      'default',
      'static',
      'workflow',
    ]);
    expect(values(`${head}steps:\n  - namespace: a\n    control: |\n`)).toEqual([
      'ifelse',
      'switch',
      'parallel',
      'each',
    ]);
  });

  test('are taken in the place of the whole value, within its quotes', () => {
    const text = `${head}${http}    props:\n      response: "sta|tic" # why\n`;
    const place = at(text);
    const plain = text.replace('|', '');
    expect(place?.word).toBe('static');
    expect(plain.slice(place?.start, place?.end)).toBe('"static"');
  });
});

test('a key is explained by the mapping that it stands in', () => {
  const place = at(`${head}steps:\n  - namespace: a\n    on_er|ror: stop\n`);
  expect(place).toMatchObject({ kind: 'key', isWhole: true, word: 'on_error' });
  expect(keyAt(place?.root, [...(place?.path ?? []), 'on_error'])).toMatchObject({
    description: expect.stringContaining('goes on'),
    about: 'stop | continue',
  });
});

const whole = `${head}settings:
  concurrency: { workers: 2 }
${http}    props:
      response: static
      headers:
        x-a: "1: b"
steps:
- namespace: size
  control: switch
  on: "{{event.body.size}}"
  branches:
  - name: large
    when: L
    steps:
    - namespace: call
      uses: ./call/entry.ts
      props:
        "odd key": 1
        text: |-
          a: b
            c: d
  else:
    steps: []
`;

test('every key of a file is found where it stands, however it is indented', () => {
  const { root } = yamlValues(whole);
  const seen: string[] = [];
  for (let offset = 0; offset < whole.length; offset += 1) {
    const place = placeInText(whole, offset);
    if (place?.kind !== 'key' || !place.isWhole || offset !== place.start) continue;
    const path = [...place.path, place.word];
    seen.push(place.word);
    let value: unknown = root?.value;
    for (const part of path) value = (value as Record<string | number, unknown>)[part];
    expect({ path, value }).not.toEqual({ path, value: undefined });
  }
  expect(seen.join(' ')).toBe(
    'schema name settings concurrency triggers uses props response headers x-a steps namespace control on branches name when steps namespace uses props odd key text else steps',
  );
});

test('no text that is cut off or changed throws, and no place is outside of it', () => {
  fc.assert(
    fc.property(
      fc.nat(whole.length),
      fc.nat(whole.length),
      fc.string({ maxLength: 5, unit: fc.constantFrom(...Array.from('{}[]:- \n\t"\'|>#&*!a')) }),
      fc.nat(whole.length),
      (from, length, put, offset) => {
        const text = whole.slice(0, from) + put + whole.slice(from + length);
        const place = placeInText(text, Math.min(offset, text.length));
        if (place === undefined) return;
        expect(place.start).toBeLessThanOrEqual(place.end);
        expect(place.end).toBeLessThanOrEqual(text.length);
        if (place.kind === 'key') keysAt(place.root, place.path);
        else valuesAt(place.root, place.path);
      },
    ),
    { numRuns: 1000 },
  );
});
