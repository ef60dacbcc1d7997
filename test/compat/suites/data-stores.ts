import { expect } from 'vitest';
import { type Fake, startReceiver } from '../../support/receiver.ts';
import { type Stage, suite } from '../support/suite.ts';

const component = 'data_stores/actions/add-update-record';

/** No third party: the stand-in is never asked. */
export const dataStores = suite({
  app: 'data_stores',
  hosts: [],
  credentials: {},
  start: (atEnd) => startReceiver({ answer: () => ({ status: 500 }), atEnd }),
  scenarios: [
    {
      component,
      shows: 'a data_store prop from run to run; options that ask it through input values',
      play: addRecord,
    },
  ],
});

async function addRecord({ world, account }: Stage<Fake>): Promise<void> {
  const props = { app: account, dataStore: 'grain', key: 'rye' };
  const first = await world.act(component, { ...props, value: '{"sacks": 12}' });
  expect(first).toMatchObject({
    summary: 'Successfully added a new record with the key, `rye`.',
    return_value: { key: 'rye', value: { sacks: 12 }, ttl: null },
  });
  const second = await world.act(component, { ...props, value: '13', ttl: 3600 });
  expect(second.summary).toBe(
    'Successfully updated the record for key, `rye` (expires in 1 hour).',
  );
  const { options } = await world.options(component, 'key', { app: account, dataStore: 'grain' });
  expect(options).toEqual([{ label: 'rye', value: 'rye' }]);
}
