import { WeirError } from '../../protocol/errors.ts';
import { ownHeaders, type Request } from '../inspector/curl.ts';
import { parseHttpFile } from './http-file.ts';
import { prepareRequest } from './prepare-request.ts';
import { type RequestParts, withRequest } from './write-request.ts';

/** A request that was received, as it is written down. */
export interface SavedRequest {
  readonly parts: RequestParts;
  /** Content of the file that the body names; undefined for a body in the text. */
  readonly bodyFile: Uint8Array | undefined;
}

/**
 * A request that was received in the words of a `.http` file, so that what is sent from it is the same.
 * A body that the format would change goes into a file beside it.
 * @param bodyFile name of that file
 * @throws WeirError('bad_input') for what the format has no words for
 */
export async function savedRequest(request: Request, bodyFile: string): Promise<SavedRequest> {
  const { method, path, query, headers } = request;
  const target = `${path === '/' ? '' : path}${query === '' ? '' : `?${query}`}`;
  const body = Buffer.from(request.body, request.body_encoding);
  const parts: RequestParts = {
    title: `${method} ${path}`,
    method,
    target: target.replaceAll('{', '%7B').replaceAll('}', '%7D'),
    headers: Object.entries(headers)
      .filter(([name]) => !ownHeaders.has(name))
      .map(([name, value]) => ({ name, value })),
    body: '',
  };
  const inText = { ...parts, body: body.toString() };
  if (await saysTheSame(inText, body, noFile)) return { parts: inText, bodyFile: undefined };
  const inFile = { ...parts, body: `< ./${bodyFile}` };
  if (await saysTheSame(inFile, body, () => Promise.resolve(body)))
    return { parts: inFile, bodyFile: body };
  throw new WeirError(
    'bad_input',
    'A .http file has no way to write a header of this request; use Copy as cURL.',
  );
}

/** Reads it back: only the parser knows what it would make of a line. */
async function saysTheSame(
  parts: RequestParts,
  body: Uint8Array,
  readFile: () => Promise<Uint8Array>,
): Promise<boolean> {
  const file = parseHttpFile(withRequest('', 'http://127.0.0.1/h/hi_1', 'one', parts).text);
  const [request, another] = file.requests;
  if (request === undefined || another !== undefined) return false;
  try {
    const read = await prepareRequest(file, request, nothingElse, readFile);
    return (
      read.method === parts.method &&
      JSON.stringify(read.headers) === JSON.stringify(parts.headers) &&
      Buffer.compare(read.body, body) === 0
    );
  } catch {
    return false;
  }
}

/** A text that looks like the name of a file is used as text. */
const noFile = () => Promise.reject(new Error('The body is in the text.'));

const nothingElse = {
  now: () => {
    throw new Error('What was received is repeated as it was.');
  },
  uuid: () => '',
  randomInt: () => 0,
};
