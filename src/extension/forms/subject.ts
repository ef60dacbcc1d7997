/** What a form is about: enough to open it again after a reload of the window. */
export type FormSubject =
  | {
      readonly kind: 'deploy';
      readonly dataFolder: string;
      readonly file: string;
      /** Ids of endpoints that were reserved for it, by prop: their URLs may be in use already. */
      readonly endpoints?: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'update';
      readonly dataFolder: string;
      readonly id: string;
      readonly file: string;
    }
  | { readonly kind: 'configure'; readonly dataFolder: string; readonly id: string }
  /** An action, to be run once. */
  | { readonly kind: 'run'; readonly dataFolder: string; readonly file: string };

/** Subjects with the same key share one form: two forms would be two drafts of the same source. */
export function subjectKey(subject: FormSubject): string {
  if (subject.kind === 'run') return `run ${subject.file}`;
  return subject.kind === 'deploy' ? `deploy ${subject.file}` : `source ${subject.id}`;
}

/** Reads a subject that a page kept; undefined when it is not one. */
export function parseSubject(kept: unknown): FormSubject | undefined {
  if (typeof kept !== 'object' || kept === null) return undefined;
  const { kind, dataFolder, file, id, endpoints } = kept as Record<string, unknown>;
  if (typeof dataFolder !== 'string') return undefined;
  if (kind === 'deploy' && typeof file === 'string') {
    return isTexts(endpoints) ? { kind, dataFolder, file, endpoints } : { kind, dataFolder, file };
  }
  if (kind === 'run' && typeof file === 'string') return { kind, dataFolder, file };
  if (typeof id !== 'string') return undefined;
  if (kind === 'update' && typeof file === 'string') return { kind, dataFolder, id, file };
  return kind === 'configure' ? { kind, dataFolder, id } : undefined;
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((one) => typeof one === 'string')
  );
}
