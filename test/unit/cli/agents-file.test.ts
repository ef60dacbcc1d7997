import { expect, test } from 'vitest';
import { withAgentsSection } from '../../../src/cli/agents-file.ts';

test('the section is added once, below what stands there', () => {
  const fresh = withAgentsSection(undefined) ?? expect.unreachable();
  expect(fresh).toMatch(/^# Working in this folder\n\n## Weir\n/);
  expect(withAgentsSection(fresh)).toBeUndefined();
  const added = withAgentsSection('# Ours\n\nUse tabs.\n\n\n') ?? expect.unreachable();
  expect(added).toMatch(/^# Ours\n\nUse tabs\.\n\n## Weir\n/);
  expect(withAgentsSection(added.replaceAll('\n', '\r\n'))).toBeUndefined();
});
