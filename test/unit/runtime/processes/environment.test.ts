import { expect, test } from 'vitest';
import { hostEnvironment } from '../../../../src/runtime/processes/environment.ts';

test('the user’s variables stay out; what finds programs and gets through networks stays in', () => {
  const hidden = {
    AWS_SECRET_ACCESS_KEY: 'x',
    GITHUB_TOKEN: 'x',
    NODE_OPTIONS: '--inspect',
    VSCODE_INSPECTOR_OPTIONS: 'x',
    VSCODE_PID: '1',
    WEIR_KEY: 'x',
    NODE_PATH: 'x',
    UNSET: undefined,
  };
  const kept = {
    PATH: '/bin',
    Path: 'C:\\',
    HOME: '/h',
    LC_ALL: 'C',
    TZ: 'UTC',
    https_proxy: 'http://p',
    NO_PROXY: 'x',
    NODE_EXTRA_CA_CERTS: '/ca',
    SSL_CERT_DIR: '/c',
    TMPDIR: '/t',
  };
  expect(hostEnvironment({ ...hidden, ...kept })).toEqual({ ...kept, ELECTRON_RUN_AS_NODE: '1' });
});
