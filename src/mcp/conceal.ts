/** Takes out of a value what is a secret by its name: credentials in headers and in URLs (pure). */

const hidden = '[hidden]';
const headerNames = /^(proxy-)?authorization$|^(set-)?cookie$|token|secret|password|api-?key/i;
const queryNames =
  /([?&]|^)([^=&#]*(?:token|secret|password|passwd|api[-_]?key|apikey|signature|sig|auth|code)=)[^&#]*/gi;
const passwords = /(\/\/[^/@\s:]*:)[^/@\s]*@/g;

/** Members named `headers`, `url` and `query` at any depth. */
export function conceal(value: unknown, name = ''): unknown {
  if (typeof value === 'string') {
    if (name !== 'url' && name !== 'query') return value;
    return value.replaceAll(passwords, `$1${hidden}@`).replaceAll(queryNames, `$1$2${hidden}`);
  }
  if (Array.isArray(value)) return value.map((member) => conceal(member, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const isSecret =
        (name === 'headers' && headerNames.test(key)) ||
        (name === 'query' && new RegExp(queryNames.source, 'i').test(`${key}=`));
      return [key, isSecret ? hidden : conceal(member, key.toLowerCase())];
    }),
  );
}
