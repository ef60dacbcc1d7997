import { expect } from 'vitest';
import { type Fake, json, startReceiver } from '../../support/receiver.ts';
import { type Stage, suite } from '../support/suite.ts';

export const notiff = suite({
  app: 'notiff_io',
  hosts: ['notiff.io'],
  credentials: { oauth_access_token: 'notiff' },
  start: (atEnd) =>
    startReceiver({ answer: () => ({ status: 200, body: { status: 'success' } }), atEnd }),
  scenarios: [
    {
      component: 'notiff_io/actions/create-notification',
      shows: 'one request, with a secret prop; its summary and return value',
      play: createNotification,
    },
  ],
});

async function createNotification({ world, fake, account }: Stage<Fake>): Promise<void> {
  const note = {
    title: 'Flood',
    description: 'The mill race is full.',
    url: 'https://example.com',
  };
  const props = { app: account, idNotificationSource: 'source-secret', ...note };
  const run = await world.act('notiff_io/actions/create-notification', props);
  expect(run).toMatchObject({
    summary: 'Notification titled "Flood" created successfully!',
    exports: { $summary: 'Notification titled "Flood" created successfully!' },
    return_value: { status: 'success' },
  });
  const [asked] = fake.received;
  expect(asked).toMatchObject({
    method: 'POST',
    path: '/api/1.1/wf/create_notification',
    headers: { host: 'notiff.io', authorization: 'Bearer notiff' },
  });
  expect(json(asked!)).toEqual({ id_notification_source: 'source-secret', ...note });
}
