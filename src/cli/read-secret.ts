/** A secret does not come as an argument: those stand in the list of processes. */
export async function readSecret(stdin: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const piece of stdin) text += String(piece);
  return text;
}
