import { isCopiedMessage, showCopied } from './copied.ts';
import { isRuntimeMessage, showRuntime } from './runtime-bar.ts';

interface VsCodeApi<State> {
  postMessage(message: unknown): void;
  getState(): State | undefined;
  setState(state: State): void;
}

declare function acquireVsCodeApi<State>(): VsCodeApi<State>;

/** The page's connection to its host. What the host sends is not checked against `FromHost`. */
export interface Host<FromHost, ToHost, State> {
  post(message: ToHost): void;
  listen(listener: (message: FromHost) => void): void;
  /** Keeps a state over a reload of the window. */
  keep(state: State): void;
  kept(): State | undefined;
}

/** To be called once: VS Code hands out its API only once. */
export function connectHost<FromHost, ToHost, State>(): Host<FromHost, ToHost, State> {
  const api = acquireVsCodeApi<State>();
  return {
    post: (message) => api.postMessage(message),
    listen(listener) {
      window.addEventListener('message', ({ data }: MessageEvent<FromHost>) => {
        // Of all pages alike.
        if (isRuntimeMessage(data)) showRuntime(data.runtime);
        else if (isCopiedMessage(data)) showCopied();
        else listener(data);
      });
    },
    keep: (state) => api.setState(state),
    kept: () => api.getState(),
  };
}
