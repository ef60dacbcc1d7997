import { isBuiltin } from 'node:module';
import { isAbsolute } from 'node:path';

/** An import of a package: `@scope/pkg@^1.2/sub/path`. */
export interface PackageSpecifier {
  readonly name: string;
  /** What follows `@`: a version, a range or a tag. */
  readonly pin: string | undefined;
  /** As `require` wants it, without the pin: `@scope/pkg/sub/path`. */
  readonly plain: string;
}

/** Undefined for what no package answers: files, Node's own modules, URLs, `#imports`. */
export function parseSpecifier(specifier: string): PackageSpecifier | undefined {
  if (isBuiltin(specifier) || isAbsolute(specifier)) return undefined;
  const parts = /^((?:@[\w.~-]+\/)?[A-Za-z0-9_~-][\w.~-]*)(?:@([^/]+))?(\/.*)?$/.exec(specifier);
  if (parts === null) return undefined;
  const [, written = '', pin, subpath = ''] = parts;
  const name = formerNames.get(written) ?? written;
  return { name, pin, plain: name + subpath };
}

/** Old components import the platform package by the name it had (P15.10). */
const formerNames = new Map([['@pipedreamhq/platform', '@pipedream/platform']]);
