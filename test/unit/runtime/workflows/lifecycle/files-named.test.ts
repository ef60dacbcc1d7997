import { expect, test } from 'vitest';
import { namedIn } from '../../../../../src/runtime/workflows/lifecycle/files-named.ts';

const names = ['hello.txt', 'a+b.json', 'README', '.env'];

test.each([
  [`readFileSync(new URL('./hello.txt', import.meta.url))`, ['hello.txt']],
  ['open(os.path.join(here, "hello.txt"))', ['hello.txt']],
  ['cat hello.txt', ['hello.txt']],
  ['cat "$(dirname "$0")/hello.txt" | wc', ['hello.txt']],
  ['cat <hello.txt', ['hello.txt']],
  [`require('./a+b.json')`, ['a+b.json']],
  ['// hello.txt was here', []],
  ['# cat hello.txt', []],
  [`fetch('https://x.example/hello.txt.gz')`, []],
  ['othello.txt', []],
  ['README and .env', []],
])('%s', (code, found) => {
  expect(namedIn(code, names)).toEqual(found);
});
