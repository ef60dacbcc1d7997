/** What the process of esbuild gets of the runtime's environment: its own variables, read where the system keeps them. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { warmBundler } from '../../../../../src/runtime/components/bundle/bundle.ts';

/** Environments of the processes of esbuild that this process has started. */
function environments(): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const parent = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
      const isIt = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('esbuild');
      const isOurs = parent === String(process.pid) && isIt;
      return isOurs ? [readFileSync(`/proc/${pid}/environ`, 'utf8')] : [];
    } catch {
      return [];
    }
  });
}

test('P15.1 the process of esbuild has no secrets of the environment, and the runtime keeps them', async (context) => {
  context.skip(process.platform !== 'linux', 'it reads /proc');
  const secrets = ['OTEL_EXPORTER_OTLP_HEADERS', 'AWS_SECRET_ACCESS_KEY', 'SMTP_PASSWORD'];
  for (const name of secrets) {
    process.env[name] = 'a secret';
    onTestFinished(() => void delete process.env[name]);
  }
  const before = environments().length;
  expect(before).toBe(0);
  await warmBundler();
  const found = environments();
  expect(found).toHaveLength(1);
  expect(found[0]).toContain('PATH=');
  expect(found[0]).not.toContain('a secret');
  for (const name of secrets) expect(process.env[name]).toBe('a secret');
});
