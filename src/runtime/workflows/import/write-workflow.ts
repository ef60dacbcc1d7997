/** An exported workflow as the files of a folder (pure). */
import { stringify } from 'yaml';
import { maskOf } from '../../../protocol/mask.ts';
import { shareable } from '../../components/recordings/shareable.ts';
import { schemaName } from '../file/schema.ts';
import { stateFileName, stateText } from '../file/state.ts';
import type { ExportedWorkflow } from './exported-workflow.ts';

/** The export's text of a workflow without its secrets: the file is beside the workflow, in the repository. */
export const originalFileName = 'imported.json';

/** @param text of the value, which is kept to the letter when it has no secrets */
export function originalText(value: unknown, text: string, mask = maskOf({})): string {
  const { value: clean, hidden } = shareable(value, '', mask);
  return hidden.length === 0 ? text : `${JSON.stringify(clean, null, 2)}\n`;
}

/** @returns the texts of its files, by their path below the folder */
export function filesOf(workflow: ExportedWorkflow, original: string): Map<string, string> {
  const { id, name, inactive, settings, triggers, steps, files } = workflow;
  const text = stringify(
    {
      schema: schemaName,
      name,
      ...(inactive && { inactive }),
      ...(Object.keys(settings).length > 0 && { settings }),
      triggers,
      steps,
    },
    { lineWidth: 0, indentSeq: true },
  );
  return new Map([
    ['workflow.yaml', text],
    ...(id === undefined ? [] : [[stateFileName, stateText(id)] as const]),
    ...files,
    [originalFileName, original],
  ]);
}

/** As git-sync names folders. */
export function folderNameOf({ name, id }: Pick<ExportedWorkflow, 'name' | 'id'>): string {
  const slug = name
    .normalize('NFKD')
    .replaceAll(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(/[\s_]+/g, '-')
    .toLowerCase()
    .slice(0, 60);
  const base = slug === '' ? 'workflow' : slug;
  return id === undefined ? base : `${base}-${id}`;
}
