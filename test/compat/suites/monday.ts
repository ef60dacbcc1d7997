import { expect } from 'vitest';
import { type FakeMonday, startMonday } from '../fakes/monday.ts';
import { type Stage, suite } from '../support/suite.ts';

const column = 'monday/actions/create-column';
const item = 'monday/actions/create-item';

export const monday = suite({
  app: 'monday',
  hosts: ['api.monday.com'],
  credentials: { api_key: 'key' },
  start: (atEnd) => startMonday('key', atEnd),
  scenarios: [
    {
      component: 'monday/sources/new-item',
      shows: 'its endpoint answers a challenge while activate waits; history at deploy',
      play: newItem,
    },
    {
      component: column,
      shows: 'additionalProps by the value of another prop',
      play: createColumn,
    },
    {
      component: item,
      shows: 'additionalProps that ask the API, with options made of settings',
      play: createItem,
    },
  ],
});

async function newItem({ world, fake, account }: Stage<FakeMonday>): Promise<void> {
  for (const name of ['Rye', 'Oats']) fake.addItem(name);
  const source = await world.deploy('monday/sources/new-item', { monday: account, boardId: '7' });
  expect([...fake.webhooks.values()]).toEqual([source.endpoint_url]);
  fake.addItem('Wheat');
  await fake.deliver({ event: { type: 'create_pulse', pulseId: 3 } });
  const events = await world.events(source, 3);
  const summaries = events.map(({ metadata }) => metadata.summary);
  expect(new Set(summaries)).toEqual(new Set(['Oats', 'Rye', 'Wheat']));
  expect(events.at(-1)).toMatchObject({
    event: { event: { pulseId: 3 }, item: { name: 'Wheat' } },
    metadata: { id: '3_2026-01-03T10:00:00Z', summary: 'Wheat' },
  });
  await world.remove(source);
  expect(fake.webhooks.size).toBe(0);
}

async function createColumn({ world, fake, account }: Stage<FakeMonday>): Promise<void> {
  const props = { monday: account, boardId: '7', title: 'Sack', columnType: 'text' };
  const names = async (columnType: string) => {
    const { configurable_props } = await world.props(column, { ...props, columnType });
    return configurable_props.map(({ name }) => name);
  };
  expect(await names('text')).not.toContain('defaults');
  expect(await names('dropdown')).toContain('defaults');
  const defaults = '{"1": "Small"}';
  const run = await world.act(column, { ...props, columnType: 'dropdown', defaults });
  expect(run).toMatchObject({ return_value: 'dropdown_1' });
  expect(fake.mutated.at(-1)).toEqual({
    name: 'createColumn',
    variables: {
      boardId: 7,
      title: 'Sack',
      columnType: 'dropdown',
      defaults: '{"settings":{"labels":[{"id":1,"name":"Small"}]}}',
    },
  });
}

async function createItem({ world, fake, account }: Stage<FakeMonday>): Promise<void> {
  const columns = ['text', 'status'];
  const props = { monday: account, boardId: '7', itemName: 'Barley', columns };
  const { configurable_props } = await world.props(item, props);
  expect(configurable_props.find(({ name }) => name === 'status')).toMatchObject({
    label: 'Status',
    options: [
      { label: 'Wet', value: '0' },
      { label: 'Dry', value: '1' },
    ],
  });
  const run = await world.act(item, { ...props, text: 'from the hill', status: '1' });
  expect(run).toMatchObject({ return_value: '77' });
  expect(fake.mutated.at(-1)).toMatchObject({
    name: 'createItem',
    variables: { itemName: 'Barley', columnValues: '{"text":"from the hill","status":"1"}' },
  });
}
