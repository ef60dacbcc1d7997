/** HTTP requests that component code makes, as its process tells of them and the runtime keeps them. */

export interface OutgoingRequest {
  /** Epoch ms. */
  readonly at: number;
  /** Until the end of the answer; until the end of the run where that came first. */
  readonly duration_ms: number;
  readonly method: string;
  readonly url: string;
  /** Names as they were written, in order. */
  readonly headers: readonly HttpHeader[];
  /** Null where there was none, or it is not known. */
  readonly body: HttpBody | null;
  /** Null when none had come by the end of the run. */
  readonly response: HttpAnswer | null;
  /** Why no answer came, or not all of it. */
  readonly error: string | null;
}

export type HttpHeader = readonly [name: string, value: string];

export interface HttpAnswer {
  readonly status: number;
  readonly status_text: string;
  /** Without what says how its body was packed: that is unpacked. */
  readonly headers: readonly HttpHeader[];
  readonly body: HttpBody | null;
}

export interface HttpBody {
  /** In base64 where the bytes are no text. */
  readonly text: string;
  readonly is_base64?: true;
  /** Bytes as they went over the wire, of all of it. */
  readonly size: number;
  /** More came than is kept: there is no text. */
  readonly is_cut?: true;
}
