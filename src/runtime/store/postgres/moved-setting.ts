/** The setting that says where the store is which was in this database. */
export const movedTo = 'moved_to';
