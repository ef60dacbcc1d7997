/** The stand-ins behave as the third parties do where the components rely on it. */
import { expect, test } from 'vitest';
import { startGitLab } from '../compat/fakes/gitlab.ts';
import { startLaunchDarkly } from '../compat/fakes/launchdarkly.ts';
import { startReceiver } from '../support/receiver.ts';

const project = { id: 42, path_with_namespace: 'weir/mill' };

test('GitLab pages its milestones, newest first, with its headers', async () => {
  const gitlab = await startGitLab({ token: 'glpat', project });
  for (const title of ['one', 'two', 'three']) gitlab.addMilestone(title);
  const ask = (query: string) =>
    fetch(`${gitlab.url}/api/v4/projects/42/milestones?${query}`, {
      headers: { authorization: 'Bearer glpat' },
    });

  const first = await ask('per_page=2');
  const body = (await first.json()) as { title: string; updated_at: string }[];
  expect(body.map(({ title }) => title)).toEqual(['three', 'two']);
  expect(Object.fromEntries(first.headers)).toMatchObject({
    'x-page': '1',
    'x-next-page': '2',
    'x-prev-page': '',
    'x-total': '3',
    'x-total-pages': '2',
    link: expect.stringContaining('page=2>; rel="next"') as string,
  });
  expect(await (await ask('per_page=2&page=2')).json()).toMatchObject([{ title: 'one' }]);
  const after = encodeURIComponent(body[0]?.updated_at ?? '');
  expect(await (await ask(`updated_after=${after}`)).json()).toMatchObject([{ title: 'three' }]);
});

test('GitLab lets in nobody without the token', async () => {
  const gitlab = await startGitLab({ token: 'glpat', project });
  const response = await fetch(`${gitlab.url}/api/v4/projects`, {
    headers: { authorization: 'Bearer other' },
  });
  expect(response.status).toBe(401);
});

test('LaunchDarkly delivers to the webhook it was given, signed over the bytes it sends', async () => {
  const { url, received } = await startReceiver({ answer: () => ({ status: 202 }) });
  const launchDarkly = await startLaunchDarkly('api-key');
  const headers = { authorization: 'api-key' };
  const created = await fetch(`${launchDarkly.url}/api/v2/webhooks`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ url: `${url}/hook`, secret: 'secret' }),
  });
  const { _id } = (await created.json()) as { _id: string };
  const answer = await launchDarkly.deliver({ _id: 'a', kind: 'flag', name: 'dark', date: 1 });
  expect(answer.status).toBe(202);
  // openssl dgst -sha256 -hmac secret
  expect(received).toMatchObject([
    {
      body: '{"_id":"a","kind":"flag","name":"dark","date":1}',
      headers: {
        'x-ld-signature': '8a061bc866c94fa82867ffd195576a67036b2fa455a84f2bee7bbe5b80901145',
      },
    },
  ]);

  const removed = await fetch(`${launchDarkly.url}/api/v2/webhooks/${_id}`, {
    method: 'DELETE',
    headers,
  });
  expect(removed.status).toBe(204);
  expect(launchDarkly.webhooks.size).toBe(0);
});
