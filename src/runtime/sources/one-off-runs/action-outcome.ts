/** The outcome of an action, as the store keeps it (pure). */
import { valueOfJson } from '../../../protocol/json-text.ts';
import type { Mask } from '../../../protocol/mask.ts';
import type { Called } from '../../processes/call-host.ts';
import { keptRequests } from '../../components/recordings/kept-requests.ts';
import type { ActionRunOutcome } from '../../store/history/action-runs.ts';

/**
 * @param accounts hides their values, because a stored run is in the clear on disk and can be read by everybody with
 * access
 */
export function outcomeOf(
  {
    exports,
    result,
    logs,
    requests = [],
  }: Pick<Called, 'exports' | 'result' | 'logs' | 'requests'>,
  accounts: Mask,
): ActionRunOutcome {
  // If two exports have one name, the last counts (P13.4).
  const values = Object.fromEntries(exports.map(({ name, json }) => [name, valueOfJson(json)]));
  return {
    exports: JSON.stringify(accounts.value(values)),
    returnValue:
      result === undefined ? null : JSON.stringify(accounts.value(valueOfJson(result)) ?? null),
    logs: JSON.stringify(accounts.value(logs)),
    requests: keptRequests(requests, [accounts]),
  };
}
