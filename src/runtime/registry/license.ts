/** The license of a component, and what a reader should know of it (pure). */
import { publicComponents } from '../../protocol/missing-components.ts';

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
  const name = spdxOf(manifest) ?? firstLine(file);
  return { name, note: noteOfLicense(name, file) };
}

/**
 * The remark about a license for a reader; undefined for a free license.
 * @param name undefined: none is named
 * @param file its text, if it is known
 */
export function noteOfLicense(name: string | undefined, file?: string): string | undefined {
  if (name === undefined)
    return 'It names no license: without one nobody but its author may use it.';
  const whole = `${name}\n${file ?? ''}`;
  if (/pipedream source available/i.test(whole)) return publicComponents.licenseNote;
  if (/source available/i.test(whole)) {
    return 'Source available: read which commercial use it excludes.';
  }
  if (/^unlicensed$/i.test(name)) {
    return 'UNLICENSED: its author allows nobody to use it.';
  }
  return /non-?commercial|\bNC\b/i.test(name) ? 'Not for commercial use.' : undefined;
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
