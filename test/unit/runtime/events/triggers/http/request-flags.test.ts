import { expect, test } from 'vitest';
import { flagsOf } from '../../../../../../src/runtime/events/triggers/http/request-flags.ts';

test.each([
  ['none', {}, '', {}],
  ['a query of its own', {}, 'pipedream=1&x=x-pd', {}],
  ['an upload by header', { 'x-pd-upload-body': '1' }, '', { uploadBody: true }],
  ['an upload by parameter', {}, 'a=b&pipedream_upload_body=1', { uploadBody: true }],
  ['both others', { 'x-pd-nostore': '1' }, 'x-pd-notrigger=1', { noStore: true, noTrigger: true }],
  ['a delivery', { 'x-weir-hops': '12' }, '', { hops: 12 }],
  ['hops that are no count', { 'x-weir-hops': '-1' }, '', {}],
  ['hops that are a list', { 'x-weir-hops': '1, 2' }, '', {}],
  ['only 1 is yes', { 'x-pd-nostore': 'true' }, 'x-pd-notrigger=0', {}],
])('%s', (_name, headers, query, set) => {
  const none = { uploadBody: false, noStore: false, noTrigger: false };
  expect(flagsOf(headers, query)).toEqual({ ...none, ...set });
});
