import { request } from 'node:http';

/** Posts JSON, as most callers of an endpoint do. */
export function post(url: string, body: unknown): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** The status of the answer, or undefined when the connection broke: the runtime was killed. */
export function postedStatus(url: string, body: unknown): Promise<number | undefined> {
  return new Promise((resolve) => {
    const sent = request(
      url,
      { method: 'POST', headers: { 'content-type': 'application/json' } },
      (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode));
        response.on('error', () => resolve(undefined));
      },
    );
    sent.on('error', () => resolve(undefined));
    sent.end(JSON.stringify(body));
  });
}
