import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { writeInside } from '../../protocol/write-inside.ts';
import { stepsIn } from '../../workflow-file/steps-in.ts';
import { yamlValues } from '../../workflow-file/yaml-values.ts';
import { workflowFileName } from '../workflows/workflow-files.ts';
import { projectText, stepsDeclaration, typesFolder, type KnownStep } from './steps-declaration.ts';

const projectFiles = ['tsconfig.json', 'jsconfig.json'];

/**
 * Writes what the editor knows of `steps` in the code of a workflow: a folder that git ignores, and a `tsconfig.json`
 * that git ignores as well, where the folder has none.
 * @param folder of the workflow
 * @param root of the workspace: what is above it is nobody's business
 * @param runs as `stepsDeclaration` takes them
 * @returns whether anything was written
 * @throws WeirError `bad_input` where a link leads out of the root
 */
export async function writeStepTypes(
  folder: string,
  root: string,
  runs: readonly Readonly<Record<string, unknown>>[],
): Promise<boolean> {
  const steps = await knownSteps(folder);
  if (steps === undefined) return false;
  const place = path.join(folder, typesFolder);
  const change = (file: string, text: string): Promise<boolean> => changed(root, file, text);
  const written = [
    await change(path.join(place, '.gitignore'), '*\n'),
    await change(path.join(place, 'steps.d.ts'), stepsDeclaration(steps, runs)),
  ];
  if (!projectFiles.some((name) => existsSync(path.join(folder, name)))) {
    await ignore(root, folder, '/tsconfig.json');
    const above = projectAbove(folder, root);
    written.push(await change(path.join(folder, 'tsconfig.json'), projectText(above)));
  }
  return written.includes(true);
}

/** Undefined while the file cannot be read: what was known stays. */
async function knownSteps(folder: string): Promise<KnownStep[] | undefined> {
  const text = await readFile(path.join(folder, workflowFileName), 'utf8').catch(() => '');
  const { root, problems } = yamlValues(text);
  if (root === undefined || problems.some(({ severity }) => severity === 'error')) return undefined;
  const names = new Set<string>();
  const steps: KnownStep[] = [];
  for (const { namespace, step } of stepsIn(root.value)) {
    if (names.has(namespace)) continue;
    names.add(namespace);
    const { uses } = step;
    const isOwn = typeof uses === 'string' && uses.startsWith('./');
    const code = isOwn
      ? await readFile(path.resolve(folder, uses), 'utf8').catch(() => undefined)
      : undefined;
    steps.push({ namespace, code });
  }
  return steps;
}

async function changed(root: string, file: string, text: string): Promise<boolean> {
  const before = await readFile(file, 'utf8').catch(() => undefined);
  if (before === text) return false;
  await writeInside(root, file, text);
  return true;
}

async function ignore(root: string, folder: string, line: string): Promise<void> {
  const file = path.join(folder, '.gitignore');
  const before = await readFile(file, 'utf8').catch(() => '');
  if (before.split(/\r?\n/).includes(line)) return;
  const separator = before === '' || before.endsWith('\n') ? '' : '\n';
  await writeInside(root, file, `${before}${separator}${line}\n`);
}

/** The configuration that TypeScript takes for the folder so far. */
function projectAbove(folder: string, root: string): string | undefined {
  let above = folder;
  while (above !== root && above !== path.dirname(above)) {
    above = path.dirname(above);
    const name = projectFiles.find((one) => existsSync(path.join(above, one)));
    if (name !== undefined)
      return path.relative(folder, path.join(above, name)).replaceAll('\\', '/');
  }
  return undefined;
}
