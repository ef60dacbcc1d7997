import { expect, test } from 'vitest';
import { parseHttpFile } from '../../../../src/extension/requests/http-file.ts';
import { prepareRequest } from '../../../../src/extension/requests/prepare-request.ts';

const files: Record<string, Buffer> = {
  './raw.bin': Buffer.from([0, 255, 0x7b, 0x7b]),
  './text.json': Buffer.from('{"id": "{{$uuid}}"}'),
};

async function prepared(text: string) {
  const file = parseHttpFile(text);
  const [request] = file.requests;
  if (request === undefined) throw new Error('There is no request.');
  const surroundings = {
    now: () => 1_700_000_000_999,
    uuid: () => 'u-1',
    randomInt: (a: number) => a,
  };
  return prepareRequest(file, request, surroundings, async (name) => {
    const found = files[name];
    if (found === undefined) throw new Error(`${name} is not there`);
    return found;
  });
}

const bodyOf = async (text: string) => Buffer.from((await prepared(text)).body).toString('latin1');

test('variables are replaced in the URL, the headers and the body', async () => {
  const request = await prepared(
    '@a = {{b}}\n@b = x y\nPOST http://h/{{a}}\nx-id: {{ $uuid }}-{{$timestamp}}\n\n{{$randomInt 3 9}} {{$isoTimestamp}}',
  );
  expect(request).toMatchObject({
    url: 'http://h/x%20y',
    headers: [{ name: 'x-id', value: 'u-1-1700000000' }],
  });
  expect(Buffer.from(request.body).toString()).toBe('3 2023-11-14T22:13:20.999Z');
});

test('bodies: files as they are, forms in one line, multipart with the line ends of HTTP', async () => {
  expect(await bodyOf('POST http://h\n\n< ./raw.bin')).toBe('\0\xff{{');
  expect(await bodyOf('POST http://h\n\n<@ ./text.json')).toBe('{"id": "u-1"}');
  expect(
    await bodyOf('POST http://h\ncontent-type: application/x-www-form-urlencoded\n\na=1\n  &b=2'),
  ).toBe('a=1&b=2');
  expect(
    await bodyOf(
      'POST http://h\ncontent-type: multipart/form-data; boundary=b\n\n--b\n\n< ./raw.bin\n--b--',
    ),
  ).toBe('--b\r\n\r\n\0\xff{{\r\n--b--');
});

test.each([
  ['GET {{endpoint}}/x', '{{endpoint}} is not defined in this file; add the line "@endpoint = …".'],
  [
    '@a = 1\nGET http://h/{{b}}',
    '{{b}} is not defined in this file; add the line "@b = …", or use one of: a.',
  ],
  [
    '@a = {{b}}\n@b = {{a}}\nGET http://h/{{a}}',
    'The variable @a is defined by itself; give it a value.',
  ],
  ['GET http://h/{{$dotenv TOKEN}}', '{{$dotenv TOKEN}} is a value that Weir cannot make'],
  ['GET http://h/{{$randomInt 9 3}}', '{{$randomInt 9 3}} is a value that Weir cannot make'],
  ['\nGET /orders', 'Line 2: "/orders" is not a URL; begin it with http:// or with {{endpoint}}.'],
  ['GET ftp://h/', 'Line 1: "ftp://h/" is not a URL'],
])('%j is refused', async (text, message) => {
  await expect(prepared(text)).rejects.toMatchObject({
    code: 'bad_input',
    message: expect.stringContaining(message),
  });
});
