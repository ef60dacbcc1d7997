/** Acts once nothing more was requested for a while. */
export interface Debounce {
  /** Starts the wait again. */
  request(act: () => void): void;
  cancel(): void;
}

export function debounce(ms: number): Debounce {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = (): void => clearTimeout(timer);
  return {
    request(act) {
      cancel();
      timer = setTimeout(act, ms);
    },
    cancel,
  };
}
