/** Values of props that have methods: data stores, HTTP requests, folders (P14). */

/** A store that actions share; values go through JSON. */
export interface DataStore extends AsyncIterable<[key: string, value: unknown]> {
  /** A copy of what was set, or undefined. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a stored value has the type its author knows
  get(key: string): Promise<any>;
  /** `ttl` in seconds: after it the value is gone. */
  set(key: string, value: unknown, options?: { ttl?: number }): Promise<void>;
  /** null keeps the value permanently. */
  setTtl(key: string, ttl: number | null): Promise<void>;
  has(key: string): Promise<boolean>;
  delete(key: string): Promise<void>;
  clear(): Promise<void>;
  /** Refused above 1,024 keys; iterate then. */
  keys(): Promise<string[]>;
  /** Refused above 1,024 keys; iterate then. */
  entries(): Promise<[key: string, value: unknown][]>;
}

/** A request as a person configured it. */
export interface HttpRequest {
  method?: string;
  url: string;
  params?: HttpRequestRow[];
  headers?: HttpRequestRow[];
  auth?: {
    type: 'none' | 'basic' | 'bearer';
    username?: string;
    password?: string;
    token?: string;
  };
  body?: {
    type?: string;
    contentType?: string;
    raw?: unknown;
    fields?: HttpRequestRow[];
  };
  /** Sends it. Rejects from status 400 on, with `response` on the error. */
  execute(): Promise<HttpRequestResponse>;
}

export interface HttpRequestRow {
  name: string;
  value: string;
  disabled?: boolean;
}

export interface HttpRequestResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed when it is JSON, else text. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a server answers anything
  readonly data: any;
}

/** A query as a person wrote it. */
export interface SqlQuery {
  app: string;
  query: string;
  params: unknown[];
}

/** Files in a temporary folder of the component's own, which is also `STASH_DIR`. */
export interface Dir {
  open(path: string): DirFile;
}

/** `$.files`: files that the workflows of a data folder share. */
export interface FileStore {
  /** Neither creates nor checks the file. */
  open(path: string): DirFile;
  /** The file that another step has returned. */
  openDescriptor(descriptor: object): DirFile;
  dir(path?: string): AsyncIterable<FileStoreEntry>;
}

export interface FileStoreEntry {
  readonly name: string;
  readonly path: string;
  /** Size of a file, in bytes. */
  readonly size?: number;
  readonly modifiedAt?: Date;
  readonly file?: DirFile;
  isFile(): boolean;
  isDirectory(): boolean;
}

export interface DirFile {
  readonly path: string;
  fromReadableStream(
    stream: AsyncIterable<Uint8Array | string> | { getReader(): unknown },
    contentType?: string,
    size?: number,
  ): Promise<DirFile>;
  fromFile(path: string, contentType?: string): Promise<DirFile>;
  fromUrl(url: string): Promise<DirFile>;
  toFile(path: string): Promise<void>;
  toBuffer(): Promise<FileBytes>;
  /** @param end exclusive, in bytes */
  toEncodedString(encoding?: string, start?: number, end?: number): Promise<string>;
  createReadStream(): FileStream;
  // oxlint-disable-next-line typescript/no-explicit-any -- a `Writable` of Node
  createWriteStream(contentType?: string, size?: number): Promise<any>;
  /** A URL at which the file can be fetched for half an hour. */
  toUrl(): Promise<string>;
  delete(): Promise<void>;
  withoutPutUrl(): DirFile;
  withGetUrl(): Promise<object>;
}

/** A `Buffer` where the author has the types of Node, which these do not ask for. */
export type FileBytes = typeof globalThis extends { Buffer: { alloc(size: number): infer Bytes } }
  ? Bytes
  : Uint8Array;

/** The argument that reading a Node stream accepts. */
export interface FileStream extends AsyncIterable<Uint8Array> {
  pipe<T extends object>(destination: T): T;
  on(event: 'error', listener: (error: Error) => void): this;
  on(event: 'data', listener: (chunk: Uint8Array) => void): this;
  on(event: 'end' | 'close', listener: () => void): this;
}
