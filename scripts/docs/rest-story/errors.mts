import { errorStatus } from '../../../src/protocol/errors.ts';
import { groupedBy } from '../grouped-by.mts';
import { tableOf } from '../schema-text.mts';
import type { Chapter } from './story.mts';

const byStatus = [...groupedBy(Object.entries(errorStatus), ([, status]) => status)]
  .toSorted(([a], [b]) => a - b)
  .map(([status, codes]) => [String(status), codes.map(([code]) => `\`${code}\``).join(', ')]);

const failing =
  "export default { name: 'Fails', run() {}, hooks: { deploy() { console.log('asking the shop'); throw new Error('no such shop') } } }";

export const errors: Chapter = {
  title: 'Errors',
  text: `An error is \`{"error": "a sentence for a person", "code": "for a program"}\`, with \`details\` where there is more to say: one
per parameter, prop or place in a file. The code decides the status:

${tableOf(['status', '`code`'], byStatus)}`,
  async tell({ showRequest }) {
    await showRequest('A parameter is wrong', {
      method: 'GET',
      path: '/v1/sources',
      query: { limit: 1000 },
    });
    await showRequest(
      'An address takes other methods',
      { method: 'PATCH', path: '/v1/webhooks/wh_x7Kq2Pz' },
      'The header `allow` has the methods that are possible.',
    );
    await showRequest(
      'A component failed',
      { method: 'POST', path: '/v1/sources', body: { component_code: failing } },
      '`observations` is what it had logged; `details` has the same.',
    );
  },
};
