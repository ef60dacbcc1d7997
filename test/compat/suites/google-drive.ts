import { expect } from 'vitest';
import { type FakeGoogleDrive, startGoogleDrive } from '../fakes/google-drive.ts';
import { type Stage, suite } from '../support/suite.ts';

const newFilesSource = 'google_drive/sources/new-files-instant';

export const googleDrive = suite({
  app: 'google_drive',
  hosts: ['www.googleapis.com'],
  credentials: { oauth_access_token: 'ya29' },
  start: (atEnd) => startGoogleDrive('ya29', atEnd),
  scenarios: [
    {
      component: newFilesSource,
      shows: 'HTTP and a hidden, static timer on one source: told of files, renews its channel',
      play: newFiles,
    },
    {
      component: newFilesSource,
      shows: 'a dir prop: a file of the drive is stashed, and its link leads to its bytes',
      play: stashedFile,
    },
    {
      component: 'google_drive/sources/new-shared-drive',
      shows: 'what is known at deploy stays known',
      play: newSharedDrive,
    },
    {
      component: 'google_drive/actions/create-folder',
      shows: 'the SDK of the third party, from inside a bundle',
      play: createFolder,
    },
    {
      component: 'google_drive/actions/create-file-from-text',
      shows: 'an upload from a stream, as multipart/related',
      play: createFile,
    },
  ],
});

async function newFiles({ world, fake, account }: Stage<FakeGoogleDrive>): Promise<void> {
  fake.addFile('before.txt', new Date(Date.now() - 60_000).toISOString());
  const source = await world.deploy(newFilesSource, { googleDrive: account, drive: 'My Drive' });
  const [channel] = fake.channels.values();
  expect(channel?.address).toBe(source.endpoint_url);

  fake.addFile('after.txt', new Date(Date.now() + 1000).toISOString());
  const [answer] = await fake.notify();
  expect(answer?.status).toBe(200);
  const summaries = (await world.events(source, 2)).map(({ metadata }) => metadata.summary);
  expect(summaries).toEqual(['New File: before.txt', 'New File: after.txt']);

  // The tick of its timer, which is what "run now" means here.
  expect(await world.invoke(source)).toMatchObject({ status: 'succeeded' });
  expect([...fake.channels.keys()]).not.toContain(channel?.id);
  expect(fake.channels.size).toBe(1);
  await world.remove(source);
  expect(fake.channels.size).toBe(0);
}

async function stashedFile({ world, fake, account }: Stage<FakeGoogleDrive>): Promise<void> {
  fake.files.splice(0);
  fake.addFile('ledger.txt', new Date(Date.now() - 60_000).toISOString());
  const props = { googleDrive: account, drive: 'My Drive', includeLink: true };
  const source = await world.deploy(newFilesSource, props);
  const [event] = await world.events(source, 1);
  const { file } = event!.event as { file: { path: string; get_url: string } };
  expect(file.path).toContain('ledger.txt');
  const linked = await fetch(file.get_url);
  expect(await linked.text()).toBe('What is in ledger.txt');
}

async function newSharedDrive({ world, fake, account }: Stage<FakeGoogleDrive>): Promise<void> {
  const component = 'google_drive/sources/new-shared-drive';
  fake.drives.push({ id: 'D1', name: 'Mill', createdTime: '2026-01-01T10:00:00.000Z' });
  const source = await world.deploy(component, { googleDrive: account });
  const granary = { id: 'D2', name: 'Granary', createdTime: '2026-01-02T10:00:00.000Z' };
  fake.drives.push(granary);
  expect((await world.invoke(source)).emitted).toMatchObject([
    { event: granary, metadata: { id: 'D2', ts: Date.parse(granary.createdTime) } },
  ]);
  expect((await world.invoke(source)).emitted).toEqual([]);
  expect(await world.events(source, 2)).toHaveLength(2);
}

async function createFolder({ world, fake, account }: Stage<FakeGoogleDrive>): Promise<void> {
  const props = { googleDrive: account, name: 'Ledgers', parentId: 'P1' };
  const run = await world.act('google_drive/actions/create-folder', props);
  expect(run.summary).toBe('Successfully created a new folder, "Ledgers"');
  expect(fake.files[0]).toMatchObject({
    name: 'Ledgers',
    mimeType: 'application/vnd.google-apps.folder',
    parents: ['P1'],
  });
}

async function createFile({ world, account }: Stage<FakeGoogleDrive>): Promise<void> {
  const props = {
    googleDrive: account,
    name: 'grain.txt',
    content: 'Roggen – rye',
    parentId: 'P1',
  };
  const run = await world.act('google_drive/actions/create-file-from-text', props);
  expect(run).toMatchObject({
    summary: 'Successfully created a new file, "grain.txt"',
    return_value: { name: 'grain.txt', parents: ['P1'], content: 'Roggen – rye' },
  });
}
