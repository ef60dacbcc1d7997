import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Metafile } from 'esbuild';

/** A package of somebody else whose code ships. */
interface ThirdParty {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly text: string;
}

const header = `Weir contains code of the following packages.
Each is used under its own license, which follows its name.
`;
const rule = '-'.repeat(80);

/** What users are owed about the packages in these folders of node_modules. */
export async function thirdPartyNotices(folders: readonly string[]): Promise<string> {
  const all = await Promise.all(folders.map(readThirdParty));
  const parts = all
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
    .map(
      ({ name, version, license, text }) => `${rule}\n${name} ${version} (${license})\n\n${text}\n`,
    );
  return [header, ...parts].join('\n');
}

/** The folders of the packages that went into bundles, each once. */
export function bundledPackages(metafiles: readonly Metafile[]): string[] {
  const inputs = metafiles.flatMap(({ inputs: files }) => Object.keys(files));
  return [...new Set(inputs.flatMap((file) => packageFolder(file) ?? []))];
}

/** `node_modules/@scope/name` of a file somewhere below it, also where packages are nested. */
function packageFolder(file: string): string | undefined {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0];
}

/** @throws Error when a package says nothing about its license: then it must not be shipped */
async function readThirdParty(folder: string): Promise<ThirdParty> {
  const text = await readFile(path.join(folder, 'package.json'), 'utf8');
  const { name, version, license } = JSON.parse(text) as Partial<ThirdParty>;
  if (name === undefined || version === undefined || license === undefined) {
    throw new Error(`${folder}/package.json does not name a license, so it cannot be shipped.`);
  }
  const all = await readdir(folder);
  const read = (file: string): Promise<string> => readFile(path.join(folder, file), 'utf8');
  const files = all.filter((file) => /^(licen[cs]e|notice)\b/i.test(file)).sort();
  const texts = await Promise.all(files.map(read));
  // Some have their license at the end of their README only.
  const readme = all.find((file) => /^readme\b/i.test(file));
  if (files.length === 0 && readme !== undefined) texts.push(licenseOf(await read(readme)));
  if (texts.join('') === '') {
    throw new Error(`${folder} has no license text, so it cannot be shipped.`);
  }
  return { name, version, license, text: texts.map((one) => one.trim()).join('\n\n') };
}

/** What stands below the heading of that name, to the next one; empty when there is none. */
function licenseOf(readme: string): string {
  return /^#+ *licen[cs]e *\n([^]*?)(?=^#|(?![^]))/im.exec(readme)?.[1]?.trim() ?? '';
}
