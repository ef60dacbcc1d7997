/** What must not leave the machine with a package: tokens that stand in its files (pure). */

export interface FoundSecret {
  /** "a GitHub token" */
  readonly what: string;
  /** 1-based. */
  readonly line: number;
}

/** Of services whose tokens can be told from other text. What is found is named, and never repeated. */
const shapes: readonly (readonly [what: string, shape: RegExp])[] = [
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

export function secretsIn(text: string): FoundSecret[] {
  return shapes.flatMap(([what, shape]) =>
    [...text.matchAll(shape)].map(({ index }) => ({
      what,
      line: text.slice(0, index).split('\n').length,
    })),
  );
}

/** Files whose very name says that they are secret; hidden ones are in no package at all. */
export function isSecretName(path: string): boolean {
  const name = path.split('/').at(-1) ?? '';
  return (
    path.split('/').some((part) => part.startsWith('.')) ||
    /\.(?:pem|p12|pfx|jks|keystore|ppk)$/i.test(name) ||
    /^(?:id_(?:rsa|dsa|ecdsa|ed25519)|credentials\.json|service[-_]account.*\.json)$/i.test(name)
  );
}
