import { messageOf, WeirError } from '../../protocol/errors.ts';

/** Why an update failed, each place on a line of its own that editors and terminals turn into a link. */
export function updateErrorText(error: unknown): string {
  const details = WeirError.is(error) ? (error.details ?? []) : [];
  const places = details.flatMap(({ file, line, column, message }) =>
    file === undefined || line === undefined
      ? []
      : [`  ${file}:${line}:${(column ?? 0) + 1} ${message}`],
  );
  return [`${messageOf(error)} The deployed code stays as it is.`, ...places].join('\n');
}
