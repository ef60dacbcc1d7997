/** What one call of a bulk import or export of a data store holds. */

/** The most records of one call. */
export const mostRecordsAtOnce = 1000;
