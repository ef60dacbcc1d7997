/** Code of a data folder in the table that nodes share, and back. */
import type { CodeTable } from '../../store/code.ts';
import { isHash, readDeployment } from './deployment-folder.ts';
import { packDeployment, unpackDeployment } from './packed-deployment.ts';

/** Adds what saved components run and the table does not have. @param deployments a folder of them, which may be missing */
export async function shareCode(
  code: Pick<CodeTable, 'missing' | 'put'>,
  deployments: string,
): Promise<void> {
  for (const hash of await code.missing()) {
    const deployment = isHash(hash) ? await readDeployment(deployments, hash) : undefined;
    if (deployment !== undefined) await code.put(hash, await packDeployment(deployment));
  }
}

/** Writes all that the folder does not have. */
export async function fetchCode(
  code: Pick<CodeTable, 'hashes' | 'get'>,
  deployments: string,
): Promise<void> {
  for (const hash of await code.hashes()) {
    const isThere = !isHash(hash) || (await readDeployment(deployments, hash)) !== undefined;
    const packed = isThere ? undefined : await code.get(hash);
    if (packed !== undefined) await unpackDeployment(deployments, hash, packed);
  }
}
