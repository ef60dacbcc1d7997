/** Patterns of secrets: tokens with a known prefix, and names of members that hold one (pure). */

/** Tokens of services that can be distinguished from other text. */
const secretShapes: readonly (readonly [what: string, shape: RegExp])[] = [
  ['a private key', /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----/g],
  ['an npm token', /\bnpm_[A-Za-z0-9]{36}\b|_authToken\s*=\s*(?!\$\{)\S+/g],
  ['a GitHub token', /\bgh[opsur]_[A-Za-z0-9]{36,}|\bgithub_pat_\w{60,}/g],
  ['a GitLab token', /\bglpat-[\w-]{20,}/g],
  ['an AWS access key', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g],
  ['a Slack token', /\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bxapp-\d-[A-Za-z0-9-]{10,}/g],
  ['the URL of a Slack webhook', /hooks\.slack\.com\/services\/T\w+\/B\w+\/\w{16,}/g],
  ['a Stripe key', /\b[rs]k_live_[A-Za-z0-9]{16,}/g],
  ['a Google API key', /\bAIza[\w-]{35}/g],
  ['an Anthropic key', /\bsk-ant-[\w-]{20,}/g],
  ['an OpenAI key', /\bsk-(?!ant-)(?:[a-z]+-)?[A-Za-z0-9_]{32,}/g],
  ['a key of a Weir runtime', /\bweir_[\w-]{43}/g],
  ['a SendGrid key', /\bSG\.[\w-]{22}\.[\w-]{43}/g],
  ['a Twilio key', /\bSK[0-9a-f]{32}\b/g],
  [
    'a password in a URL',
    /\b[a-z][a-z0-9+.-]*:\/\/[^\s/@:'"`<${]+:(?!(?:pass\w*|secret|token|x+|\*+)@)[^\s/@'"`<>${}]+@[\w[]/gi,
  ],
];

/** A token in a text. */
export interface FoundSecret {
  /** "a GitHub token" */
  readonly what: string;
  /** 1-based. */
  readonly line: number;
}

/** Tokens of known services in a text. What is found is named, and never repeated. */
export function tokensIn(text: string): FoundSecret[] {
  return secretShapes.flatMap(([what, shape]) =>
    [...text.matchAll(shape)].map(({ index }) => ({
      what,
      line: text.slice(0, index).split('\n').length,
    })),
  );
}

/** A token of a known service anywhere in a text. @returns what it is, such as "a GitHub token" */
export function secretIn(text: string): string | undefined {
  return secretShapes.find(([, shape]) => text.search(shape) >= 0)?.[0];
}

/** Whether a member of this name holds a secret, whatever its value looks like: `password`, `apiKey`, `client_secret`. */
export function isSecretName(name: string): boolean {
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase();
  return /^(?:\w+[_-])?(?:password|passwd|pwd|passphrase|secret|api[_-]?key|secret[_-]?key|access[_-]?key|private[_-]?key|signing[_-]?key|(?:access|refresh|auth|api|bot|bearer|personal|secret)[_-]?token)$|^token$/.test(
    words,
  );
}

/** Whether a URL has a password or a parameter that signs somebody in. */
export function isSecretUrl(text: string): boolean {
  if (!/^[a-z][\w+.-]*:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { password, searchParams } = new URL(text);
  if (password !== '' && decoded(password) !== removed) return true;
  return [...searchParams].some(([name, value]) => isSecretParameter(name) && value !== removed);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Replaces a secret. */
export const removed = '[removed]';

/** Signatures are not among them: they are of no use without the key, and code that checks them needs them. */
export function isSecretParameter(name: string): boolean {
  return /^(?:access_?token|auth|token|api_?key|key|client_?secret|secret|password)$/i.test(name);
}
