/** Apart from the suite, because the driver asks whether a filter means it before it opens a window. */
export const restrictedTitle = 'a workspace that is not trusted';
