/** What a real run of files sent and changed, for ends that are shown as a comparison. */
import { whatWentOut } from '../../client/what-went-out.ts';
import type { ConnectedTools } from '../cli.ts';

/** @param id of the execution; null for the test of a source, of which none is kept */
export async function tellWhatWentOut(
  { call, out }: Pick<ConnectedTools, 'call' | 'out'>,
  id: string | null,
): Promise<void> {
  if (id === null) return;
  const text = whatWentOut(await call('executions.get', { id }));
  out.live(() => `    ${text}`);
}
