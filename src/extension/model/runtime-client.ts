import type { Connection } from '../../client/connection.ts';

/** The part of a connection to a runtime that the extension uses. */
export interface RuntimeClient extends Pick<
  Connection,
  'call' | 'onChanges' | 'onClose' | 'closed' | 'close'
> {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** It is on another machine, or was chosen as such: what this user keeps here is not there. */
  readonly isRemote: boolean;
}
