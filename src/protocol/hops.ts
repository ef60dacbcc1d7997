/**
 * Limits rings (P18.14, P19.16): sources that listen to each other, or a webhook that leads back to an endpoint, would
 * run without end. A run that an event started knows how many such runs in a row led to it.
 */

/** How many runs in a row may each be started by an event of the previous run. */
export const mostHops = 32;

/** Of a delivery to an endpoint: how many runs in a row led to the run that it starts. */
export const hopsHeader = 'x-weir-hops';

/** An endpoint's answer to a delivery of a ring, with `hopsHeader` (RFC 5842 §7.2). */
export const loopDetected = 508;

/** The message about it, for the caller and the log of the source. */
export const loopText = `A request was refused: it delivers an event that ${mostHops} runs in a row led to, each started by the event of the one before. A webhook leads back to a source that its events come from; delete it, or one of its subscriptions.`;

/** The count in a request's header; undefined without the header, and for an invalid count. */
export function hopsOf(header: string | readonly string[] | undefined): number | undefined {
  return typeof header === 'string' && /^[1-9]\d{0,5}$/.test(header) ? Number(header) : undefined;
}
