/** Emits that wait for their `delivery_ts` are listed and cancelled as if they were on this channel (P18.15). */
export const scheduledChannel = '$in';

/**
 * Whether a channel is Weir's: what a component emits there goes out without a channel, so that nobody takes it for an error
 * or a log line of a run (P18.16).
 */
export function isReservedChannel(name: string): boolean {
  return ['$errors', '$logs', scheduledChannel].includes(name);
}
