/** Steps in Python and Bash on a machine that lacks what they need: said at deploy, with what to install. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/folder.ts';
import { startRuntime } from '../../support/runtime.ts';
import { needsProgram } from '../support/not-run.ts';
import { tryDeploy } from './script-files.ts';

const python = {
  steps: [{ namespace: 'code', uses: './code/entry.py' }],
  files: { 'code/entry.py': 'def handler(pd): return 1\n' },
};
const bash = {
  steps: [{ namespace: 'code', uses: './code/entry.sh' }],
  files: { 'code/entry.sh': 'echo 1\n' },
};
const withPackage = {
  ...python,
  files: { 'code/entry.py': 'import weir_nowhere\ndef handler(pd): return 1\n' },
};

/** A runtime whose environment differs in one variable. */
async function runtimeWith(name: string, value: string, args: readonly string[] = []) {
  const before = process.env[name];
  process.env[name] = value;
  try {
    const folder = temporaryFolder();
    return { ...(await startRuntime({ folder, args })), folder };
  } finally {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  }
}

/** Loaded by every Python that starts: the real one, changed. */
async function pythonWhere(code: string): Promise<string> {
  const folder = temporaryFolder();
  await writeFile(join(folder, 'sitecustomize.py'), code);
  return folder;
}

test.each([
  [
    'Python',
    python,
    'code: Steps in Python need python3 on the PATH (3.9 or later): install it, or disable the step.',
  ],
  [
    'Bash',
    bash,
    'code: Steps in Bash need bash on the PATH: install it, or write the step in another language.',
  ],
])('without %s on the PATH', async (_, workflow, message) => {
  const runtime = await runtimeWith('PATH', temporaryFolder());
  const { status, body } = await tryDeploy(runtime, workflow);
  expect([status, body]).toMatchObject([400, { error: message, details: [{ line: 5 }] }]);
});

test('a step that is disabled needs no interpreter', async () => {
  const runtime = await runtimeWith('PATH', temporaryFolder());
  const steps = [{ namespace: 'code', uses: './code/entry.py', disabled: true }];
  expect((await tryDeploy(runtime, { ...python, steps })).status).toBe(200);
});

test('a Python before 3.9 is named with its version', async (context) => {
  needsProgram('python3', context);
  const old = await pythonWhere(
    `import sys\nsys.version_info = (3, 8, 10, "final", 0)\nsys.version = "3.8.10 (default)"\n`,
  );
  const runtime = await runtimeWith('PYTHONPATH', old);
  expect((await tryDeploy(runtime, python)).body).toMatchObject({
    error: 'code: Steps in Python need Python 3.9 or later; the one on the PATH is 3.8.10.',
  });
});

test('a Python without venv is told what to install', async (context) => {
  needsProgram('python3', context);
  const without = await pythonWhere(`import sys\nsys.modules["venv"] = None\n`);
  const runtime = await runtimeWith('PYTHONPATH', without);
  const { status, body } = await tryDeploy(runtime, withPackage, { install: true });
  expect([status, body]).toMatchObject([
    400,
    {
      error: expect.stringMatching(
        /^code: Python cannot make a virtual environment: install its venv module \(Debian: python3-venv\)/,
      ),
    },
  ]);
  // One that needs no packages needs no venv.
  expect((await tryDeploy(runtime, python)).status).toBe(200);
});

test('where nothing may be installed, the packages and the setting are named', async (context) => {
  needsProgram('python3', context);
  const folder = temporaryFolder();
  const runtime = {
    ...(await startRuntime({ folder, args: ['--set', 'packages.install=never'] })),
    folder,
  };
  const { status, body } = await tryDeploy(runtime, withPackage, { install: true });
  expect([status, body]).toMatchObject([
    400,
    {
      error:
        'code: The step needs the Python packages weir_nowhere, and the setting packages.install is "never".',
    },
  ]);
});
