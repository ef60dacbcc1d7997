import { endpointPrefix } from './incoming-request.ts';

/** The address at which third parties reach this runtime. */
export interface PublicAddress {
  /** URL of an `hi_…`, or of a shared file. */
  readonly endpointUrl: (id: string) => string;
  /** Called once the port is known; an existing public address stays. */
  listensAt(url: string): void;
}

/** @param publicUrl of a tunnel or a forwarded port; the loopback address unless given */
export function publicAddress(publicUrl: string | undefined): PublicAddress {
  let base = publicUrl?.replace(/\/+$/, '') ?? '';
  return {
    endpointUrl: (id) => `${base}${endpointPrefix}${id}`,
    listensAt(url) {
      if (base === '') base = url;
    },
  };
}
