import { isBuiltin } from 'node:module';
import { isAbsolute } from 'node:path';
import type { Message } from 'esbuild';

/** An import of a package: `@scope/pkg@^1.2/sub/path`. */
export interface PackageSpecifier {
  readonly name: string;
  /** The part after `@`: a version, a range or a tag. */
  readonly pin: string | undefined;
  /** The part after name and pin: `/sub/path`, or nothing. */
  readonly subpath: string;
  /** As `require` wants it, without the pin: `@scope/pkg/sub/path`. */
  readonly plain: string;
}

/** Undefined for what is not a package: files, Node's own modules, URLs, `#imports`. */
export function parseSpecifier(specifier: string): PackageSpecifier | undefined {
  if (isBuiltin(specifier) || isAbsolute(specifier)) return undefined;
  const parts = /^((?:@[\w.~-]+\/)?[A-Za-z0-9_~-][\w.~-]*)(?:@([^/]+))?(\/.*)?$/.exec(specifier);
  if (parts === null) return undefined;
  const [, written = '', pin, subpath = ''] = parts;
  const name = formerNames.get(written) ?? written;
  return { name, pin, subpath, plain: name + subpath };
}

/** Old components import the platform package by the name it had (P15.10). */
const formerNames = new Map([['@pipedreamhq/platform', '@pipedream/platform']]);

/** The specifier that an unresolved import names; undefined for any other message of esbuild. */
export function unresolvedSpecifier(message: Message): string | undefined {
  return /^Could not resolve "(.+)"/.exec(message.text)?.[1];
}
