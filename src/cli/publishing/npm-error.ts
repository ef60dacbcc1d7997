/** The reason of a failed npm command, as one sentence (pure). */
import { WeirError } from '../../protocol/errors.ts';

export interface NpmFailure {
  /** `E401`; empty when npm printed none. */
  readonly code: string;
  readonly summary: string;
}

/** @param stderr as npm 9 and later, and those before, print it */
export function npmFailure(stderr: string): NpmFailure {
  const lines = [...stderr.matchAll(/^npm (?:error|ERR!) ?(.*)$/gm)].map(([, line = '']) =>
    line.trim(),
  );
  const code = lines.find((line) => line.startsWith('code '))?.slice('code '.length) ?? '';
  const said = lines.filter(
    (line) =>
      line !== '' && !/^(?:code |errno |syscall |A complete log|\s*\/|.*_logs\/)/.test(line),
  );
  return {
    code,
    summary: withoutTokens((said[0] ?? stderr.trim().split('\n').at(-1) ?? '').slice(0, 500)),
  };
}

function withoutTokens(text: string): string {
  return text
    .replaceAll(/(\w+:\/\/)[^\s/@]+@/g, '$1')
    .replaceAll(/(_authToken|_auth|_password)\s*=\s*\S+/g, '$1=…')
    .replaceAll(/\bnpm_[A-Za-z0-9]{20,}/g, 'npm_…');
}

const unreachable = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'ENETUNREACH',
  'ERR_SOCKET_TIMEOUT',
];

/** @param doing as in "publish @acme/orders 1.0.0" */
export function npmError(
  failure: NpmFailure,
  doing: string,
  registry: string,
  scope: string | undefined,
): WeirError {
  const { code, summary } = failure;
  const login = `"npm login --registry=${registry}${scope === undefined ? '' : ` --scope=${scope}`}"`;
  const is = (...codes: readonly string[]): boolean => codes.includes(code);
  if (is('E401', 'ENEEDAUTH')) {
    return new WeirError(
      'unauthorized',
      `${registry} does not know who you are, so npm could not ${doing}: run ${login}, or give npm a token in your own .npmrc.`,
    );
  }
  if (is('EOTP')) {
    return new WeirError(
      'unauthorized',
      `${registry} wants a second factor, which npm asks for in a terminal: run the command there, or use a token made for automation.`,
    );
  }
  if (is('E403')) {
    return new WeirError('forbidden', `${registry} does not let you ${doing}: ${summary}`);
  }
  if (is('E402')) {
    return new WeirError(
      'forbidden',
      `${registry} takes private packages of paying users only, so npm could not ${doing}: "publishConfig": {"access": "public"} in package.json makes it a public one.`,
    );
  }
  if (is('E404')) {
    return new WeirError(
      'not_found',
      `${registry} does not have it, or lets you not see it, so npm could not ${doing}; with an account there, run ${login}.`,
    );
  }
  if (is('EPUBLISHCONFLICT', 'E409')) {
    return new WeirError('conflict', `${registry} has that version already: ${summary}`);
  }
  if (is(...unreachable)) {
    return new WeirError(
      'registry_failed',
      `${registry} cannot be reached, so npm could not ${doing}; try again when it can.`,
    );
  }
  return new WeirError(
    'registry_failed',
    `npm could not ${doing} at ${registry} (${code === '' ? 'no code' : code}): ${summary}`,
  );
}
