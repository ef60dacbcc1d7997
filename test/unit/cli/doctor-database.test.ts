import { expect, test } from 'vitest';
import { checkNodes, checkReplication } from '../../../src/cli/doctor/database.ts';

const standby = { name: 'b', state: 'streaming', sync: 'async', lagSeconds: 0.25 };

test.each([
  ['ok', /that server alone/, []],
  ['warning', /^b \(streaming, async, 0\.3 s behind\)\.$/, [standby]],
  ['ok', /sync/, [{ ...standby, sync: 'sync' }]],
  ['warning', /20\.0 s behind/, [{ ...standby, sync: 'sync', lagSeconds: 20 }]],
  ['ok', /hidden/, [{ name: 'b', state: null, sync: null, lagSeconds: null }]],
])('replication is %s: %s', (state, found, standbys) => {
  const check = checkReplication({ standbys });
  expect(check.state).toBe(state);
  expect(check.found).toMatch(found);
});

const node = {
  id: 1,
  version: '1.0.0',
  address: 'a:7788',
  isActive: true,
  owned: 1,
  isLate: false,
};

test.each([
  ['ok', []],
  ['ok', [node, { ...node, id: 2, isActive: false }]],
  ['warning', [{ ...node, isLate: true }]],
  ['warning', [{ ...node, isActive: false, address: null }]],
  ['warning', [node, { ...node, id: 2, isActive: false, version: '1.1.0' }]],
])('nodes are %s', (state, nodes) => {
  expect(checkNodes({ nodes }).state).toBe(state);
});
