/**
 * How a component is named, wherever one is asked for: the command line, REST, forms and `uses` of a step (P27.1). One grammar
 * for all of them, pure; who takes which kinds says so itself.
 */

export type Reference =
  /** A file of this machine, as it was written. */
  | { readonly kind: 'file'; readonly path: string }
  /** `key`, `key@1.2`, `@scope/key@^1`: looked for here, in the lock and in the registries. */
  | { readonly kind: 'key'; readonly key: string; readonly version?: string }
  /** `npm:@scope/package@1.4.0#key`; without a key the package has one component. */
  | {
      readonly kind: 'npm';
      readonly package: string;
      readonly version?: string;
      readonly key?: string;
    }
  /** `git:url#ref:path` and `github:owner/repo/path#ref`; without a ref the repository's own branch. */
  | { readonly kind: 'git'; readonly url: string; readonly ref?: string; readonly path: string }
  /** The page of a file: where its ref ends and its path begins, only the repository knows. */
  | { readonly kind: 'page'; readonly url: string; readonly refAndPath: string };

/** What is wrong with a reference, as the end of a sentence that begins with its text. */
export interface Unreadable {
  readonly wrong: string;
}

const keyPattern = String.raw`(?:@[\w-]{1,100}\/)?[a-z0-9_]+(?:-[a-z0-9_]+)*`;
const versionPattern = String.raw`(?:[~^=]|[<>]=?)?\d{1,9}(?:\.(?:\d{1,9}|[x*])){0,2}(?:-[\w.-]{1,50})?`;
const aKey = new RegExp(`^(${keyPattern})(?:@(${versionPattern}))?$`, 'i');
const isKey = new RegExp(`^${keyPattern}$`, 'i');
const isVersion = new RegExp(`^${versionPattern}$`);
const aPackage = /^((?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*)(?:@([^#]*))?(?:#(.*))?$/i;
const isTag = /^[a-z][\w.-]{0,50}$/i;
const codeEnding = /\.(?:[cm]?[jt]s)$/;
/** Longer ones are no mistake of somebody who types. */
const longest = 2000;

export function parseReference(text: string): Reference | Unreadable {
  if (text.length > longest) return { wrong: `is longer than ${longest} characters` };
  // eslint-disable-next-line no-control-regex -- They end lines of what git and npm are told.
  if (/[\u0000-\u001F\u007F]/.test(text)) return { wrong: 'has control characters' };
  if (text.trim() !== text || text === '') return { wrong: 'is empty, or has spaces around it' };
  if (text.startsWith('npm:')) return npmReference(text.slice('npm:'.length));
  if (text.startsWith('github:')) return githubReference(text.slice('github:'.length));
  if (text.startsWith('git:') && !text.startsWith('git://')) return gitReference(text.slice(4));
  if (/^https?:\/\//i.test(text)) return pageReference(text);
  if (/^\.{1,2}(?:[\\/]|$)|^[\\/]|^[a-z]:[\\/]/i.test(text)) return { kind: 'file', path: text };
  const [, key, version] = aKey.exec(text) ?? [];
  if (key !== undefined) return { kind: 'key', key, ...(version !== undefined && { version }) };
  if (codeEnding.test(text) && !text.startsWith('@')) return { kind: 'file', path: text };
  const at = text.indexOf('@', 1);
  if (at > 0 && isKey.test(text.slice(0, at))) {
    return { wrong: `has "${text.slice(at + 1, at + 60)}" for a version; write it as in "@1.2.0"` };
  }
  return {
    wrong:
      'is not a reference of a component: write a file, a key ("app-name" or "app-name@1.2.0"), "npm:package@version#key", "github:owner/repo/path#commit", "git:url#ref:path" or the URL of a file\'s page',
  };
}

function npmReference(text: string): Reference | Unreadable {
  const [, name, version, key] = aPackage.exec(text) ?? [];
  if (name === undefined || name.length > 214) {
    return { wrong: 'names no npm package; write it as in "npm:@scope/package@1.4.0#key"' };
  }
  if (version !== undefined && !isVersion.test(version) && !isTag.test(version)) {
    return { wrong: `has "${version.slice(0, 60)}" for the version of an npm package` };
  }
  if (key !== undefined && !isKey.test(key)) {
    return { wrong: `has "${key.slice(0, 60)}" behind "#" where the key of a component stands` };
  }
  return {
    kind: 'npm',
    package: name,
    ...(version !== undefined && { version }),
    ...(key !== undefined && { key }),
  };
}

function githubReference(text: string): Reference | Unreadable {
  const { before, after: ref } = split(text, '#');
  const [owner = '', repository = '', ...rest] = before.split('/');
  const path = rest.join('/');
  if (!/^[\w.-]+$/.test(owner) || !/^[\w.-]+$/.test(repository) || !isPath(path)) {
    return { wrong: 'must be written as in "github:owner/repo/path/to/component.mjs#commit"' };
  }
  if (ref !== undefined && !isRef(ref)) return wrongRef(ref);
  const url = `https://github.com/${owner}/${repository}.git`;
  return { kind: 'git', url, ...(ref !== undefined && { ref }), path };
}

function gitReference(text: string): Reference | Unreadable {
  const { before: url, after } = split(text, '#');
  const { before: ref, after: path } = split(after ?? '', ':');
  if (!isRepositoryUrl(url)) {
    return { wrong: 'names no repository; write it as in "git:https://host/repo.git#ref:path"' };
  }
  if (hasPassword(url)) return passwordInUrl;
  if (path === undefined || !isPath(path)) {
    return { wrong: 'names no file of the repository; write it as in "git:url#ref:path"' };
  }
  if (ref !== '' && !isRef(ref)) return wrongRef(ref);
  return { kind: 'git', url, ...(ref !== '' && { ref }), path };
}

function pageReference(text: string): Reference | Unreadable {
  if (!URL.canParse(text)) return { wrong: 'is not a URL' };
  const url = new URL(text);
  if (hasPassword(text)) return passwordInUrl;
  const path = decoded(url.pathname);
  const gitlab = /^\/(.+?)\/-\/(?:blob|raw)\/(.+)$/.exec(path);
  const github = /^\/([^/]+\/[^/]+)\/(?:blob|raw)\/(.+)$/.exec(path);
  const [, repository, refAndPath] = gitlab ?? github ?? [];
  if (repository === undefined || refAndPath === undefined || !isPath(refAndPath)) {
    return {
      wrong:
        'is not the page of a file in a repository; copy the address of one, ".../owner/repo/blob/…"',
    };
  }
  return { kind: 'page', url: `${url.origin}/${repository}.git`, refAndPath };
}

/** A reference as it is written; `parseReference` reads the same from it. */
export function formatReference(reference: Reference): string {
  const behind = (sign: string, text: string | undefined): string =>
    text === undefined ? '' : sign + text;
  switch (reference.kind) {
    case 'file':
      return reference.path;
    case 'key':
      return reference.key + behind('@', reference.version);
    case 'npm':
      return `npm:${reference.package}${behind('@', reference.version)}${behind('#', reference.key)}`;
    case 'git':
      return `git:${reference.url}#${reference.ref ?? ''}:${reference.path}`;
    case 'page':
      return `${reference.url.replace(/\.git$/, '')}/-/blob/${reference.refAndPath.split('/').map(encodeURIComponent).join('/')}`;
  }
}

/** Whether git takes a text for a repository and not for an option or another program: a URL, or `user@host:path`. */
export function isRepositoryUrl(text: string): boolean {
  if (/\s/.test(text)) return false;
  return /^(?:https?|ssh|git|file):\/\/[^-]/i.test(text) || /^[\w.]+@[\w.-]+:[^-\s]/.test(text);
}

/** Whether a URL has a password or token in it: those belong in git's and npm's own configuration. */
export function hasPassword(url: string): boolean {
  return /^https?:\/\/[^/\s]*@/i.test(url) || /^\w+:\/\/[^/\s@]*:[^/\s@]*@/.test(url);
}

const passwordInUrl: Unreadable = {
  wrong:
    'has a password in its URL; leave it to git, in a credential helper, as the URL is written into files',
};

function wrongRef(ref: string): Unreadable {
  return { wrong: `has "${ref.slice(0, 60)}" for a branch, tag or commit` };
}

/** The rules of `git check-ref-format` that matter to who calls git. */
export function isRef(text: string): boolean {
  return /^(?![-./])(?!.*(?:\.\.|\/\/|@\{|\.lock$|[./]$))[^\s~^:?*[\\]{1,250}$/.test(text);
}

function isPath(path: string): boolean {
  if (path === '' || path.includes('\\') || path.startsWith('-')) return false;
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

function split(text: string, sign: string): { before: string; after: string | undefined } {
  const at = text.indexOf(sign);
  return at === -1
    ? { before: text, after: undefined }
    : { before: text.slice(0, at), after: text.slice(at + 1) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
