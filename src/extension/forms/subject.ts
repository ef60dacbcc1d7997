/** The subject of a form, and its runtime (by key): enough to open the form again after a reload of the window. */
export type FormSubject =
  | {
      readonly kind: 'deploy';
      readonly runtime: string;
      readonly file: string;
      /** Ids of endpoints that were reserved for it, by prop: their URLs may be in use already. */
      readonly endpoints?: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'update';
      readonly runtime: string;
      readonly id: string;
      readonly file: string;
    }
  | { readonly kind: 'configure'; readonly runtime: string; readonly id: string }
  /** An action, to be run once. */
  | { readonly kind: 'run'; readonly runtime: string; readonly file: string };

/** Subjects with the same key share one form: two forms would be two drafts of the same source. */
export function subjectKey(subject: FormSubject): string {
  const { kind, runtime } = subject;
  if (kind === 'run') return `${runtime} run ${subject.file}`;
  return kind === 'deploy'
    ? `${runtime} deploy ${subject.file}`
    : `${runtime} source ${subject.id}`;
}

/** Reads a subject that a page kept; undefined when it is not one. */
export function parseSubject(kept: unknown): FormSubject | undefined {
  if (typeof kept !== 'object' || kept === null) return undefined;
  const { kind, runtime, file, id, endpoints } = kept as Record<string, unknown>;
  if (typeof runtime !== 'string') return undefined;
  if (kind === 'deploy' && typeof file === 'string') {
    return isTexts(endpoints) ? { kind, runtime, file, endpoints } : { kind, runtime, file };
  }
  if (kind === 'run' && typeof file === 'string') return { kind, runtime, file };
  if (typeof id !== 'string') return undefined;
  if (kind === 'update' && typeof file === 'string') return { kind, runtime, id, file };
  return kind === 'configure' ? { kind, runtime, id } : undefined;
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((one) => typeof one === 'string')
  );
}
