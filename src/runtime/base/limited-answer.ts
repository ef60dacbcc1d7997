/** Reads answers of other servers, which may be of any size. */

export interface LimitedText {
  readonly text: string;
  /** Whether more came than was kept. */
  readonly isCut: boolean;
}

/**
 * Reads at most so many bytes of an answer, after decompression, and lets the rest go: the connection is closed.
 * @param response whose body nobody has read
 */
export async function limitedText(response: Response, mostBytes: number): Promise<LimitedText> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (response.body === null) return { text: '', isCut: false };
  // Leaving the loop cancels the stream.
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    chunks.push(chunk.subarray(0, mostBytes - size));
    size += chunk.length;
    if (size > mostBytes) break;
  }
  return { text: new TextDecoder().decode(Buffer.concat(chunks)), isCut: size > mostBytes };
}

/**
 * Reads a whole answer as text.
 * @throws Error that says so when it has more bytes
 */
export async function textUpTo(response: Response, mostBytes: number): Promise<string> {
  const { text, isCut } = await limitedText(response, mostBytes);
  if (isCut) throw new Error(`the answer is larger than ${mostBytes / 1024 / 1024} MB`);
  return text;
}
