/** Secrets that must not leave the machine with a package: tokens in its files (pure). */

/** Files whose very name says that they are secret; hidden ones are in no package at all. */
export function isSecretName(path: string): boolean {
  const name = path.split('/').at(-1) ?? '';
  return (
    path.split('/').some((part) => part.startsWith('.')) ||
    /\.(?:pem|p12|pfx|jks|keystore|ppk)$/i.test(name) ||
    /^(?:id_(?:rsa|dsa|ecdsa|ed25519)|credentials\.json|service[-_]account.*\.json)$/i.test(name)
  );
}
