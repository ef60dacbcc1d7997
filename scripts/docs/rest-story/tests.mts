import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Chapter } from './story.mts';

export const tests: Chapter = {
  title: 'Tests',
  text: 'Tests of workflows are files beside `workflow.yaml` ([how to write one](how-to/save-tests.md)).',
  async tell({ show, call, example }) {
    const folder = join(dirname(example('order-received')), 'tests');
    await show('Run a test', 'tests.run', { file: join(folder, 'receipt.test.yaml') });
    const { data } = await call('executions.list', { id: 'order-received', limit: 1 });
    try {
      await show('Make a test of an execution', 'tests.save', {
        execution: data[0]?.id ?? '',
        name: 'from an execution',
        replace: true,
      });
    } finally {
      await rm(join(folder, 'from-an-execution.test.yaml'), { force: true });
    }
  },
};
