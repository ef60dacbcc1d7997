/** Describes what a test sent and what a dry run held back (pure). */
import type { WholeExecution } from '../protocol/catalogue.ts';
import { isReading } from '../protocol/run-mode.ts';

type Tested = Pick<WholeExecution, 'requests' | 'sends' | 'outgoing'>;

/** Whether a person has to choose between a real test and a dry run: this one would have sent more than GET and HEAD. */
export function needsChoice({ outgoing }: Pick<Tested, 'outgoing'>): boolean {
  if (outgoing?.mode !== 'reads') return false;
  return outgoing.held.length > 0 || outgoing.records > 0 || outgoing.cleared > 0;
}

/**
 * "2 requests to api.stripe.com, 1 record changed." as the end of a test; a dry run says that nothing was sent, and names
 * what it held back in lines of their own. '' for what is not a test.
 */
export function whatWentOut(tested: Tested): string {
  const { outgoing } = tested;
  if (outgoing === undefined) return '';
  const { mode, held } = outgoing;
  const parts = [...(mode === 'dry' ? answered(tested) : sent(tested)), ...changed(tested)];
  const list = parts.join(', ');
  if (mode === 'real') return list === '' ? 'Nothing was sent.' : `${capital(list)}.`;
  const head =
    mode === 'reads' && sent(tested).length > 0
      ? `Only GET and HEAD requests were sent: ${list}.`
      : `Dry run, nothing was sent${list === '' ? '' : `: ${list}`}.`;
  return [head, ...held.map((sentence) => `Held back: ${sentence}`)].join('\n');
}

/** A count for each host, in the order of the first request. */
function sent(tested: Tested): string[] {
  const byHost = new Map<string, number>();
  for (const request of tested.requests) {
    if (wasHeldBack(request, tested)) continue;
    const { url } = request;
    const host = URL.canParse(url) ? new URL(url).host : url;
    byHost.set(host, (byHost.get(host) ?? 0) + 1);
  }
  return [...byHost].map(([host, count]) => `${counted(count, 'request')} to ${host}`);
}

function answered(tested: Tested): string[] {
  const count = tested.requests.filter((request) => !wasHeldBack(request, tested)).length;
  return count === 0 ? [] : [`${counted(count, 'request')} answered from the recording`];
}

/** A request that is held back is answered with 501. A server may say 501, too: to a test, or to what only reads. */
function wasHeldBack(
  { status, method }: Tested['requests'][number],
  { outgoing }: Tested,
): boolean {
  if (status !== 501 || outgoing === undefined || outgoing.mode === 'real') return false;
  return outgoing.mode === 'dry' || !isReading(method);
}

function changed({ outgoing, sends }: Tested): string[] {
  if (outgoing === undefined) return [];
  const { mode, records, cleared, db } = outgoing;
  const where = mode === 'real' ? '' : ' in a copy';
  return [
    ...(records > 0 ? [`${counted(records, 'record')} changed${where}`] : []),
    ...(cleared > 0 ? [`${counted(cleared, 'data store')} emptied${where}`] : []),
    // The db of a test is a copy whatever the mode.
    ...(db > 0 ? [`${counted(db, 'db key')} changed in a copy`] : []),
    ...(sends.length > 0 ? [`${counted(sends.length, 'send')} held back`] : []),
  ];
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
