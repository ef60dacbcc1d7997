/** A request and its answer as the page shows them. */
import { STATUS_CODES } from 'node:http';
import { format } from 'oxfmt';
import type { Exchange, RestRequest } from './rest-story/story.mts';
import { targetOf } from './rest-story/tell.mts';

/** Two code blocks: a command for a shell that knows `$URL` and `$AUTH`, and what comes back. */
export async function exampleText(exchange: Exchange): Promise<string> {
  const isStream = typeof exchange.answer === 'string';
  const command = await curlText(exchange.request, isStream ? '-N ' : '');
  return `\`\`\`sh\n${command}\n\`\`\`\n\n\`\`\`http\n${await answerText(exchange)}\n\`\`\`\n`;
}

/** @param flags of curl, with a space at the end */
export async function curlText(request: RestRequest, flags = ''): Promise<string> {
  const { method, body } = request;
  // What curl does by itself is left out.
  const usual = body === undefined ? 'GET' : 'POST';
  const chosen = method === usual ? '' : `-X ${method} `;
  const command = `curl ${flags}${chosen}-H "$AUTH" "$URL${targetOf(request).replaceAll('$', String.raw`\$`)}"`;
  if (body === undefined) return command;
  const json = await jsonText(body);
  // Code of components has quotes of its own.
  if (json.includes("'")) return `${command} -d @- <<'END'\n${json}\nEND`;
  return `${command} -d '${json}'`;
}

async function answerText({ status, headers, answer }: Exchange): Promise<string> {
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  const body = typeof answer === 'string' ? answer.trimEnd() : await jsonText(answer);
  return `${head.join('\n')}\n\n${body}`;
}

/** On one line where it fits. */
async function jsonText(value: unknown): Promise<string> {
  const { code } = await format('example.json', JSON.stringify(value), { printWidth: 100 });
  return code.trimEnd();
}
