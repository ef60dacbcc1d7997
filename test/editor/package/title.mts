/** Apart from the suite, because the driver asks whether a filter means it before it makes a VSIX. */
export const packageTitle = 'the installed package';
