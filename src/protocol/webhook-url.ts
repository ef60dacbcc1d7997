/**
 * Why a text cannot be the URL of a webhook, as one sentence; undefined when it can be: http or https with a
 * host (P19.2, P19.3). Line breaks, which a URL parser leaves out silently, slashes that it skips to find a
 * host (`http:///x`), and a password, which nobody would send, are refused.
 */
export function webhookUrlProblem(text: string): string | undefined {
  const isUrl = /^https?:\/\/[^/\\]/i.test(text) && !/[\s\p{Cc}]/u.test(text);
  const url = isUrl && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) {
    return `${JSON.stringify(text)} is not a URL that a webhook can have. Give one that starts with http:// or https:// and names a host.`;
  }
  if (url.username !== '' || url.password !== '') {
    return 'The URL of a webhook cannot hold a user name or password: it is shown in lists. Check the signature instead, or put a token into its query.';
  }
  return undefined;
}
