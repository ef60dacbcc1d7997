/** Decides about a request's head before anybody answers it: its target, and whether it is an upgrade. */
import { IncomingMessage } from 'node:http';

/** Path prefix of `$auth.oauth_signer_uri`. */
export const signerPrefix = '/oauth1/sign/';

export function isForSigner(url: string): boolean {
  return url.startsWith(signerPrefix);
}

/** Path prefix of every endpoint. */
export const endpointPrefix = '/h/';

/** @param url in origin form */
export function isForEndpoint(url: string): boolean {
  return url.startsWith(endpointPrefix);
}

/**
 * A server may pass over an `Upgrade` and answer as if it were not there (RFC 9110 §7.8): `curl --http2`
 * and others offer one with every request. Here only a WebSocket handshake is followed, and none on an
 * endpoint. Node would hand over the connection of each, once anybody listens for upgrades.
 */
export class IncomingRequest extends IncomingMessage {
  /** Node's parser sets this before the fields of this class would be set. */
  declare private offered: boolean | null;

  /** Asked by Node when the head is complete. */
  get upgrade(): boolean {
    if (this.offered !== true) return false;
    const isWebSocket = this.headers.upgrade?.toLowerCase() === 'websocket';
    return isWebSocket && !isForEndpoint(originForm(this.url ?? '/').url);
  }

  set upgrade(offered: boolean | null) {
    this.offered = offered;
  }
}

const absoluteForm = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)([^]*)$/i;

/** Joining an address and a path by hand often gives `//h/…`. */
const slashes = /^\/{2,}/;

/** A target as a path with its query, and the host that an absolute one names (RFC 9112 §3.2). */
export function originForm(target: string): { readonly url: string; readonly host?: string } {
  const [, host = '', rest = ''] = absoluteForm.exec(target) ?? [];
  if (host === '') return { url: target.replace(slashes, '/') };
  return { url: `/${rest}`.replace(slashes, '/'), host };
}

/** As proxies write them: `GET http://host/path`. The host in it counts, not the `Host` beside it. */
export function readTarget(request: IncomingMessage): void {
  if (request.url === undefined) return;
  const { url, host } = originForm(request.url);
  request.url = url;
  if (host !== undefined) request.headers.host = host;
}
