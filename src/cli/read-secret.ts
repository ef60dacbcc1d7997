/** A secret is never an argument, because arguments are visible in the list of processes. */
export async function readSecret(stdin: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const piece of stdin) text += String(piece);
  return text;
}
