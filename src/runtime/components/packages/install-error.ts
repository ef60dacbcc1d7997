import { WeirError } from '../../../protocol/errors.ts';
import type { NpmFailure } from './npm.ts';
import type { Wanted } from './packages.ts';

/** What npm calls a registry it does not reach. */
const unreachable = [
  'ENOTFOUND',
  'ECONNREFUSED',
  'ECONNRESET',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'ENETUNREACH',
  'ERR_SOCKET_TIMEOUT',
  'ENOTCACHED',
];

/** Why a package could not be installed, as one sentence that names the file that imports it. */
export function installError(wanted: Wanted, failure: NpmFailure): WeirError {
  const { name, version, importer } = wanted;
  const { code, summary } = failure;
  return new WeirError(
    'bad_component',
    `${importer} imports ${name}@${version}, but ${reason(wanted, failure)}.`,
    [{ message: summary, file: importer, code }],
  );
}

function reason({ name, version }: Wanted, { code, summary }: NpmFailure): string {
  if (code === 'E404' || code === 'ETARGET') {
    const lacking = lackingPackage(summary);
    // npm says the same of a package further down, which nobody who reads this has ever heard of.
    if (lacking !== undefined && !isOf(lacking, name)) {
      return `that needs ${lacking}, which the npm registry does not have`;
    }
    return code === 'E404'
      ? `there is no npm package "${name}"`
      : `"${name}" has no version ${version}`;
  }
  if (unreachable.includes(code)) {
    return 'the npm registry cannot be reached; try again online, or install it beside the component';
  }
  return `npm could not install it (${code}: ${summary})`;
}

/** `name@version` of "No matching version found for …", or the name at the end of the URL that was not found. */
function lackingPackage(summary: string): string | undefined {
  const [, spec] = /No matching version found for (\S+?)\.?$/.exec(summary) ?? [];
  if (spec !== undefined) return spec;
  const [, scope = '', name] =
    /GET https?:\/\/\S*?\/(@[^\s/%]+(?:\/|%2f))?([^\s/]+)(?:\s|$)/i.exec(summary) ?? [];
  return name === undefined ? undefined : scope.replace(/%2f/i, '/') + name;
}

function isOf(spec: string, name: string): boolean {
  return spec === name || spec.startsWith(`${name}@`);
}
