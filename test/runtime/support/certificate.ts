/** Certificates that a test signs itself, made by openssl. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

/** Writes `cert.pem` and `key.pem` into a folder, over those that are there. @param name its subject */
export async function writeCertificate(folder: string, name: string): Promise<TestCertificate> {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
  const pair = ['-keyout', key, '-out', cert, '-days', '2', '-nodes'];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  await promisify(execFile)('openssl', ['req', '-x509', ...kind, ...pair, ...subject]);
  return { cert, key };
}
