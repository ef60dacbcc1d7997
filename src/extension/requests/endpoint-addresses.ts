import type { Source } from '../../protocol/catalogue.ts';
import { type HttpFile, parseHttpFile } from './http-file.ts';
import { replaceDefined } from './prepare-request.ts';
import { requestsFileOf } from './request-files.ts';

/** An endpoint's URL as a `.http` file says it, without what is below it. */
export interface EndpointAddress {
  readonly url: string;
  /** `hi_…` */
  readonly id: string;
}

/** An endpoint address in a line of a file. */
export interface WrittenAddress extends EndpointAddress {
  /** 0-based. */
  readonly line: number;
  /** Columns: of its first character, and after its last. */
  readonly from: number;
  readonly to: number;
}

const addressPattern = /https?:\/\/[^\s{}?#]*?\/h\/(hi_\w+)/;
const loopback = /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?=[:/])/i;

/** Whether it is one that a runtime on this machine has given out, however long ago. */
export function isOfThisMachine({ url }: EndpointAddress): boolean {
  return loopback.test(url);
}

/** The endpoint that a URL is below of; undefined when it is no endpoint's. */
export function addressOfUrl(url: string): EndpointAddress | undefined {
  const [found, id] = new RegExp(`^${addressPattern.source}(?=[/?#]|$)`).exec(url) ?? [];
  return found === undefined || id === undefined ? undefined : { url: found, id };
}

/** The addresses in definitions of variables and in request lines; bodies are not searched. */
export function addressesIn(text: string): WrittenAddress[] {
  const { lines: kinds } = parseHttpFile(text);
  return text.split(/\r?\n/).flatMap((line, n) => {
    const found = addressPattern.exec(line);
    const isAddress = kinds[n] === 'variable' || kinds[n] === 'request';
    if (found === null || !isAddress) return [];
    const [url, id = ''] = found;
    return [{ url, id, line: n, from: found.index, to: found.index + url.length }];
  });
}

/** The endpoints of sources by `hi_…`: the one that has it, and where it is now. */
export function endpointsOf(
  sources: readonly Source[],
): Map<string, { readonly source: Source; readonly url: string }> {
  const all = new Map<string, { readonly source: Source; readonly url: string }>();
  for (const source of sources) {
    const configured = Object.values(source.configured_props).map((value) =>
      typeof value === 'object' && value !== null && 'endpoint_url' in value
        ? value.endpoint_url
        : undefined,
    );
    for (const url of [...configured, source.endpoint_url]) {
      const id = typeof url === 'string' ? addressOfUrl(url)?.id : undefined;
      if (id !== undefined && typeof url === 'string') all.set(id, { source, url });
    }
  }
  return all;
}

/** Requests of a file that go to an endpoint of ours: one of these, or any on this machine. */
export function ownRequests(file: HttpFile, known: ReadonlyMap<string, { readonly url: string }>) {
  return file.requests.filter(({ url }) => {
    const address = addressOfUrl(replaceDefined(url, file.variables));
    return address !== undefined && (isOfThisMachine(address) || known.has(address.id));
  });
}

/** Sources with an endpoint that were deployed from the component beside this file. */
export function sourcesBeside(file: string, sources: readonly Source[]): Source[] {
  return sources.filter(
    (source) =>
      source.path !== null &&
      source.endpoint_url !== null &&
      requestsFileOf(source.path) === requestsFileOf(file),
  );
}
