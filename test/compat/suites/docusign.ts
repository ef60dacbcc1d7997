import { expect } from 'vitest';
import { type FakeDocuSign, startDocuSign } from '../fakes/docusign.ts';
import { type Stage, suite } from '../support/suite.ts';

const draft = 'docusign/actions/create-draft';

export const docuSign = suite({
  app: 'docusign',
  hosts: ['account.docusign.com', 'eu.docusign.net'],
  credentials: { oauth_access_token: 'token' },
  start: (atEnd) => startDocuSign('token', atEnd),
  scenarios: [
    {
      component: 'docusign/sources/new-change-in-envelope-status',
      shows: 'the time of the timer event, in seconds, is where the next poll begins; two hosts',
      play: envelopeStatus,
    },
    {
      component: draft,
      shows: 'additionalProps from the API, with names that are not identifiers; chained options',
      play: createDraft,
    },
  ],
});

async function envelopeStatus({ world, fake, account }: Stage<FakeDocuSign>): Promise<void> {
  const component = 'docusign/sources/new-change-in-envelope-status';
  const props = { docusign: account, account: 'A1', status: ['sent', 'completed'] };
  const source = await world.deploy(component, props);
  const now = Date.now();
  const envelope = (envelopeId: string, status: string, at: number) => ({
    envelopeId,
    status,
    emailSubject: `Lease ${envelopeId}`,
    statusChangedDateTime: new Date(at).toISOString(),
  });
  fake.envelopes.push(envelope('E1', 'sent', now - 60_000), envelope('E2', 'voided', now - 50_000));
  const before = Math.floor(Date.now() / 1000);
  await world.invoke(source);
  const after = Math.floor(Date.now() / 1000);
  await world.invoke(source);

  const from = Date.parse(fake.received.at(-1)?.query.get('from_date') ?? '') / 1000;
  expect(from).toBeGreaterThanOrEqual(before);
  expect(from).toBeLessThanOrEqual(after);
  expect(await world.events(source, 1)).toMatchObject([
    { event: { envelopeId: 'E1' }, metadata: { summary: 'Lease E1', id: `E1-${now - 60_000}` } },
  ]);
}

async function createDraft({ world, fake, account }: Stage<FakeDocuSign>): Promise<void> {
  const subject = { docusign: account, account: 'A1' };
  const { options } = await world.options(draft, 'template', subject);
  expect(options).toEqual([{ label: 'Lease', value: 'T1' }]);

  const props = { ...subject, template: 'T1', emailSubject: 'Sign here' };
  const { configurable_props, observations } = await world.props(draft, props);
  expect(JSON.stringify(observations)).toContain('Not yet implemented tab type: viewTabs');
  expect(configurable_props.map(({ name }) => name)).toEqual([
    'docusign',
    'account',
    'template',
    'emailSubject',
    'emailBlurb',
    'Miller - Name',
    'Miller - Email',
    '_Wheel',
  ]);
  const run = await world.act(draft, {
    ...props,
    'Miller - Name': 'Ann',
    'Miller - Email': 'ann@example.com',
    _Wheel: 'elm',
  });
  expect(run.return_value).toEqual({ envelopeId: 'E1', status: 'created' });
  const textTabs = [{ tabLabel: 'Wheel', recipientId: 'R1', value: 'elm' }];
  expect(fake.created).toMatchObject([
    {
      status: 'created',
      templateId: 'T1',
      templateRoles: [
        { roleName: 'Miller', name: 'Ann', email: 'ann@example.com', tabs: { textTabs } },
      ],
    },
  ]);
}
