import { expect, it } from 'vitest';
import { literalTmp } from '../../../../../src/runtime/workflows/lifecycle/literal-tmp.ts';

it.each([
  ['node', `const a = 1;\nfs.writeFileSync('/tmp/report.csv', a);`, 2],
  ['node', 'const path = `/tmp/${id}`;', 1],
  ['node', `cwd: "/tmp"`, 1],
  ['node', `// once in '/tmp/x'\n * '/tmp/y'\nos.tmpdir()`, undefined],
  ['node', `fetch('https://host/tmp/x'); const tmp = './tmp/x'; const a = '/tmpfile'`, undefined],
  ['python', `open("/tmp/report.csv", "w")`, 1],
  ['python', `# open("/tmp/x")`, undefined],
  ['bash', `echo 1\ncurl -o /tmp/out.json "$URL"`, 2],
  ['bash', `FILE=/tmp/x`, 1],
  ['bash', `echo "$TMPDIR/x" > ./tmp/x # none\nls /tmpfs`, undefined],
] as const)('%s: %s', (language, code, line) => {
  expect(literalTmp(code, language)?.line).toBe(line);
});
