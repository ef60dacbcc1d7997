/** This machine, as addresses and `Host` headers name it (pure). */

export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || /^127(?:\.\d{1,3}){3}$/.test(address);
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

/** True for localhost, 127.x.x.x and [::1], with any port or none. */
export function isLoopbackHost(host: string | undefined): boolean {
  return host !== undefined && loopback.test(host.replace(/:\d{1,5}$/, ''));
}

/** All addresses of this machine. */
export function isWildcard(address: string | undefined): boolean {
  return address === '0.0.0.0' || address === '::';
}
