/** Values of `workflow.yaml` that the format does not list, but the workspace, the runtime or the platform knows. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import type { TextPlace } from '../../workflow-file/place-in-text.ts';
import type { Suggestion } from './format.ts';

/** Does not start a runtime. */
export async function valuesOfWorkspace(
  folders: Folders,
  file: string,
  place: Pick<TextPlace, 'path'>,
): Promise<Suggestion[]> {
  const at = place.path.map((part) => (typeof part === 'number' ? '*' : part));
  const name = at.at(-1);
  const isOfTrigger = at[0] === 'triggers';
  const folder = folders.of(file);
  if (name === 'timezone' && isOfTrigger) {
    return Intl.supportedValuesOf('timeZone').map((zone) => ({ name: zone }));
  }
  if (name === 'cron' && isOfTrigger) return [...schedules];
  if (name === 'emitter' && isOfTrigger) return emitters(folder);
  if (isUsesOfStep(place)) {
    return [...(await codeFiles(path.dirname(file))), ...(await components(folder, file))];
  }
  return [];
}

/** Whether it is the `uses` of a step: not of a trigger, and not within its props. */
export function isUsesOfStep({ path: at }: Pick<TextPlace, 'path'>): boolean {
  return (
    at[0] !== 'triggers' &&
    at.at(-1) === 'uses' &&
    typeof at.at(-2) === 'number' &&
    at.at(-3) === 'steps'
  );
}

const schedules: readonly Suggestion[] = [
  { name: '*/15 * * * *', about: 'every 15 minutes' },
  { name: '0 * * * *', about: 'every hour' },
  { name: '0 9 * * *', about: 'every day at 9:00' },
  { name: '0 9 * * 1-5', about: 'Monday to Friday at 9:00' },
  { name: '0 9 * * 1', about: 'every Monday at 9:00' },
  { name: '0 9 1 * *', about: 'on the first of every month at 9:00' },
];

function emitters({ mirror }: Folder): Suggestion[] {
  return [...mirror.sources(), ...mirror.workflows()].map(({ id, name }) => ({
    name: id,
    about: name,
  }));
}

const code = /^entry\.(?:js|mjs|cjs|ts|mts|cts|py|sh)$/;

/** `./<folder>/entry.ts` of the folders beside the file. */
async function codeFiles(folder: string): Promise<Suggestion[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((one) => one.isDirectory() && !one.name.startsWith('.'));
  const found = await Promise.all(
    folders.map(async ({ name }) => {
      const files = await readdir(path.join(folder, name)).catch(() => []);
      return files.filter((file) => code.test(file)).map((file) => `./${name}/${file}`);
    }),
  );
  return found.flat().map((name) => ({ name, about: 'code of this workflow' }));
}

async function components({ link }: Folder, file: string): Promise<Suggestion[]> {
  const { client } = link;
  if (client === undefined) return [];
  try {
    const { data } = await client.call('workflows.components', { workflow_path: file });
    return data.map(({ key, version, name, description }) => ({
      name: `${key}@${version}`,
      about: name,
      ...(description !== null && { description }),
    }));
  } catch {
    // Problems of the runtime are reported elsewhere.
    return [];
  }
}
