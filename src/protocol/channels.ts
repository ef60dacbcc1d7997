/** What waits for its `delivery_ts` is listed and cancelled as if it were on this channel (P18.15). */
export const scheduledChannel = '$in';
