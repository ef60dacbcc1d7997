import { execFileSync } from 'node:child_process';
import { beforeEach, describe, expect, test } from 'vitest';
import { curlOf } from '../../../../src/extension/inspector/curl.ts';

const request = {
  kind: 'http' as const,
  prop: 'http',
  method: 'POST',
  url: 'http://127.0.0.1:4567/h/hi_1/a?b=1&c=2',
  path: '/a',
  query: 'b=1&c=2',
  headers: { host: '127.0.0.1:4567', 'content-length': '3', 'x-name': "O'Brien" },
  client_ip: '127.0.0.1',
  body: '',
  body_encoding: 'utf8' as const,
  body_bytes: 0,
  raw_body_url: null,
};

/** What a shell makes of a command: its words, with curl replaced by a program that prints them. */
function words(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; if [ "$9" = "@-" ] || [ "$7" = "@-" ]; then cat; fi; }\n${command}`;
  return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).split('\0');
}

describe('a request as a curl command', () => {
  beforeEach(({ skip }) => skip(process.platform === 'win32', 'Windows has no /bin/sh.'));

  test('a shell reads the same words, whatever is in them', () => {
    const body = `{"a": "it's $HOME \`x\` \\n"}\n`;
    expect(words(curlOf({ ...request, body }))).toEqual([
      '-X',
      'POST',
      request.url,
      '-H',
      "x-name: O'Brien",
      '--data-binary',
      body,
      '',
    ]);
  });

  test('a GET without a body needs neither', () => {
    expect(words(curlOf({ ...request, method: 'GET', headers: {} }))).toEqual([request.url, '']);
  });

  test('bytes that are not text are piped in', () => {
    const body = Buffer.from([0x89, 0x50, 0x4e, 0x47]).toString('base64');
    const command = curlOf({ ...request, body, body_encoding: 'base64' });
    expect(command).toMatch(
      /^printf %s 'iVBORw==' \| base64 -d \| curl -X POST .* --data-binary @-$/,
    );
  });
});
