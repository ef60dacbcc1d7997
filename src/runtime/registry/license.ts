/** The license of a component, and what a reader should know of it (pure). */

export interface License {
  /** SPDX expression, or the first line of the file. */
  readonly name: string | undefined;
  readonly note: string | undefined;
}

/**
 * @param manifest the text of a `package.json`
 * @param file the text of a file of a license
 */
export function licenseOf(manifest: string | undefined, file: string | undefined): License {
  const said = spdxOf(manifest);
  const name = said ?? firstLine(file);
  if (name === undefined) {
    return { name, note: 'It names no license: without one nobody but its author may use it.' };
  }
  const whole = `${name}\n${file ?? ''}`;
  if (/source available/i.test(whole)) {
    return { name, note: 'Source available: not for commercial products that compete with it.' };
  }
  if (/^unlicensed$/i.test(name)) {
    return { name, note: 'UNLICENSED: its author allows nobody to use it.' };
  }
  if (/non-?commercial|\bNC\b/i.test(name)) return { name, note: 'Not for commercial use.' };
  return { name, note: undefined };
}

/** Whether a `package.json` names a license. */
export function namesLicense(manifest: string | undefined): boolean {
  return spdxOf(manifest) !== undefined;
}

function spdxOf(manifest: string | undefined): string | undefined {
  if (manifest === undefined) return undefined;
  try {
    const { license } = JSON.parse(manifest) as { license?: unknown };
    if (typeof license === 'string' && !/^see licen[cs]e in/i.test(license)) return license;
    const { type } = (license ?? {}) as { type?: unknown };
    return typeof type === 'string' ? type : undefined;
  } catch {
    return undefined;
  }
}

function firstLine(text: string | undefined): string | undefined {
  const line = text
    ?.split('\n')
    .map((one) => one.replaceAll(/^[\s#*=-]+|[\s*=]+$/g, ''))
    .find((one) => one !== '');
  return line?.slice(0, 100);
}
