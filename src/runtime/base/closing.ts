type Close = () => Promise<void> | void;

/** Cleanups for the end, in the order in which the parts were made. */
export interface Closing {
  push(close: Close): void;
  /** Last made, first closed; one that fails does not keep the others open. */
  closeAll(): Promise<void>;
}

export function createClosing(report: (where: string, error: unknown) => void): Closing {
  const made: Close[] = [];
  return {
    push: (close) => void made.push(close),
    async closeAll() {
      for (const close of made.toReversed()) {
        try {
          await close();
        } catch (error) {
          report('Stopping', error);
        }
      }
    },
  };
}
