/** Tarballs of npm packages, as `npm pack` writes and `npm publish` sends them, without a process of npm. */
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { createGzip, gunzipSync } from 'node:zlib';
import { extract, pack } from 'tar-stream';

/** The time of every file in a package of npm: the same files have the same bytes. */
const mtime = new Date('1985-10-26T08:15:00.000Z');

/** @param files their text by path, with `package.json` */
export async function npmTarball(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const archive = pack();
  const packed = buffer(archive.pipe(createGzip()));
  for (const [path, text] of Object.entries(files)) {
    archive.entry({ name: `package/${path}`, mtime, mode: 0o644 }, text);
  }
  archive.finalize();
  return packed;
}

/** @returns paths within the package */
export async function filesInTarball(tarball: Buffer): Promise<string[]> {
  const archive = extract();
  archive.end(gunzipSync(tarball));
  const paths: string[] = [];
  for await (const entry of archive) {
    paths.push(entry.header.name.replace(/^package\//, ''));
    entry.resume();
  }
  return paths;
}

/** Publishes as `npm publish --ignore-scripts` does, in one request. @param tag such as `latest` */
export async function publishToNpm(
  registry: string,
  token: string,
  files: Readonly<Record<string, string>>,
  tag: string,
): Promise<void> {
  const manifest = JSON.parse(files['package.json'] ?? '') as Manifest;
  const { name, version } = manifest;
  const tarball = await npmTarball(files);
  const file = `${name}-${version}.tgz`;
  const dist = {
    integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
    shasum: createHash('sha1').update(tarball).digest('hex'),
    tarball: new URL(`${name}/-/${file}`, registry).href,
  };
  const attachment = {
    content_type: 'application/octet-stream',
    data: tarball.toString('base64'),
    length: tarball.length,
  };
  const response = await fetch(new URL(name.replace('/', '%2f'), registry), {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      _id: name,
      name,
      description: manifest.description,
      'dist-tags': { [tag]: version },
      versions: {
        [version]: { _id: `${name}@${version}`, readme: files['README.md'], ...manifest, dist },
      },
      access: null,
      _attachments: { [file]: attachment },
    }),
  });
  if (!response.ok) throw new Error(`${file}: ${response.status} ${await response.text()}`);
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
}
