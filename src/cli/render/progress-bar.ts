/** A progress bar in one line of text (pure). */

const cells = 24;

/**
 * `Importing ██████░░░░ 60 %`; without a total the bar is left out.
 * @param done in the unit of `total`
 */
export function progressBar(what: string, done: number, total: number | undefined): string {
  if (total === undefined || total <= 0) return what;
  const fraction = Math.min(1, done / total);
  const full = Math.round(fraction * cells);
  return `${what} ${'█'.repeat(full)}${'░'.repeat(cells - full)} ${Math.floor(fraction * 100)} %`;
}
