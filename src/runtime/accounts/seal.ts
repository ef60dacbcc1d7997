/** Encryption of secrets at rest: AES-256-GCM, a new random nonce for each (P23.2). */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { WeirError } from '../../protocol/errors.ts';
import type { SealingKey } from './key-file.ts';

export interface Sealer {
  seal(text: string): string;
  /** Whether it was sealed with this key, damaged or not. */
  fits(sealed: string): boolean;
  /** Throws `store_failed` when the text was sealed with another key, or is damaged. */
  open(sealed: string): string;
}

const version = 'weir1';
const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** The format of a sealed text is `weir1:<fingerprint of the key>:<base64 of nonce, ciphertext and tag>`. */
export function createSealer(key: SealingKey): Sealer {
  const prefix = `${version}:${fingerprint(key.bytes)}:`;

  function refuse(sealed: string): never {
    const why = sealed.startsWith(prefix)
      ? 'A stored secret is damaged and cannot be opened. Enter it again.'
      : `A stored secret was sealed with another key than that of ${key.origin}. Put the old key back, or enter the secret again.`;
    throw new WeirError('store_failed', why);
  }

  return {
    seal(text) {
      const nonce = randomBytes(nonceBytes);
      const encrypt = createCipheriv(cipher, key.bytes, nonce, { authTagLength: tagBytes });
      const body = Buffer.concat([nonce, encrypt.update(text, 'utf8'), encrypt.final()]);
      return prefix + Buffer.concat([body, encrypt.getAuthTag()]).toString('base64');
    },

    fits: (sealed) => sealed.startsWith(prefix),

    open(sealed) {
      if (!sealed.startsWith(prefix)) return refuse(sealed);
      const bytes = Buffer.from(sealed.slice(prefix.length), 'base64');
      if (bytes.length < nonceBytes + tagBytes) return refuse(sealed);
      const nonce = bytes.subarray(0, nonceBytes);
      const decrypt = createDecipheriv(cipher, key.bytes, nonce, { authTagLength: tagBytes });
      decrypt.setAuthTag(bytes.subarray(-tagBytes));
      const text = decrypt.update(bytes.subarray(nonceBytes, -tagBytes));
      try {
        return Buffer.concat([text, decrypt.final()]).toString('utf8');
      } catch {
        // `final` throws when the tag does not match, and for no other reason.
        return refuse(sealed);
      }
    },
  };
}

/** Distinguishes keys without revealing anything of them. */
function fingerprint(key: Buffer): string {
  return createHash('sha256').update('weir key fingerprint').update(key).digest('hex').slice(0, 8);
}
