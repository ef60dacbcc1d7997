import { expect, test } from 'vitest';
import { npmError, npmFailure } from '../../../../src/cli/publishing/npm-error.ts';
import { provenanceIn } from '../../../../src/cli/publishing/provenance.ts';
import { registryFlags, targetOf } from '../../../../src/cli/publishing/target.ts';

test('npm is told a registry for the scope, too, which it asks before any other', () => {
  const target = targetOf('https://npm.acme.test/path');
  expect(registryFlags(target, '@acme')).toEqual([
    '--registry=https://npm.acme.test/path/',
    '--@acme:registry=https://npm.acme.test/path/',
  ]);
  expect(registryFlags(targetOf('npm'), '@acme')).toEqual([]);
});

test.each(['acme', 'file:///etc', 'https://ann:pw@npm.acme.test', 'https://a.test/$(x)', ''])(
  '--to "%s" is refused, without a password in the sentence',
  (to) => {
    expect(() => targetOf(to)).toThrow(/registry/);
    expect(() => targetOf(to)).not.toThrow(/pw@/);
  },
);

const stderr = (code: string, ...lines: string[]) =>
  [`npm error code ${code}`, ...lines.map((line) => `npm error ${line}`)].join('\n');

test.each([
  ['E401', 'unauthorized', 'npm login --registry=https://npm.acme.test/ --scope=@acme'],
  ['ENEEDAUTH', 'unauthorized', 'npm login'],
  ['EOTP', 'unauthorized', 'second factor'],
  ['E402', 'forbidden', '"access": "public"'],
  ['E403', 'forbidden', 'does not let you'],
  ['ECONNREFUSED', 'registry_failed', 'cannot be reached'],
  ['EWEIRD', 'registry_failed', 'EWEIRD'],
])('%s of npm is one sentence', (npmCode, code, says) => {
  const failure = npmFailure(stderr(npmCode, 'it did not go well'));
  const error = npmError(failure, 'publish it', 'https://npm.acme.test/', '@acme');
  expect(error).toMatchObject({ code, message: expect.stringContaining(says) });
  expect(error.message).toContain('https://npm.acme.test/');
});

test('what npm says is passed on without its tokens', () => {
  const token = `npm_${'aB3d'.repeat(9)}`;
  const { summary } = npmFailure(stderr('E403', `no: ${token} at https://ann:pw@npm.acme.test/`));
  expect(summary).toBe('no: npm_… at https://npm.acme.test/');
});

test('npm signs where it can, and a person is told where it cannot', () => {
  const github = { GITHUB_ACTIONS: 'true' };
  expect(provenanceIn({}, true)).toEqual({ isSigned: false, note: undefined });
  expect(provenanceIn({ ...github, ACTIONS_ID_TOKEN_REQUEST_URL: 'x' }, true).isSigned).toBe(true);
  expect(provenanceIn(github, true).note).toContain('id-token: write');
  expect(provenanceIn({ GITLAB_CI: 'true', SIGSTORE_ID_TOKEN: 'x' }, true).isSigned).toBe(true);
  expect(provenanceIn({ GITLAB_CI: 'true' }, true).note).toContain('SIGSTORE_ID_TOKEN');
  const closed = provenanceIn({ ...github, ACTIONS_ID_TOKEN_REQUEST_URL: 'x' }, false);
  expect(closed).toMatchObject({ isSigned: false, note: expect.stringContaining('"access"') });
});
