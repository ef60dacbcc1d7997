/** What the chapters of docs/rest-api.md are told with: real calls to a runtime, some of which the page shows. */
import type { OperationName, Params, Result } from '../../../src/protocol/catalogue.ts';

export interface Chapter {
  readonly title: string;
  /** Markdown below the title. */
  readonly text?: string;
  /** Makes the calls that the chapter shows, in the order of the page. It finds what earlier chapters left. */
  tell(story: Story): Promise<void>;
}

export interface Story {
  /** Absolute path of `examples/NAME/NAME.ts`. */
  readonly example: (name: string) => string;
  /** Where webhooks of the story go, and the status that it answers with. */
  readonly receiver: { readonly url: string; status: number };

  /**
   * Calls an operation over REST and shows request and answer below a heading.
   * @param title of the heading: what a reader wants to do
   * @param fields which fields of the answer are shown, and returned
   * @throws Error when the answer is no success
   */
  readonly show: <N extends OperationName>(
    title: string,
    name: N,
    params: Params<N>,
    fields?: Fields,
  ) => Promise<Result<N>>;

  /**
   * Shows a request that is none of an operation, or is refused, whatever its status.
   * @param text Markdown below the heading
   */
  readonly showRequest: (title: string, request: RestRequest, text?: string) => Promise<void>;

  /**
   * Shows the first message of the stream of a source, which what `act` does has to make.
   * @param path with `{id}`
   */
  readonly showStream: (
    title: string,
    path: string,
    id: string,
    act: () => Promise<void>,
  ) => Promise<void>;

  /** The same as `show`, unseen: what a chapter needs beside what it shows. */
  readonly call: <N extends OperationName>(name: N, params: Params<N>) => Promise<Result<N>>;

  /** Sends JSON to an endpoint of a source, as a third party would. Resolves when it has been answered. */
  readonly post: (endpoint: string | null, body: unknown) => Promise<void>;
}

export interface Fields {
  readonly include?: string;
  readonly exclude?: string;
}

export interface RestRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** One request with its answer. */
export interface Exchange {
  readonly request: RestRequest;
  readonly status: number;
  /** Of the answer; those worth showing. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, or the text of a stream. */
  readonly answer: unknown;
}
