/** The accounts that an import asks for, each once, however many steps and workflows name it (pure). */
import type { Result } from './catalogue.ts';

export interface AccountQuestion {
  /** The platform's id, as in the files: `apn_…`. */
  readonly id: string;
  /** Null where nothing says which app it is of. */
  readonly app: string | null;
  /** The workflows that name it. */
  readonly workflows: readonly { readonly name: string; readonly folder: string }[];
}

/** In the order in which the report has them. */
export function accountQuestions({
  workflows,
}: Pick<Result<'imports.run'>, 'workflows'>): AccountQuestion[] {
  const found = new Map<string, { app: string | null; in: Map<string, string> }>();
  for (const { name, folder, findings } of workflows) {
    if (folder === null) continue;
    for (const { question } of findings) {
      if (question?.kind !== 'account') continue;
      const known = found.get(question.id) ?? { app: null, in: new Map<string, string>() };
      // One step may have facts that another lacks.
      found.set(question.id, { app: known.app ?? question.app, in: known.in.set(folder, name) });
    }
  }
  return [...found].map(([id, { app, in: places }]) => ({
    id,
    app,
    workflows: [...places].map(([folder, name]) => ({ name, folder })),
  }));
}

/** The question for a person. */
export function accountSentence({ id, app, workflows }: AccountQuestion): string {
  const [first, ...others] = workflows.map(({ name }) => name);
  const where = others.length === 0 ? first : `${first} and ${others.length} more`;
  return `${where}: which account takes the place of ${id}${app === null ? '' : ` of ${app}`}?`;
}
