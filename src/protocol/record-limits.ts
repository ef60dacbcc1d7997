/** Limits of one call of a bulk import or export of a data store. */

/** The most records of one call. */
export const mostRecordsAtOnce = 1000;
