/** The certificate of TLS and its key, from two files that a program such as certbot replaces. */
import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { messageOf, WeirError } from '../../protocol/errors.ts';
import type { BaseServices } from '../base/services.ts';

/** In PEM. */
export interface KeyPair {
  readonly cert: Buffer;
  readonly key: Buffer;
}

export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

export interface Certificate {
  readonly pair: KeyPair;
  /** Calls back with each new pair. Returns a function that unsubscribes. */
  onChange(listener: (pair: KeyPair) => void): () => void;
  close(): void;
}

export interface CertificateOptions extends Pick<BaseServices, 'clock'> {
  readonly files: CertificateFiles;
  readonly log: (level: 'info' | 'warn', message: string) => void;
}

/**
 * How often the files are looked at. Watching them would miss what is swapped behind a link, as certbot and
 * Kubernetes do it.
 */
const lookMs = 5000;

/** @throws WeirError `bad_input` naming the file that cannot be used */
export async function openCertificate(options: CertificateOptions): Promise<Certificate> {
  const { files, clock, log } = options;
  const listeners = new Set<(pair: KeyPair) => void>();
  let seen = await versionOf(files);
  let pair = readPair(files);
  let isClosed = false;
  const look = async (): Promise<void> => {
    const version = await versionOf(files);
    if (version === seen) return;
    seen = version;
    try {
      pair = readPair(files);
    } catch (error) {
      // One of the two files was written, and the other is not there yet.
      log('warn', `${messageOf(error)} The certificate that was read before stays in use.`);
      return;
    }
    for (const listener of listeners) listener(pair);
    log('info', `The certificate in ${files.cert} was read again.`);
  };
  const again = (): void => {
    stop = clock.after(lookMs, () => {
      void look().finally(() => {
        if (!isClosed) again();
      });
    });
  };
  let stop: () => void = () => undefined;
  again();
  return {
    get pair() {
      return pair;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      isClosed = true;
      stop();
    },
  };
}

function readPair(files: CertificateFiles): KeyPair {
  const pair = { cert: readPem(files.cert, '--tls-cert'), key: readPem(files.key, '--tls-key') };
  try {
    createSecureContext(pair);
  } catch (error) {
    throw new WeirError(
      'bad_input',
      `${files.cert} and ${files.key} are not certificate and the key that belongs to it, both in PEM (${messageOf(error)}).`,
    );
  }
  return pair;
}

function readPem(file: string, option: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new WeirError('bad_input', `The file of ${option} cannot be read: ${messageOf(error)}.`);
  }
}

/** Changes when one of the files does; a file that is missing for a moment is a change as well. */
async function versionOf({ cert, key }: CertificateFiles): Promise<string> {
  const versions = [cert, key].map(async (file) => {
    try {
      const { mtimeMs, size, ino } = await stat(file);
      return `${mtimeMs} ${size} ${ino}`;
    } catch {
      return 'missing';
    }
  });
  return (await Promise.all(versions)).join('|');
}
