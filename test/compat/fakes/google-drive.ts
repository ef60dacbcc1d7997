/** Stands in for Google Drive's API v3: files, shared drives, and the channels that tell of changes. */
import type { AtEnd } from '../../support/at-end.ts';
import {
  type Answer,
  type Received,
  type Fake,
  json,
  startReceiver,
} from '../../support/receiver.ts';

export interface DriveFile {
  readonly id: string;
  readonly name: string;
  readonly mimeType: string;
  readonly createdTime: string;
}

interface Channel {
  readonly id: string;
  readonly address: string;
}

export interface FakeGoogleDrive extends Fake {
  /** Newest first. */
  readonly files: DriveFile[];
  readonly drives: { readonly id: string; readonly name: string; readonly createdTime: string }[];
  /** Channels that are open, by id. */
  readonly channels: ReadonlyMap<string, Channel>;
  addFile(name: string, createdTime: string): DriveFile;
  /** Tells every open channel that something changed. */
  notify(): Promise<readonly Response[]>;
}

export async function startGoogleDrive(token: string, atEnd?: AtEnd): Promise<FakeGoogleDrive> {
  const files: DriveFile[] = [];
  const drives: FakeGoogleDrive['drives'] = [];
  const channels = new Map<string, Channel>();

  function answer(asked: Received): Answer {
    if (asked.headers.authorization !== `Bearer ${token}`) {
      return { status: 401, body: { error: { code: 401, message: 'Invalid Credentials' } } };
    }
    const path = asked.path.replace('/drive/v3', '');
    if (path === '/changes/startPageToken') return ok({ startPageToken: '100' });
    if (path === '/changes/watch') return ok(watch(json(asked) as Channel));
    if (path === '/changes') return ok({ changes: [], newStartPageToken: '101' });
    if (path === '/channels/stop') {
      channels.delete((json(asked) as Channel).id);
      return { status: 204 };
    }
    if (path === '/drives') return ok({ drives });
    const drive = drives.find(({ id }) => path === `/drives/${id}`);
    if (drive !== undefined) return ok(drive);
    if (path === '/files' && asked.method === 'POST') return ok(create(json(asked) as DriveFile));
    if (path === '/files') return ok({ files: found(asked.query.get('q') ?? '') });
    const file = files.find(({ id }) => path === `/files/${id}`);
    if (file !== undefined) return asked.query.get('alt') === 'media' ? content(file) : ok(file);
    if (asked.path === '/upload/drive/v3/files' || path === '/upload/files')
      return ok(upload(asked));
    return { status: 404, body: { error: { code: 404, message: `Not found: ${path}` } } };
  }

  function watch(channel: Channel): unknown {
    channels.set(channel.id, channel);
    return { kind: 'api#channel', resourceId: 'R1', expiration: '1893456000000' };
  }

  /** Understands the one condition of these tests: created after a time. */
  function found(query: string): readonly DriveFile[] {
    const [, after] = /createdTime > "([^"]+)"/.exec(query) ?? [];
    return files.filter(({ createdTime }) => after === undefined || createdTime > after);
  }

  function create(given: Pick<DriveFile, 'name' | 'mimeType'>): DriveFile {
    const file = { ...given, id: `F${files.length + 1}`, createdTime: new Date().toISOString() };
    files.unshift(file);
    return file;
  }

  /** multipart/related: the metadata, then the content. */
  function upload({ headers, body }: Received): unknown {
    const [, boundary = ''] = /boundary=(.+)$/.exec(headers['content-type'] ?? '') ?? [];
    const [, metadata = '', content = ''] = body
      .split(`--${boundary}`)
      .map((part) => part.slice(part.indexOf('\r\n\r\n')).trim());
    return { ...create(JSON.parse(metadata) as DriveFile), content };
  }

  return {
    ...(await startReceiver({ answer, atEnd })),
    files,
    drives,
    channels,
    addFile(name, createdTime) {
      const file = { id: `F${files.length + 1}`, name, mimeType: 'text/plain', createdTime };
      files.unshift(file);
      return file;
    },
    notify: () =>
      Promise.all(
        [...channels.values()].map(({ id, address }) =>
          fetch(address, {
            method: 'POST',
            headers: {
              'x-goog-channel-id': id,
              'x-goog-message-number': '2',
              'x-goog-resource-id': 'R1',
              'x-goog-resource-state': 'change',
              'x-goog-resource-uri': 'https://www.googleapis.com/drive/v3/changes',
            },
          }),
        ),
      ),
  };
}

function content({ name }: DriveFile): Answer {
  const headers = { 'content-type': 'application/octet-stream' };
  return { status: 200, headers, body: Buffer.from(`What is in ${name}`) };
}

function ok(body: unknown): Answer {
  return { status: 200, body };
}
