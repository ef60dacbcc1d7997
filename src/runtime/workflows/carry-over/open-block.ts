/** Blocks of a carry-over, opened with the key that was made for it (pure but for the cryptography of Node). */
import {
  createDecipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
} from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import { isRecord } from '../../../protocol/record.ts';
import { type CarryRecord, recordOf } from './records.ts';

export interface CarryKey {
  /** Raw X25519, base64url; the step contains it. */
  readonly publicKey: string;
  /** PKCS #8 in PEM. */
  readonly privateKey: string;
}

export interface BlockHeader {
  /** Id of the carry-over. */
  readonly carryOver: string;
  /** Public key of the run, which is its name, too. */
  readonly run: string;
  /** Fingerprint of the run, as the step shows it. */
  readonly fingerprint: string;
  /** Which of the run, from 0. */
  readonly number: number;
  /** When the run began, epoch ms. */
  readonly at: number;
}

/** X25519 SubjectPublicKeyInfo before the 32 bytes of a key. */
const spki = Buffer.from('302a300506032b656e032100', 'hex');
const keyBytes = 32;
const tagBytes = 16;
/** A block has about 1 MB of records. */
const mostBytes = 64 * 1024 * 1024;

export function newCarryKey(): CarryKey {
  const { publicKey, privateKey } = generateKeyPairSync('x25519');
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-keyBytes);
  return {
    publicKey: raw.toString('base64url'),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** The header of a block, before anything proves that it is true; undefined for what is no block. */
export function headerOf(block: string): BlockHeader | undefined {
  const [, text = ''] = block.split('.');
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
  if (!isRecord(value)) return undefined;
  const { c, e, f, n, at } = value;
  const isWhole =
    typeof c === 'string' &&
    typeof e === 'string' &&
    typeof f === 'string' &&
    Number.isInteger(n) &&
    Number(n) >= 0 &&
    Number(n) < 2 ** 32 &&
    Number.isInteger(at);
  if (!isWhole || Buffer.from(e, 'base64url').length !== keyBytes) return undefined;
  return { carryOver: c, run: e, fingerprint: f, number: Number(n), at: Number(at) };
}

/** The fingerprint that the step shows for a run. */
export function fingerprintOf(run: string): string {
  return createHash('sha256').update(run).digest('hex').slice(0, 8);
}

/** The records of a block; undefined where it was changed or cut, or is sealed to another key. */
export function openBlock(
  block: string,
  { carryOver, run, fingerprint, number }: BlockHeader,
  { publicKey, privateKey }: CarryKey,
): CarryRecord[] | undefined {
  if (fingerprint !== fingerprintOf(run)) return undefined;
  const [, header = '', text = ''] = block.split('.');
  const sealed = Buffer.from(text, 'base64url');
  if (sealed.length <= tagBytes) return undefined;
  try {
    const peer = Buffer.concat([spki, Buffer.from(run, 'base64url')]);
    const shared = diffieHellman({
      privateKey: createPrivateKey(privateKey),
      publicKey: createPublicKey({ key: peer, format: 'der', type: 'spki' }),
    });
    const salt = Buffer.from(run + publicKey);
    const key = Buffer.from(
      hkdfSync('sha256', shared, salt, `weir-carry/1 ${carryOver}`, keyBytes),
    );
    const nonce = Buffer.alloc(12);
    nonce.writeUInt32BE(number, 8);
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
    decipher.setAAD(Buffer.from(header));
    decipher.setAuthTag(sealed.subarray(-tagBytes));
    const packed = Buffer.concat([
      decipher.update(sealed.subarray(0, -tagBytes)),
      decipher.final(),
    ]);
    const lines = brotliDecompressSync(packed, { maxOutputLength: mostBytes }).toString();
    const records = lines.split('\n').map((line) => recordOf(JSON.parse(line)));
    return records.every((one) => one !== undefined) ? records : undefined;
  } catch {
    // No cause is worth telling: each means that the block is not what a step sealed to this key.
    return undefined;
  }
}
